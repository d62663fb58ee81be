package conform_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/internal/conform"
	"github.com/gpu-overlap/overlap/internal/mutate"
	"github.com/gpu-overlap/overlap/overlaptest"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

var (
	seeds = flag.Int("seeds", 0,
		"how many random programs the devices are compared on; 0: 2000 on a GPU, 200 on the simulated device")
	firstSeed  = flag.Uint64("first-seed", 0, "the first of them")
	disagreeIn = flag.String("disagreements", "", "write each kind of disagreement to this folder, shrunk, as a probe")
)

// stampError is how far stamps of a GPU and of its host may be off, once they are on one clock.
const stampError = 10 * time.Microsecond

// TestRandomConformance runs random programs, valid and not, on the device in hand and on the simulated machine without
// costs: codes, statuses and graphs must be equal, and neither may run anything before what it must wait for.
func TestRandomConformance(t *testing.T) {
	n, tolerance := *seeds, time.Duration(0)
	if overlap.DefaultDevice() == overlap.CUDA {
		tolerance = stampError
	}
	switch {
	case n > 0:
	case overlap.DefaultDevice() == overlap.CUDA:
		n = 2000
	default:
		n = 200
	}
	ideal := overlaptest.Open(t, overlap.Sim, "ideal")
	for name, dev := range inHand(t) {
		t.Run(name, func(t *testing.T) { conformance(t, ideal, dev, n, tolerance) })
	}
}

// conformance reports each kind of disagreement once, shrunk, and how many seeds show it.
func conformance(t *testing.T, ideal, dev gpu.Device, n int, tolerance time.Duration) {
	first, count := map[string]uint64{}, map[string]int{}
	for seed := *firstSeed; seed < *firstSeed+uint64(n); seed++ {
		lines := disagree(t, conform.Generate(seed), ideal, dev, tolerance)
		if len(lines) == 0 {
			continue
		}
		kind := kindOf(lines[0])
		if count[kind]++; count[kind] == 1 {
			first[kind] = seed
		}
	}
	t.Logf("%d random programs from seed %d: %d kinds of disagreement", n, *firstSeed, len(first))
	for _, kind := range slices.Sorted(maps.Keys(first)) {
		seed := first[kind]
		same := func(p *schedule.Program) bool {
			return slices.ContainsFunc(disagree(t, p, ideal, dev, tolerance),
				func(l string) bool { return kindOf(l) == kind })
		}
		text := conform.Probe(conform.Shrink(conform.Generate(seed), same),
			fmt.Sprintf("Random program %d: %s", seed, kind))
		t.Errorf("%d programs, the first of seed %d: %s\n%s", count[kind], seed, kind, text)
		if *disagreeIn != "" {
			require.NoError(t, os.WriteFile(filepath.Join(*disagreeIn, fmt.Sprintf("random%d.txtar", seed)),
				[]byte(text), 0o644))
		}
	}
}

// disagree takes a device that fails for one that disagrees.
func disagree(t *testing.T, p *schedule.Program, a, b gpu.Device, tolerance time.Duration) []string {
	lines, err := conform.Disagree(t.Context(), p, a, b, tolerance)
	if err != nil {
		return []string{"a device failed: " + err.Error()}
	}
	return lines
}

var names = regexp.MustCompile(`^call \d+, |\b([sbegK]\d+|main)\b|\d+\.?\d*(ns|µs|ms)\b`)

// kindOf is a disagreement without the names in it.
func kindOf(line string) string { return names.ReplaceAllString(line, "_") }

// Negative control: of two devices that differ in one code, the conformance run would find it, as one kind.
func TestRandomConformanceFinds(t *testing.T) {
	ideal, kinds := overlaptest.Open(t, overlap.Sim, "ideal"), map[string]bool{}
	for seed := range uint64(100) {
		p := conform.Generate(seed)
		a, err := conform.See(t.Context(), ideal, p)
		require.NoError(t, err)
		b := *a
		b.Codes = slices.Clone(a.Codes)
		for i, code := range b.Codes {
			if code == schedule.CaptureUnjoined {
				b.Codes[i] = schedule.CaptureInvalidated
			}
		}
		for _, line := range conform.Compare(p, a, &b) {
			kinds[kindOf(line)] = true
		}
	}
	assert.Equal(t, map[string]bool{"__: end capture _: 904 CUDA_ERROR_STREAM_CAPTURE_UNJOINED, and 901 CUDA_ERROR_STREAM_CAPTURE_INVALIDATED": true}, kinds)
}

// TestRandomPipelinesGiveTheSameGraph captures the reference schedule and 100 random correct ones: the device in hand
// gives, node for node and edge for edge, the graph that the simulated one gives and that the calls imply.
func TestRandomPipelinesGiveTheSameGraph(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 12))
	all := []schedule.Schedule{overlaptest.Parse(t, "../../"+overlap.ReferenceFile).Schedule}
	for range 100 {
		all = append(all, mutate.Correct(r))
	}
	ideal := overlaptest.Open(t, overlap.Sim, "ideal")
	for name, dev := range inHand(t) {
		t.Run(name, func(t *testing.T) {
			for i := range all {
				p := all[i].Replay()
				want, got := captureOn(t, ideal, p), captureOn(t, dev, p)
				require.Equal(t, graph.Implied(p).Edges, want.Edges, text.Schedule(&all[i]))
				require.Equal(t, want.Nodes, got.Nodes, text.Schedule(&all[i]))
				require.Equal(t, want.Edges, got.Edges, text.Schedule(&all[i]))
			}
		})
	}

	// Negative control: the first wait that is not one of the fork, left out.
	s := all[1]
	at := slices.IndexFunc(s.Issue, func(in schedule.Instr) bool { return mutate.IsLaunch(0, in) })
	at += slices.IndexFunc(s.Issue[at:], func(in schedule.Instr) bool { return in.Verb == schedule.Wait })
	m := mutate.Clone(s)
	m.Issue = slices.Delete(m.Issue, at, at+1)
	assert.NotEqual(t, captureOn(t, ideal, s.Replay()).Edges, captureOn(t, ideal, m.Replay()).Edges)
}

func captureOn(t *testing.T, dev gpu.Device, p *schedule.Program) *graph.Graph {
	run, err := dev.Prepare(t.Context(), p)
	require.NoError(t, err)
	defer run.Close()
	require.NoError(t, gpu.Check(p, p.Setup, run.Setup().Codes))
	require.NotNil(t, run.Setup().Graph)
	return run.Setup().Graph
}

// inHand opens the devices in hand: the simulated machines, or in a binary with the tag gpu the GPU.
func inHand(t *testing.T) map[string]gpu.Device {
	if overlap.DefaultDevice() == overlap.CUDA {
		return map[string]gpu.Device{overlap.CUDA: overlaptest.Open(t, overlap.CUDA, "")}
	}
	return map[string]gpu.Device{"ideal": overlaptest.Open(t, overlap.Sim, "ideal"),
		"h200": overlaptest.Open(t, overlap.Sim, "h200")}
}
