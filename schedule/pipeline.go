package schedule

import (
	"fmt"
	"slices"
	"time"
)

// Layout says how the micro-batches of a pipeline are laid on streams.
type Layout uint8

const (
	// PerMicrobatch is the reference's: micro-batch k has a stream of its own and waits at each stage until k−1 has
	// finished that stage. It keeps like from running beside like only while durations cooperate: two micro-batches,
	// equal stages.
	PerMicrobatch Layout = iota
	// Exclusive is PerMicrobatch where each op also waits for the previous op of its engine, unless it already does.
	Exclusive
	// PerEngine has one stream for each engine, shared by the micro-batches, with waits for data only.
	PerEngine
)

func (l Layout) String() string {
	if l > PerEngine {
		return fmt.Sprintf("layout %d", uint8(l))
	}
	return [...]string{"streams per microbatch", "streams per microbatch, exclusive", "streams per engine"}[l]
}

// Stage is a step that every micro-batch passes.
type Stage struct {
	Kind   Kind
	Engine Ref             // of Pipeline.Engines; left out, it is the kind's own: see On
	Dur    time.Duration   // of one micro-batch
	Durs   []time.Duration // by micro-batch, where they are unequal; Dur is then the first
	Whole  time.Duration   // of the unsplit op; 0: the sum over the micro-batches
	// Started says that the stage before starts this one, which holds neither that one's stream nor its SMs.
	Started        bool
	SMs, Bandwidth int32
	Bytes          int64
	Pageable       bool
	Line           int32
}

// On is the engine of the stage, an index into Pipeline.Engines.
func (st *Stage) On() int32 { return on(st.Engine, st.Kind) }

// DurOf is the duration of micro-batch k.
func (st *Stage) DurOf(k int32) time.Duration {
	if k >= 0 && int(k) < len(st.Durs) {
		return st.Durs[k]
	}
	return st.Dur
}

// Pipeline is m micro-batches that pass the same stages in order, issued stage by stage, or each an offset behind the
// last.
type Pipeline struct {
	Micro   int32
	Layout  Layout
	Kernel  Kernel
	Stages  []Stage  // of one round
	Repeat  int32    // how many rounds of the stages there are; 0 is one
	Offset  int32    // by how many stages each micro-batch is issued behind the one before it
	Engines []Engine // nil: the defaults

	HostDelay time.Duration // see Schedule
}

// all are the stages of all rounds.
func (pl *Pipeline) all() []Stage {
	if pl.Repeat <= 1 {
		return pl.Stages
	}
	return slices.Repeat(pl.Stages, int(pl.Repeat))
}

// order is the order of issue: step by step, at each step the micro-batches in turn, each Offset stages behind the one
// before it.
func (pl *Pipeline) order() []int32 {
	m, n := pl.Micro, int32(len(pl.Stages))*max(pl.Repeat, 1)
	ops := make([]int32, 0, n*m)
	for step := range n + (m-1)*pl.Offset {
		for k := range m {
			if s := step - k*pl.Offset; s >= 0 && s < n {
				ops = append(ops, s*m+k)
			}
		}
	}
	return ops
}

// DefaultEngines are those that need no declaration, one for each kind of op, in the order of the kinds.
func DefaultEngines() []Engine {
	return []Engine{{Name: "compute", Capacity: 1}, {Name: "link", Capacity: 1}, {Name: "host", Capacity: 1},
		{Name: "h2d", Capacity: 1}, {Name: "d2h", Capacity: 1}}
}

// StageName is the letter of stage s, and so the name of its unsplit op: A … Z, AA, AB …
func StageName(s int) string {
	name := ""
	for ; s >= 0; s = s/26 - 1 {
		name = string(rune('A'+s%26)) + name
	}
	return name
}

// Schedule expands the pipeline. The op of stage s and micro-batch k has the id s·m + k and is named after both: A0. Of
// a pipeline that Validate refuses it is an empty schedule, which Validate refuses, too.
func (pl *Pipeline) Schedule(name, file string) Schedule {
	if pl.Validate() != nil {
		return Schedule{Name: name, File: file}
	}
	b := begin(name, file)
	b.Intent, b.HostDelay = pl.intent(), pl.HostDelay
	if pl.Layout == PerEngine {
		pl.perEngine(&b)
	} else {
		pl.perMicrobatch(&b)
	}
	return b.Schedule
}

