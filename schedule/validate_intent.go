package schedule

import (
	"fmt"
	"slices"
	"time"
)

// Validate refuses an intent that no case file could say: ids that point to nothing, names that are empty or stand
// twice, ops that are after themselves, durations that are not above 0, and the like. An intent without ops is valid.
func (in *Intent) Validate() error {
	if in == nil {
		return fmt.Errorf("intent: none; want one")
	}
	f := in.fault()
	if f == nil {
		f = in.namesFault()
	}
	return f.in("", "intent")
}

// namesFault refuses names of ops and buffers that are empty or stand twice. It takes longer than all the rest of
// fault, and what only runs or judges ops goes by their ids.
func (in *Intent) namesFault() *fault {
	names := newNames(len(in.Ops))
	for i := range in.Ops {
		switch op := &in.Ops[i]; {
		case op.Name == "":
			return faulty(op.Line, "one", "op %d has no name", i)
		case names.add(op.Name):
			return faulty(op.Line, "a name for each op", "a second op %s", op.Name)
		}
	}
	return namesFault("buffer", in.Buffers)
}

// fault is that of an intent, but for its names.
func (in *Intent) fault() *fault { return in.faultInto(nil) }

// seen is what a look at the ops has found: who looks at a million calls then need not fetch their ops again.
type seen struct {
	issuedBy []Verb        // by op
	longest  time.Duration // of the ops
}

// faultInto is fault; it fills in what it sees, when it is asked to.
func (in *Intent) faultInto(s *seen) *fault {
	if len(in.Ops) > MaxOps {
		return faulty(0, fmt.Sprintf("at most %d", MaxOps), "%d ops", len(in.Ops))
	}
	if in.Micro < 0 || in.Micro > MaxMicro {
		return faulty(0, fmt.Sprintf("0 to %d", MaxMicro), "%d micro-batches", in.Micro)
	}
	if f := engineFaults(in.Engines); f != nil {
		return f
	}
	var total time.Duration
	earlier := true // every op is after earlier ones alone
	for i := range in.Ops {
		op := &in.Ops[i]
		if s != nil {
			s.issuedBy[i], s.longest = op.Kind.Verb(), max(s.longest, op.Dur)
		}
		if !in.plain(op, i) {
			if f := in.opFault(op); f != nil {
				return f
			}
			for _, before := range op.After {
				earlier = earlier && int(before) < i
			}
		}
		if total += op.Dur; total > mostOfProgram {
			return faulty(op.Line, "a sum of at most 292 years", "op %s: up to here the durations add up to more",
				op.Name)
		}
	}
	if earlier {
		return nil
	}
	if cycle := in.Cycle(); cycle != nil {
		return faulty(in.Ops[cycle[0]].Line, "an order that ends somewhere", "a cycle: %s", cycleText(in, cycle))
	}
	return nil
}

// mostOfProgram is what the durations of all ops of an intent may come to, so that no sum of times overflows.
const mostOfProgram = time.Duration(1 << 61)

// plain says whether an op is one of the plain ones, kernels that touch no buffer and are after earlier ops alone, and nothing
// is wrong with it. Nearly all of a large intent are.
func (in *Intent) plain(op *Op, i int) bool {
	if op.Kind > Communication || op.Kernel > Nanosleep || op.Dur <= 0 || op.Dur > MaxTotal || op.Whole != 0 ||
		op.Engine.n != 0 || int(op.Kind) >= len(in.Engines) || op.SMs|op.Waves|op.Bandwidth != 0 ||
		op.Bytes != 0 || op.Pageable || len(op.Reads)+len(op.Writes) > 0 {
		return false
	}
	for _, before := range op.After {
		if uint(before) >= uint(i) {
			return false
		}
	}
	return true
}

// opFault looks at one op. An op of a giant batch may last as long as all ops of a schedule.
func (in *Intent) opFault(op *Op) *fault {
	if op.Kind >= NumKinds || op.Kernel > Nanosleep {
		return faulty(op.Line, "kinds that there are", "op %s: kind %d, kernel %d", op.Name, op.Kind, op.Kernel)
	}
	if op.Dur <= 0 || op.Dur > MaxTotal {
		return durationFault(op.Line, "op "+op.Name, op.Dur, MaxTotal)
	}
	if op.Whole < 0 || op.Whole > MaxTotal {
		return faulty(op.Line, fmt.Sprintf("0s to %v", MaxTotal), "op %s: whole %v", op.Name, op.Whole)
	}
	if e := op.On(); e < 0 || int(e) >= len(in.Engines) {
		return faulty(op.Line, "one that the intent has", "op %s: engine %d of %d", op.Name, e, len(in.Engines))
	}
	if f := footprintFault(op.Line, "op ", op.Name, op.Kind, op.SMs, op.Waves, op.Bandwidth, op.Bytes,
		op.Pageable); f != nil {
		return f
	}
	if f := idsFault(op, "after", op.After, len(in.Ops)); f != nil {
		return f
	}
	if f := idsFault(op, "reads", op.Reads, len(in.Buffers)); f != nil {
		return f
	}
	return idsFault(op, "writes", op.Writes, len(in.Buffers))
}

