//go:build gpu && cgo

package gpu

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/internal/driver"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// smoke runs the reference schedule in its three forms and checks all that does not depend on speed.
func smoke(t *testing.T, device Device) {
	s := reference(time.Millisecond)
	runs := []Run{prepare(t, device, s.Giant()), prepare(t, device, s.Eager()), prepare(t, device, s.Replay())}
	samples, err := device.Sample(t.Context(), runs, 3)
	require.NoError(t, err)
	require.Len(t, samples, len(runs))

	for i, run := range runs {
		p := run.Program()
		require.Len(t, samples[i], 3)
		for _, tr := range samples[i] {
			require.NoError(t, Check(p, p.Body, tr.Codes))
			assertTranscript(t, p, tr)
		}
	}
	assertReferenceGraph(t, runs[2].Setup())
	assert.Nil(t, runs[1].Setup().Graph, "an eager program captures nothing")
}

// assertTranscript checks one repetition: every op ran for its duration, after what the calls put before it.
func assertTranscript(t *testing.T, p *schedule.Program, tr Transcript) {
	t.Helper()
	require.Len(t, tr.Codes, len(p.Body))
	require.Len(t, tr.Issued, len(p.Body))
	assert.IsNonDecreasing(t, tr.Issued)
	assert.Positive(t, tr.Issue)
	assert.LessOrEqual(t, tr.Issue, tr.Wall)
	imposed := order.Of(p)
	for op, span := range tr.Spans {
		require.True(t, span.Ran, "%s: %s", p.Name, p.Intent.Ops[op].Name)
		assert.GreaterOrEqual(t, span.Dur(), p.Intent.Ops[op].Dur-100*time.Nanosecond)
		assert.Equal(t, timeline.DeviceClock, span.Clock)
		for _, before := range imposed.Preds(int32(op)) {
			assert.LessOrEqual(t, tr.Spans[before].End, span.Start, "%s: %s after %s", p.Name,
				p.Intent.Ops[op].Name, p.Intent.Ops[before].Name)
		}
	}
}

func assertReferenceGraph(t *testing.T, s *Setup) {
	t.Helper()
	require.NotNil(t, s.Graph)
	var names []string
	for _, n := range s.Graph.Nodes {
		assert.Equal(t, graph.KernelNode, n.Kind)
		names = append(names, n.Name)
	}
	assert.Equal(t, strings.Fields("A0 A1 B0 B1 C0 C1 D0 D1"), names)
	var edges [][2]int32
	for _, e := range s.Graph.Edges {
		edges = append(edges, [2]int32{e.From, e.To})
	}
	assert.Equal(t, [][2]int32{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 7}, {6, 7}}, edges)
	assert.Contains(t, string(s.DOT), "digraph")
	assert.NotEqual(t, s.DOT, s.DOTAll)
}

func TestSmokeOnGPU(t *testing.T) {
	device, err := OpenCUDA(t.Context(), Options{})
	if why := (*Unavailable)(nil); errors.As(err, &why) {
		t.Skip(why)
	}
	require.NoError(t, err)
	defer device.Close()
	t.Log(device.Info())
	smoke(t, device)
	testHardware(t, device)
}

func TestSmokeOnFakeDriver(t *testing.T) {
	fake(t)
	device := open(t, Options{})
	assert.Equal(t, "cuda", device.Info().Device)
	assert.Equal(t, "fake", device.Info().Name)
	assert.Equal(t, 132, device.Info().SMs)
	smoke(t, device)
}

func TestUnavailable(t *testing.T) {
	tests := map[string]struct {
		prepare func(*testing.T)
		want    []string
	}{
		"no library": {func(t *testing.T) { t.Setenv(driver.LibraryVar, filepath.Join(t.TempDir(), "libcuda.so.1")) },
			[]string{"no CUDA driver library", "install NVIDIA's driver"}},
		"an old driver": {func(t *testing.T) { fake(t, "-DcuGraphGetEdges_v2=cuGraphGetEdges_v1") },
			[]string{"too old", "cuGraphGetEdges_v2", "12.3"}},
		"no device": {func(t *testing.T) { fake(t); t.Setenv("FAKE_NO_DEVICE", "1") },
			[]string{"no CUDA device", "100 CUDA_ERROR_NO_DEVICE", "CUDA_VISIBLE_DEVICES"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.prepare(t)
			device, err := OpenCUDA(t.Context(), Options{})
			assert.Nil(t, device)
			var why *Unavailable
			require.ErrorAs(t, err, &why)
			for _, want := range test.want {
				assert.Contains(t, err.Error(), want)
			}
			assert.NotContains(t, err.Error(), "\n")
		})
	}
	t.Run("no such device", func(t *testing.T) {
		fake(t)
		_, err := OpenCUDA(t.Context(), Options{GPU: 1})
		assert.ErrorContains(t, err, "no CUDA device 1: the driver shows 1")
	})
}

func TestLock(t *testing.T) {
	fake(t)
	first := open(t, Options{})
	_, err := OpenCUDA(t.Context(), Options{Wait: 100 * time.Millisecond})
	var why *Unavailable
	require.ErrorAs(t, err, &why)
	assert.Contains(t, why.What, "in use by another suite")

	closed := make(chan error)
	time.AfterFunc(100*time.Millisecond, func() { closed <- first.Close() })
	second, err := OpenCUDA(t.Context(), Options{Wait: time.Minute})
	require.NoError(t, <-closed)
	require.NoError(t, err, "the first one has ended")
	require.NoError(t, second.Close())
}

