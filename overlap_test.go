package overlap_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/overlaptest"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

var (
	update = flag.Bool("update", false, "rewrite the goldens of the cases from machine ideal, and leave the run red")
	raw    = flag.String("raw", "", "append every result to this file, a JSON object a line")
)

// machines are those that a simulated run goes through.
var machines = []string{"ideal", "h200"}

// devices opens the devices in hand: the simulated machines, or in a binary with the tag gpu the GPU.
func devices(t testing.TB) map[string]gpu.Device {
	t.Helper()
	if overlap.DefaultDevice() == overlap.CUDA {
		return map[string]gpu.Device{overlap.CUDA: overlaptest.Open(t, overlap.CUDA, "")}
	}
	devs := map[string]gpu.Device{}
	for _, m := range machines {
		devs[m] = overlaptest.Open(t, overlap.Sim, m)
	}
	return devs
}

const caseFiles = "testdata/cases/*.txtar"

func files(t testing.TB, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, list, pattern)
	return list
}

// The simulated device reads its tables, so these come first.
//go:generate go generate ./gpu/sim/tables
//go:generate .ci/golden ^TestCases$

// TestCases is the suite: every case on the device in hand, eager and replayed, against its bound and its graph.
func TestCases(t *testing.T) {
	for name, dev := range devices(t) {
		t.Run(name, func(t *testing.T) {
			suite, effort := overlaptest.FromFlags(t), overlap.Effort{}
			suite.Update = suite.Update || *update
			suite.Each = func(t *testing.T, i int, r *overlap.Result) {
				appendRaw(t, i, r)
				effort.All += r.Effort.All
				effort.Preflight += r.Effort.Preflight
				effort.Canaries += r.Effort.Canaries
				effort.Judging += r.Effort.Judging
			}
			suite.Cases(t, dev, caseFiles)
			share := func(d time.Duration) float64 { return 100 * d.Seconds() / effort.All.Seconds() }
			t.Logf("of %.1fs, preflight took %.1f%%, canaries %.1f%%, judging %.1f%%", effort.All.Seconds(), share(effort.Preflight),
				share(effort.Canaries), share(effort.Judging))
		})
	}
}

