package overlap_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

var (
	update       = flag.Bool("update", false, "rewrite the goldens of the cases from machine ideal, and leave the run red")
	inconclusive = flag.String("inconclusive", "skip", "what an inconclusive case is: skip or fail")
	needDevice   = flag.Bool("need-device", os.Getenv("OVERLAP_NEED_DEVICE") == "1", "fail, instead of skipping, when the device cannot be used; the default with OVERLAP_NEED_DEVICE=1")
	reps         = flag.Int("reps", 0, "repetitions of each mode; 0 chooses by the length of the case")
	repeat       = flag.Int("repeat", 1, "sample and judge each case this often, and fail when one time is not as expected")
	raw          = flag.String("raw", "", "append every result to this file, a JSON object a line")
	longest      = flag.Duration("longest", time.Hour, "leave out cases with an op that is longer")
)

// maxInconclusive is the share of cases that may be inconclusive before the suite itself fails.
const maxInconclusive = 0.1

// machines are those that a simulated run goes through.
var machines = []string{"ideal", "h200"}

// devices opens the devices in hand: the simulated machines, or in a binary with the tag gpu the GPU.
func devices(t testing.TB) map[string]gpu.Device {
	t.Helper()
	if overlap.DefaultDevice == overlap.CUDA {
		return map[string]gpu.Device{overlap.CUDA: open(t, overlap.CUDA, "")}
	}
	devs := map[string]gpu.Device{}
	for _, m := range machines {
		devs[m] = open(t, overlap.Sim, m)
	}
	return devs
}

func open(t testing.TB, device, machine string) gpu.Device {
	t.Helper()
	dev, err := overlap.Open(context.Background(), device, machine)
	var gone *gpu.Unavailable
	if errors.As(err, &gone) && !*needDevice {
		t.Skipf("no device: %v", gone)
	}
	require.NoError(t, err)
	t.Cleanup(func() { dev.Close() })
	return dev
}

func files(t testing.TB, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, list, pattern)
	return list
}

func parse(t testing.TB, file string) *overlap.Case {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	c, err := overlap.ParseCase(file, data)
	require.NoError(t, err)
	return c
}

// TestCases is the suite: every case on the device in hand, eager and replayed, against its bound and its graph.
func TestCases(t *testing.T) {
	if *update {
		updateGoldens(t)
		return
	}
	list := files(t, "testdata/cases/*.txtar")
	var count tally
	for name, dev := range devices(t) {
		t.Run(name, func(t *testing.T) {
			t.Logf("%s", overlap.Headline(dev.Info()))
			var effort overlap.Effort
			for _, file := range list {
				c := parse(t, file)
				if slices.Max(c.Schedule.Intent.Durations()) > *longest {
					continue
				}
				t.Run(c.Name, func(t *testing.T) {
					results, err := overlap.Repeat(t.Context(), dev, c, overlap.Options{Reps: *reps}, *repeat)
					require.NoError(t, err)
					attributes(t, results[0])
					for i, res := range results {
						count.judge(t, res)
						appendRaw(t, i, res)
						effort.All += res.Effort.All
						effort.Preflight += res.Effort.Preflight
						effort.Canaries += res.Effort.Canaries
						effort.Judging += res.Effort.Judging
					}
				})
			}
			share := func(d time.Duration) float64 { return 100 * d.Seconds() / effort.All.Seconds() }
			t.Logf("of %.1fs, preflight took %.1f%%, canaries %.1f%%, judging %.1f%%", effort.All.Seconds(), share(effort.Preflight),
				share(effort.Canaries), share(effort.Judging))
		})
	}
	assert.False(t, count.tooMany(), "%d of %d cases are inconclusive", count.undecided, count.run)
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

// tally counts what was run, and what the samples did not decide.
type tally struct{ run, undecided int }

func (c *tally) tooMany() bool { return float64(c.undecided) > maxInconclusive*float64(c.run) }

// judge fails the test unless the case gave what it expects. An inconclusive case is a skip with its reason, or, of many
// repeats, a line in the log.
func (c *tally) judge(t *testing.T, res *overlap.Result) {
	c.run++
	if len(res.Failures) == 0 {
		return
	}
	if !res.Inconclusive() || *inconclusive == "fail" {
		t.Errorf("%s\n%s", strings.Join(res.Failures, "\n"), overlap.Report(res))
		return
	}
	c.undecided++
	t.Logf("inconclusive: %s\n%s", res.Verdict, overlap.Report(res))
	if *repeat == 1 {
		t.Skip("inconclusive: " + res.Verdict.String())
	}
}

// attributes puts the verdict and the times into the test's report.
func attributes(t *testing.T, r *overlap.Result) {
	t.Attr("verdict", r.Verdict.String())
	for key, value := range map[string]string{"change": r.Verdict.Change, "evidence": r.Verdict.Evidence} {
		if value != "" {
			t.Attr(key, value)
		}
	}
	t.Attr("serial_ns", fmt.Sprint(r.Times.Serial.Nanoseconds()))
	t.Attr("ideal_ns", fmt.Sprint(r.Times.Ideal.Nanoseconds()))
	t.Attr("scheduled_ns", fmt.Sprint(r.Times.Scheduled.Nanoseconds()))
	for _, m := range []*overlap.Mode{&r.Giant, &r.Eager, &r.Replay} {
		if len(m.Reps) > 0 {
			t.Attr(m.Name+"_ns", fmt.Sprint(m.Wall(r.Info.Simulated).Median.Nanoseconds()))
		}
		if m.Account != nil && !m.Verdict.Met() {
			t.Attr(m.Name+"_account", m.Account.Line())
		}
	}
}

// updateGoldens rewrites what machine ideal gives: graph.dot and lanes.txt of every case, graph.dot of every probe.
func updateGoldens(t *testing.T) {
	dev := open(t, overlap.Sim, "ideal")
	rewrite := func(file, dot, lanes string) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		if now := schedule.WithGoldens(data, dot, lanes); string(now) != string(data) {
			require.NoError(t, os.WriteFile(file, now, 0o666))
			t.Errorf("%s: goldens rewritten; look at the difference, then run again without -update", file)
		}
	}
	for _, file := range files(t, "testdata/cases/*.txtar") {
		res, err := overlap.Run(t.Context(), dev, parse(t, file), overlap.Options{})
		require.NoError(t, err)
		dot, lanes := overlap.Golden(res)
		rewrite(file, dot, lanes)
	}
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
	x.Expect.Nodes, x.Expect.Edges, x.Expect.Hides = -1, -1, nil
	// What the overlapped schedule may take is what this one may take: its own makespan would be serial.
	makespan := bound.Scheduled(order.Of(s.Eager()), s.Intent.Durations()).Makespan
	ideal := bound.Ideal(&s.Intent, s.Intent.Durations())
	for _, target := range []*schedule.Target{&x.Expect.Eager, &x.Expect.Replay} {
		if target.Of == schedule.OfScheduled {
			grant := (1 + target.Percent/100) * float64(makespan) / float64(ideal)
			*target = schedule.Target{Of: schedule.OfIdeal, Percent: 100 * (grant - 1)}
		}
	}
	return &x
}