// A program that takes the driver down ends alone, with its name and the reason; what comes next has a fresh worker.
func TestWorkerIsReplaced(t *testing.T) {
	tests := map[string]struct {
		dur  time.Duration
		want string
	}{
		"hangs":  {hangs, "no answer within"},
		"dies":   {dies, "its worker died: exit status 2: SIGABRT: abort"},
		"faults": {faults, "719 CUDA_ERROR_LAUNCH_FAILED"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			fake(t)
			device := open(t, Options{Slack: 300 * time.Millisecond})
			good := prepare(t, device, reference(time.Millisecond).Eager())

			_, err := device.Prepare(t.Context(), reference(test.dur).Eager())
			require.ErrorContains(t, err, test.want)
			assert.ErrorContains(t, err, "reference.txtar: eager: ")
			assert.NotContains(t, err.Error(), "\n")

			_, err = good.Rep(t.Context())
			assert.ErrorContains(t, err, "prepare it again")
			again := prepare(t, device, reference(time.Millisecond).Eager())
			tr, err := again.Rep(t.Context())
			require.NoError(t, err)
			assertTranscript(t, again.Program(), tr)
		})
	}
}

func TestContextEndsSample(t *testing.T) {
	fake(t)
	device := open(t, Options{})
	p := reference(hangs).Eager()
	p.Intent.Ops[0].Dur = time.Second // not short enough to be warmed by a repetition
	run := prepare(t, device, p)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := device.Sample(ctx, []Run{run}, 1)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestUnexpectedCodeIsNotAnError(t *testing.T) {
	fake(t)
	device := open(t, Options{})
	p := reference(time.Millisecond).Replay()
	for i := range p.Setup {
		if p.Setup[i].Verb == schedule.BeginCapture {
			p.Setup[i].Stream = schedule.At(p.Origin) // the legacy stream cannot be captured
		}
	}
	run, err := device.Prepare(t.Context(), p)
	require.NoError(t, err)
	assert.ErrorContains(t, Check(p, p.Setup, run.Setup().Codes), "900 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, want 0")
	assert.Less(t, len(run.Setup().Codes), len(p.Setup), "Setup ends there")
	_, err = run.Rep(t.Context())
	assert.ErrorContains(t, err, "cannot be sampled")
	require.NoError(t, run.Close())
}

func TestHostOpsAreOnTheHostClock(t *testing.T) {
	fake(t)
	s := reference(time.Millisecond)
	for i := range s.Intent.Ops {
		s.Intent.Ops[i].Kind = schedule.Host
	}
	for i := range s.Issue {
		if s.Issue[i].Verb == schedule.Launch {
			s.Issue[i].Verb = schedule.HostFunc
		}
	}
	device := open(t, Options{})
	for _, p := range []*schedule.Program{s.Eager(), s.Replay()} {
		run := prepare(t, device, p)
		tr, err := run.Rep(t.Context())
		require.NoError(t, err)
		for _, span := range tr.Spans {
			assert.True(t, span.Ran)
			assert.Equal(t, timeline.HostClock, span.Clock)
			assert.GreaterOrEqual(t, span.Dur(), time.Millisecond)
			assert.LessOrEqual(t, span.End, tr.Wall)
		}
	}
}

// A launch that did not happen leaves no stamp, whatever an earlier repetition left in its slot.
func TestLostLaunchShows(t *testing.T) {
	fake(t)
	device := open(t, Options{})
	p := reference(time.Millisecond).Eager()
	for i, in := range p.Body {
		if in.Op.Index() == 3 {
			p.Body[i] = schedule.Instr{Verb: schedule.SyncStream, Stream: in.Stream}
		}
	}
	tr, err := prepare(t, device, p).Rep(t.Context())
	require.NoError(t, err)
	for op, span := range tr.Spans {
		assert.Equal(t, op != 3, span.Ran)
	}
}

// The ranges that a profiler shows have the names of the reference experiment.
func TestRanges(t *testing.T) {
	fake(t)
	seen := filepath.Join(t.TempDir(), "seen")
	t.Setenv("NVTX_INJECTION64_PATH", library(t, "nvtx_inject.c"))
	t.Setenv("NVTX_SEEN", seen)
	device := open(t, Options{})
	s := reference(200 * time.Millisecond)
	runs := []Run{prepare(t, device, s.Giant()), prepare(t, device, s.Eager()), prepare(t, device, s.Replay())}
	_, err := device.Sample(t.Context(), runs, 2)
	require.NoError(t, err)
	text, err := os.ReadFile(seen)
	require.NoError(t, err)
	giant, eager, replay := "one_giant_batch\n", "microbatch_overlapping\n", "microbatch_overlapping (cudagraph mode)\n"
	assert.Equal(t, giant+eager+replay+replay+eager+giant, string(text))
}

// A variable left in a user's environment does not make a process a worker.
func TestLeftoverVariable(t *testing.T) {
	fake(t)
	t.Setenv(workerVar, "1")
	assert.False(t, isWorker())
	t.Setenv(workerVar, strconv.Itoa(os.Getppid()))
	assert.False(t, isWorker(), "the third file is not a pipe")
	device := open(t, Options{})
	s := reference(time.Microsecond)
	prepare(t, device, s.Eager())
}