// appendRaw keeps what a verdict rests on.
func appendRaw(t *testing.T, repeat int, r *overlap.Result) {
	if *raw == "" {
		return
	}
	j := r.JSON()
	line, err := json.Marshal(map[string]any{"case": j.Case, "repeat": repeat, "expected": j.Expected, "verdict": j.Verdict,
		"eager": j.Eager.Verdict, "eager_wall_ns": j.Eager.WallNS, "eager_limit_ns": j.Eager.LimitNS,
		"replay": j.Replay.Verdict, "replay_wall_ns": j.Replay.WallNS, "replay_limit_ns": j.Replay.LimitNS,
		"ideal_ns": j.IdealNS, "serial_ns": j.SerialNS, "evidence": j.Evidence, "took_ns": j.TookNS})
	require.NoError(t, err)
	f, err := os.OpenFile(*raw, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	require.NoError(t, err)
	_, err = f.Write(append(line, '\n'))
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// serial is the case with all its ops on one stream, and nothing recorded of its graph: a run without any overlap.
func serial(c *overlap.Case) *overlap.Case {
	s := c.Schedule
	one := schedule.Schedule{Name: s.Name, File: s.File, Intent: s.Intent, Events: []string{"fork", "join"},
		Streams: []schedule.Stream{s.Streams[schedule.Origin], {Name: "one", Kind: schedule.NonBlocking}}}
	at := func(v schedule.Verb, stream, event int32) {
		one.Issue = append(one.Issue, schedule.Instr{Verb: v, Stream: schedule.At(stream), Event: schedule.At(event)})
	}
	at(schedule.Record, 0, 0)
	at(schedule.Wait, 1, 0)
	for _, in := range s.Issue {
		if in.Op.Some() {
			in.Stream = schedule.At(1)
			one.Issue = append(one.Issue, in)
		}
	}
	at(schedule.Record, 1, 1)
	at(schedule.Wait, 0, 1)
	x := *c
	x.Schedule, x.Graph, x.Lanes = one, "", ""
	x.Expect.Graph, x.Expect.Hides = verdict.Size{}, nil
	// What the overlapped schedule may take is what this one may take: its own makespan would be serial.
	makespan := bound.Scheduled(order.Of(s.Eager()), s.Intent.Durations()).Makespan
	ideal := bound.Ideal(&s.Intent, s.Intent.Durations())
	for _, target := range []*verdict.Target{&x.Expect.Eager, &x.Expect.Replay} {
		if target.Of == verdict.OfScheduled {
			grant := (1 + target.Percent/100) * float64(makespan) / float64(ideal)
			*target = verdict.Target{Of: verdict.OfIdeal, Percent: 100 * (grant - 1)}
		}
	}
	return &x
}

// TestSerialRunNeverPasses is the suite's negative control: a case that passes must not pass when nothing overlaps, by
// its time alone.
func TestSerialRunNeverPasses(t *testing.T) {
	if overlap.DefaultDevice() != overlap.Sim {
		t.Skip("a control of the cases, not of the device: it runs on the simulated machines")
	}
	for name, dev := range devices(t) {
		for _, file := range files(t, caseFiles) {
			c := overlaptest.Parse(t, file)
			if c.Raw || c.Expect.Verdict.Cause != verdict.Met || c.Expect.EagerVerdict != nil {
				continue
			}
			t.Run(name+"/"+c.Name, func(t *testing.T) {
				res, err := overlap.Run(t.Context(), dev, serial(c), overlap.Options{})
				require.NoError(t, err)
				for _, m := range []*overlap.Mode{&res.Eager, &res.Replay} {
					assert.Contains(t, []verdict.Cause{verdict.SerialByStream, verdict.Missed}, m.Verdict.Cause,
						"%s of a serial run: %s", m.Name, m.Verdict)
				}
			})
		}
	}
}

// TestTorchGraph holds PyTorch's own dump of the reference experiment against what the device in hand captures.
func TestTorchGraph(t *testing.T) {
	read := func(name string) *os.File {
		f, err := os.Open(filepath.Join("testdata/graphs", name))
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	c := overlaptest.Parse(t, overlap.ReferenceFile)
	torch, err := dot.Read(read("arch_torch.dot"))
	require.NoError(t, err)
	names, err := dot.ReadNames(read("reference.names"))
	require.NoError(t, err)
	torch, err = dot.Bind(torch, names, &c.Schedule.Intent)
	require.NoError(t, err)
	for name, dev := range devices(t) {
		t.Run(name, func(t *testing.T) {
			run, err := dev.Prepare(t.Context(), c.Schedule.Replay())
			require.NoError(t, err)
			defer run.Close()
			require.NotNil(t, run.Setup().Graph)
			assert.Empty(t, match.Diff(torch, run.Setup().Graph))

			less := *run.Setup().Graph
			less.Edges = less.Edges[1:]
			assert.Len(t, match.Diff(torch, &less), 1, "an edge that is missing must show")
		})
	}
}

// TestCasesAreEnough keeps the suite from shrinking unseen.
func TestCasesAreEnough(t *testing.T) {
	reports := 0
	for _, file := range files(t, caseFiles) {
		if strings.Contains(overlaptest.Parse(t, file).Why, "https://") {
			reports++
		}
	}
	assert.GreaterOrEqual(t, reports, 40, "cases of what people met, with the address of their report")
	passing, failing := 0, map[string]bool{}
	for _, file := range files(t, caseFiles) {
		c := overlaptest.Parse(t, file)
		assert.NotEmpty(t, c.Why, "%s: a case opens with why", file)
		if c.Expect.Verdict.Cause == verdict.Met {
			passing++
		} else {
			failing[c.Name] = true
			assert.NotEmpty(t, c.Expect.Verdict.Detail, "%s: a case that must fail says what is guilty", file)
		}
	}
	assert.GreaterOrEqual(t, passing, 14)
	assert.GreaterOrEqual(t, len(failing), 8)
}

// noCase are the causes for which there is no case: on the simulated machines of the suite nothing is known to give them.
var noCase = []verdict.Cause{verdict.HandOff, verdict.LostInGraph, verdict.Missed, verdict.Inconclusive}

// TestEveryCauseHasACase: each cause is what some case expects, of both modes or of one.
func TestEveryCauseHasACase(t *testing.T) {
	expected := map[verdict.Cause]bool{}
	for _, file := range files(t, caseFiles) {
		e := &overlaptest.Parse(t, file).Expect
		for _, o := range []*verdict.Outcome{&e.Verdict, e.EagerVerdict, e.ReplayVerdict} {
			if o != nil {
				expected[o.Cause] = true
			}
		}
	}
	for _, c := range verdict.Causes() {
		assert.NotEqual(t, slices.Contains(noCase, c), expected[c], "a case that expects %s", c)
	}
}

// TestEmbeddedCases: what the command runs without an argument is what lies in the folder.
func TestEmbeddedCases(t *testing.T) {
	err := fs.WalkDir(overlap.Cases, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := fs.ReadFile(overlap.Cases, path)
		assert.Equal(t, string(want), string(got), path)
		return err
	})
	require.NoError(t, err)
}

// mostReadme is how large README.md may be, in bytes: it is read in one go.
const mostReadme = 8192

// README's code is that of the examples, which run; its case is theirs, and what it shows of reports is printed so.
func TestReadme(t *testing.T) {
	page := sourceFile(t, "README.md")
	assert.LessOrEqual(t, len(page), mostReadme)
	blocks := fenced(page)

	code := sourceFile(t, "example_test.go") + sourceFile(t, "overlaptest/example_test.go")
	shown := slices.DeleteFunc(slices.Clone(blocks), func(b block) bool { return b.language != "go" })
	require.Len(t, shown, 2)
	for _, b := range shown {
		assert.Contains(t, code, b.text, "README's code is not that of the examples")
	}
	assert.Contains(t, blocks, block{"", lateEvent}, "README's case is not that of the example")

	reference, err := overlap.Reference()
	require.NoError(t, err)
	late, err := overlap.ParseCase("late_event.txtar", []byte(lateEvent))
	require.NoError(t, err)
	for begins, c := range map[string]*overlap.Case{"device sim,": reference, "verdict: over-wide wait": late} {
		report := func(b block) bool { return strings.HasPrefix(b.text, begins) }
		i := slices.IndexFunc(blocks, report)
		require.GreaterOrEqual(t, i, 0, "README shows no report that begins with %q", begins)
		dev := sim.Open(sim.Ideal)
		res, err := overlap.Run(t.Context(), dev, c, overlap.Options{})
		require.NoError(t, err)
		said := overlap.Headline(dev.Info()) + "\n" + overlap.Report(res)
		assert.Empty(t, missing(blocks[i].text, said), "README shows a report that reads\n%s", said)
	}
}

// block is a piece of a page between fences.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

func fenced(page string) (blocks []block) {
	for _, m := range fence.FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, block{m[1], m[2]})
	}
	return blocks
}