func idsFault(op *Op, word string, ids []int32, n int) *fault {
	for _, id := range ids {
		if id < 0 || int(id) >= n {
			return faulty(op.Line, "what the intent has", "op %s: %s %d of %d", op.Name, word, id, n)
		}
	}
	return nil
}

// placeFault looks at the places of ops in a pipeline: Schedule.Giant puts those of a stage together.
func (in *Intent) placeFault() *fault {
	m := int(in.Micro)
	if m == 0 {
		return nil
	}
	if len(in.Ops)%m != 0 {
		return faulty(0, "as many ops of each stage", "%d ops of %d micro-batches", len(in.Ops), m)
	}
	for i := range in.Ops {
		if op := &in.Ops[i]; !op.Stage.Is(int32(i/m)) || !op.Micro.Is(int32(i%m)) {
			return faulty(op.Line, fmt.Sprintf("%d and %d, by its id", i/m, i%m), "op %s: stage %s, micro-batch %s",
				op.Name, op.Stage, op.Micro)
		}
	}
	return nil
}

// footprintFault looks at what an op or the ops of a stage take beside their durations. The name is in two parts so
// that it is put together only when it is needed.
func footprintFault(line int32, what, name string, k Kind, sms, waves, bandwidth int32, bytes int64,
	pageable bool) *fault {
	switch {
	case sms < 0 || sms > 100 || bandwidth < 0 || bandwidth > 100:
		return faulty(line, "shares from 1 to 100 per cent, or 0 for none", "%s%s: sms %d%%, bandwidth %d%%", what,
			name, sms, bandwidth)
	case waves < 0 || waves > MaxWaves || waves > 0 && sms == 0:
		return faulty(line, fmt.Sprintf("1 to %d, beside sms", MaxWaves), "%s%s: waves %d", what, name, waves)
	case k.Copies() && (bytes < 1 || bytes > mostBytes):
		return faulty(line, "at least 1, and at most 64GiB", "%s%s: a copy of %d bytes", what, name, bytes)
	case !k.Copies() && (bytes != 0 || pageable):
		return faulty(line, "them only of h2d and d2h", "%s%s: bytes of a %s", what, name, k)
	}
	return nil
}

// mostBytes is the most that an unsplit copy of a pipeline may have.
const mostBytes = MaxBytes * MaxMicro

func engineFaults(engines []Engine) *fault {
	names := newNames(len(engines))
	for i, e := range engines {
		switch {
		case e.Name == "":
			return faulty(0, "one", "engine %d has no name", i)
		case names.add(e.Name):
			return faulty(0, "a name for each engine", "a second engine %s", e.Name)
		case e.Capacity < 1: // the language has a largest one, for a text; any is sound
			return faulty(0, "1 or more", "engine %s: capacity %d", e.Name, e.Capacity)
		}
	}
	return nil
}

// Cycle gives ops of which each is after the next, and the last after the first; nil when there are none. It starts
// with the op of the cycle that has the smallest id. Ids that point to nothing are left out.
func (in *Intent) Cycle() []int32 {
	const unseen, open, done = 0, 1, 2
	ops := in.Ops
	state := make([]uint8, len(ops))
	next := make([]int32, len(ops)) // the first of After that was not followed yet
	var path []int32
	for root := range ops {
		if state[root] != unseen {
			continue
		}
		path = append(path[:0], int32(root))
		state[root] = open
		for len(path) > 0 {
			op := path[len(path)-1]
			if int(next[op]) == len(ops[op].After) {
				state[op] = done
				path = path[:len(path)-1]
				continue
			}
			pred := ops[op].After[next[op]]
			next[op]++
			if pred < 0 || int(pred) >= len(ops) {
				continue
			}
			switch state[pred] {
			case unseen:
				state[pred] = open
				path = append(path, pred)
			case open:
				cycle := path[slices.Index(path, pred):]
				first := slices.Index(cycle, slices.Min(cycle))
				return slices.Concat(cycle[first:], cycle[:first])
			}
		}
	}
	return nil
}