// TestSerialRunNeverPasses is the suite's negative control: a case that passes must not pass when nothing overlaps, by
// its time alone.
func TestSerialRunNeverPasses(t *testing.T) {
	if overlap.DefaultDevice != overlap.Sim {
		t.Skip("a control of the cases, not of the device: it runs on the simulated machines")
	}
	for name, dev := range devices(t) {
		for _, file := range files(t, "testdata/cases/*.txtar") {
			c := parse(t, file)
			if c.Raw || c.Expect.Verdict.Cause != schedule.Met || c.Expect.EagerVerdict.Cause != "" {
				continue
			}
			t.Run(name+"/"+c.Name, func(t *testing.T) {
				res, err := overlap.Run(t.Context(), dev, serial(c), overlap.Options{})
				require.NoError(t, err)
				for _, m := range []*overlap.Mode{&res.Eager, &res.Replay} {
					assert.Contains(t, []overlap.Cause{overlap.SerialByStream, overlap.Missed}, m.Verdict.Cause,
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
	c := parse(t, overlap.ReferenceFile)
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

// TestTally: one in ten may be inconclusive, not more.
func TestTally(t *testing.T) {
	assert.False(t, (&tally{run: 10, undecided: 1}).tooMany())
	assert.True(t, (&tally{run: 10, undecided: 2}).tooMany())
	assert.False(t, (&tally{}).tooMany())
}

// TestCasesAreEnough keeps the suite from shrinking unseen.
func TestCasesAreEnough(t *testing.T) {
	reports := 0
	for _, file := range files(t, "testdata/cases/*.txtar") {
		if strings.Contains(parse(t, file).Why, "https://") {
			reports++
		}
	}
	assert.GreaterOrEqual(t, reports, 40, "cases of what people met, with the address of their report")
	passing, failing := 0, map[string]bool{}
	for _, file := range files(t, "testdata/cases/*.txtar") {
		c := parse(t, file)
		assert.NotEmpty(t, c.Why, "%s: a case opens with why", file)
		if c.Expect.Verdict.Cause == schedule.Met {
			passing++
		} else {
			failing[c.Name] = true
			assert.NotEmpty(t, c.Expect.Verdict.Detail, "%s: a case that must fail says what is guilty", file)
		}
	}
	assert.GreaterOrEqual(t, passing, 14)
	assert.GreaterOrEqual(t, len(failing), 8)
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