// missing gives the first part of a shortened text, between lines that are …, that does not stand in the whole one
// after the parts before it; empty when all do.
func missing(shortened, whole string) string {
	for part := range strings.SplitSeq(shortened, "…\n") {
		_, rest, found := strings.Cut("\n"+whole, "\n"+part)
		if !found {
			return part
		}
		whole = rest
	}
	return ""
}

func TestMissing(t *testing.T) {
	const whole = "a\nb\nc\nd\n"
	for shortened, want := range map[string]string{
		whole: "", "a\n…\nd\n": "", "…\nc\n…\n": "", "…\n": "",
		"a\nc\n": "a\nc\n", "c\n…\nb\n": "b\n", "a\n…\na\n": "a\n", "e\n": "e\n", "…\n\n": "\n",
	} {
		assert.Equal(t, want, missing(shortened, whole), "%q", shortened)
	}
	assert.Equal(t, []block{{"go", "x\n"}, {"", "y\nz\n"}}, fenced("a\n```go\nx\n```\nb\n```\ny\nz\n```\n"))
}

// sourceFile is a file of the source, which a test binary that was taken elsewhere has not.
func sourceFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat("go.mod"); errors.Is(err, fs.ErrNotExist) {
			t.Skip("the source is not here")
		}
	}
	require.NoError(t, err)
	return string(data)
}
