package sim

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// wide is a pipeline of n ops: 8 micro-batches on 8 streams and 2 engines.
func wide(n int) schedule.Schedule {
	pl := schedule.Pipeline{Micro: 8, Layout: schedule.Exclusive, Engines: schedule.DefaultEngines()}
	for s := range n / 8 {
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Kind(s % 2), Engine: schedule.At(int32(s % 2)),
			Dur: time.Microsecond})
	}
	return pl.Schedule("wide", "wide")
}

const (
	leastSpeed = 2e6 // instructions a second, on one core that nobody shares: not asked for with -short
	mostMemory = 1e9 // bytes that the heap takes from the system, the program included
)

// BenchmarkSim1e6 runs a pipeline of a million ops on 8 streams, on one core: issued call by call, captured, and
// launched as a graph. Of the last, the nodes count as instructions, of the others the calls.
func BenchmarkSim1e6(b *testing.B) {
	for _, m := range []Machine{Ideal, H200} {
		b.Run(m.Name+"/eager", func(b *testing.B) { benchRep(b, m, (*schedule.Schedule).Eager) })
		b.Run(m.Name+"/capture", func(b *testing.B) { benchPrepare(b, m) })
		b.Run(m.Name+"/replay", func(b *testing.B) { benchRep(b, m, (*schedule.Schedule).Replay) })
	}
}

func benchRep(b *testing.B, m Machine, mode func(*schedule.Schedule) *schedule.Program) {
	s := wide(1e6)
	p := mode(&s)
	run, err := Open(m).Prepare(b.Context(), p)
	require.NoError(b, err)
	bench(b, max(len(p.Body), len(p.Intent.Ops)), func() (any, error) { return run.Rep(b.Context()) })
}

func benchPrepare(b *testing.B, m Machine) {
	s := wide(1e6)
	p := s.Replay()
	bench(b, len(p.Setup), func() (any, error) { return Open(m).Prepare(b.Context(), p) })
}

// bench runs something that makes n instructions, and demands that the fastest of the runs is fast enough.
func bench(b *testing.B, n int, run func() (any, error)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	debug.FreeOSMemory()
	b.ReportAllocs()
	var fastest, memory float64
	for b.Loop() {
		start := time.Now()
		got, err := run()
		fastest = max(fastest, float64(n)/time.Since(start).Seconds())
		memory = max(memory, heapHeld())
		require.NoError(b, err)
		runtime.KeepAlive(got)
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "instr/s")
	b.ReportMetric(memory/1e6, "heap-MB")
	if fastest < leastSpeed && !testing.Short() {
		b.Errorf("%.0f instructions a second; at least %.0f are needed", fastest, leastSpeed)
	}
	if memory > mostMemory {
		b.Errorf("the heap took %.0f MB; at most %.0f MB are allowed", memory/1e6, mostMemory/1e6)
	}
}

// heapHeld is the memory that the heap has from the system: what is alive, what is dead, and what is free.
func heapHeld() float64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(samples)
	var sum uint64
	for _, s := range samples {
		sum += s.Value.Uint64()
	}
	return float64(sum)
}