func (pl *Pipeline) intent() Intent {
	m := pl.Micro
	stages := pl.all()
	in := Intent{Ops: make([]Op, 0, len(stages)*int(m)), Engines: pl.engines(), Micro: m}
	for s, st := range stages {
		for k := range m {
			op := Op{Name: fmt.Sprintf("%s%d", StageName(s), k), Kind: st.Kind, Kernel: pl.Kernel, Engine: st.Engine,
				Dur: st.DurOf(k), Whole: st.Whole, Stage: At(int32(s)), Micro: At(k), Line: st.Line}
			if s > 0 {
				op.After = []int32{int32(s-1)*m + k}
			}
			op.SMs, op.Bandwidth, op.Bytes, op.Pageable = st.SMs, st.Bandwidth, st.Bytes, st.Pageable
			in.Ops = append(in.Ops, op)
		}
	}
	return in
}

func (pl *Pipeline) perMicrobatch(b *builder) {
	m := pl.Micro
	var streams []int32
	for k := range m {
		streams = append(streams, b.stream(fmt.Sprintf("mb%d", k)))
	}
	var extra []int32 // by op: another op to wait for
	if pl.Layout == Exclusive {
		extra = pl.engineOrder()
	}
	recorded := make([]bool, len(b.Intent.Ops))
	for _, u := range extra {
		if u != None {
			recorded[u] = true
		}
	}
	b.fork(Origin, streams)
	for _, op := range pl.order() {
		id, k := op, op%m
		if k > 0 {
			b.wait(streams[k], id-1)
		}
		if extra != nil && extra[op] != None {
			b.wait(streams[k], extra[op])
		}
		b.launch(streams[k], id)
		if k < m-1 || recorded[op] {
			b.record(streams[k], id)
		}
	}
	b.join(Origin, streams)
}

// engineOrder finds, for each op, the previous op of its engine when nothing orders the two yet; None otherwise. It
// follows the issue with vector clocks: how many ops of each micro-batch are known to have ended.
func (pl *Pipeline) engineOrder() []int32 {
	m := pl.Micro
	stages, order := pl.all(), pl.order()
	extra := make([]int32, len(order))
	tip := make([][]int32, m) // the clock of the last op of each micro-batch
	behind := min(pl.Offset+1, int32(len(stages)))
	ago := make([][][]int32, behind) // by stage, in turn, and micro-batch: the clock of its op, for the next micro-batch
	for k := range tip {
		tip[k] = make([]int32, m)
	}
	for i := range ago {
		ago[i] = make([][]int32, m)
		for k := range ago[i] {
			ago[i][k] = make([]int32, m)
		}
	}
	engines := pl.engines()
	last := make([]int32, len(engines))
	clock := make([][]int32, len(engines)) // of the last op of each engine
	for e := range last {
		last[e], clock[e] = None, make([]int32, m)
	}
	merge := func(into, from []int32) {
		for i, v := range from {
			into[i] = max(into[i], v)
		}
	}
	for _, op := range order {
		s, k := op/m, op%m
		e := stages[s].On()
		if k > 0 { // the micro-batch before may be ahead of what this one waits for
			merge(tip[k], ago[s%behind][k-1])
		}
		extra[op] = None
		if u := last[e]; u != None && engines[e].Capacity == 1 && tip[k][u%m] <= u/m {
			extra[op] = u
			merge(tip[k], clock[e])
		}
		tip[k][k] = s + 1
		last[e] = op
		copy(clock[e], tip[k])
		copy(ago[s%behind][k], tip[k])
	}
	return extra
}

func (pl *Pipeline) perEngine(b *builder) {
	m := pl.Micro
	byEngine := map[int32]int32{}
	var streams []int32
	for _, st := range pl.Stages {
		if _, ok := byEngine[st.On()]; !ok {
			s := b.stream(pl.engines()[st.On()].Name)
			byEngine[st.On()] = s
			streams = append(streams, s)
		}
	}
	b.fork(Origin, streams)
	stages := pl.all()
	for _, id := range pl.order() {
		s := id / m
		stream := byEngine[stages[s].On()]
		if s > 0 && stages[s-1].On() != stages[s].On() {
			b.wait(stream, id-m)
		}
		b.launch(stream, id)
		if int(s) < len(stages)-1 && stages[s+1].On() != stages[s].On() {
			b.record(stream, id)
		}
	}
	b.join(Origin, streams)
}
