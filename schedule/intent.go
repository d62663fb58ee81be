package schedule

import (
	"fmt"
	"time"
)

// Kind says what an op does. A device makes every kind from a kernel or a host function of a known duration.
type Kind uint8

const (
	Computation   Kind = iota // a kernel on the compute engine
	Communication             // a kernel on the link engine
	Host                      // a host function (cuLaunchHostFunc)
	H2D                       // a copy from the host's memory to the device's
	D2H                       // a copy from the device's memory to the host's
	NumKinds
)

var kindNames = [NumKinds]string{"computation", "communication", "host", "h2d", "d2h"}

// Copies says whether ops of this kind are copies, made by cuMemcpyHtoDAsync or cuMemcpyDtoHAsync.
func (k Kind) Copies() bool { return k == H2D || k == D2H }

func (k Kind) String() string {
	if k < NumKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Verb is the call that issues an op of the kind.
func (k Kind) Verb() Verb {
	switch {
	case k == Host:
		return HostFunc
	case k.Copies():
		return Copy
	}
	return Launch
}

// Kernel says how a kernel op spends its duration on a GPU.
type Kernel uint8

const (
	Exact     Kernel = iota // loop on %globaltimer up to a deadline: error below 100 ns
	Nanosleep               // the reference's loop of 1 ms nanosleeps: overshoots by some per cent
)

func (k Kernel) String() string {
	if k > Nanosleep {
		return fmt.Sprintf("kernel %d", uint8(k))
	}
	return [...]string{"exact", "nanosleep"}[k]
}

// Op is one piece of work. Ids are indices: of ops into Intent.Ops, of engines into Intent.Engines,
// of buffers into Intent.Buffers.
type Op struct {
	Name   string // unique within the intent
	Kind   Kind
	Kernel Kernel
	Engine Ref           // of Intent.Engines; left out, it is the kind's own: see On
	Dur    time.Duration // nominal, alone on an idle device; > 0
	Whole  time.Duration // of the unsplit op, where a stage gives it; otherwise 0
	After  []int32       // ops that must have ended before this one starts
	Reads  []int32
	Writes []int32

	SMs       int32 // per cent of the device's SMs that a kernel's grid holds for its duration; 0: one block
	Waves     int32 // times as many blocks as that, each lasting Dur: so many waves; 0: one. Only in a program section
	Bandwidth int32 // per cent of the memory bandwidth that a kernel needs to last no longer than Dur; 0: next to none
	Bytes     int64 // of a copy; > 0
	Pageable  bool  // a copy from or to pageable memory of the host; otherwise it is pinned

	Stage Ref   // of a pipeline; none otherwise
	Micro Ref   // micro-batch of a pipeline; none otherwise
	Line  int32 // in the case file; 0 when not from a file
}

// On is the engine that the op occupies, an index into Intent.Engines: the kind's own unless Engine says another.
func (o *Op) On() int32 { return on(o.Engine, o.Kind) }

// on is an engine, or the kind's own: the first of DefaultEngines, in the order of the kinds.
func on(engine Ref, kind Kind) int32 {
	if engine.Some() {
		return engine.Index()
	}
	return int32(kind)
}

// staged is up to how many bytes of pageable memory go to the device without holding the host (documented as 64 KiB;
// measured: 16 KiB do not hold it, 4 MiB do).
const staged = 64 << 10

// HoldsHost says whether the call that copies returns only at the end of the copy.
func (o *Op) HoldsHost() bool { return o.Pageable && !(o.Kind == H2D && o.Bytes <= staged) }

// Engine is a resource that ops occupy. With Capacity 1 it is exclusive by intention: two of its ops are not meant to
// run at once. That is counted in the bound and judged; no device enforces it.
type Engine struct {
	Name     string
	Capacity int32 // >= 1
}

// Intent says what must happen, not how a host issues it.
type Intent struct {
	Ops     []Op
	Engines []Engine
	Buffers []string
	Micro   int32 // micro-batches of a pipeline; 0 when the schedule is spelled out
}

// Durations is the nominal duration of each op, by op id.
func (in *Intent) Durations() []time.Duration {
	d := make([]time.Duration, len(in.Ops))
	for i := range in.Ops {
		d[i] = in.Ops[i].Dur
	}
	return d
}

// NameOf is the name of an op; "?" of what is none.
func (in *Intent) NameOf(op int32) string {
	if op < 0 || int(op) >= len(in.Ops) {
		return "?"
	}
	return in.Ops[op].Name
}

// OpNamed finds an op by name; -1 when there is none.
func (in *Intent) OpNamed(name string) int32 {
	for i := range in.Ops {
		if in.Ops[i].Name == name {
			return int32(i)
		}
	}
	return -1
}
