package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/verdict"
)

// run executes the command in this process, on the simulated device unless said otherwise.
func run(t *testing.T, args ...string) (out string, exit int, err error) {
	t.Helper()
	var b bytes.Buffer
	root := newRoot()
	root.SetOut(&b)
	root.SetErr(&b)
	root.SetArgs(args)
	err = root.ExecuteContext(context.Background())
	return b.String(), status(err), err
}

func sim(args ...string) []string { return append(args, "--device", "sim") }

func cases(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob("../../testdata/cases/" + pattern)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// slow is a case that expects what it does not get.
const slow = `Everything on one stream, and a case that expects better.

-- schedule --
main: fork one
one: computation A 1ms
one: communication B 1ms
main: join one
-- expect --
`

func TestReferenceIsTheDefault(t *testing.T) {
	out, exit, err := run(t, sim("run")...)
	require.NoError(t, err)
	assert.Equal(t, 0, exit)
	lines := strings.Split(out, "\n")
	assert.Equal(t, "device sim, machine ideal (simulated)", lines[0])
	assert.Equal(t, []string{"one_giant_batch takes: 0.800 sec", "microbatch_overlapping takes: 0.500 sec",
		"microbatch_overlapping (cudagraph mode) takes: 0.500 sec"}, lines[1:4])
	assert.Contains(t, lines, "verdict: met")
	assert.Contains(t, out, "graph: 8 nodes, 10 edges: A0>A1 A0>B0 A1>B1 B0>B1 B0>C0 B1>C1 C0>C1 C0>D0 C1>D1 D0>D1")
	assert.Contains(t, out, "mb1        |##A1##|==B1==|##C1##|==D1==|")
}

func TestExitStatus(t *testing.T) {
	good := cases(t, "reference_1ms.txtar")[0]
	bad := write(t, "slow.txtar", slow)
	broken := write(t, "broken.txtar", "Why.\n-- schedule --\nmain: fly a\n-- expect --\n")
	probe := write(t, "probe.txtar", "Why.\n-- program --\nmain: sync\n-- expect --\n")
	for name, c := range map[string]struct {
		args []string
		exit int
		says string
	}{
		"met":             {sim("run", good), 0, ""},
		"met on h200":     {sim("run", good, "--machine", "h200"), 0, ""},
		"missed":          {sim("run", bad, good), exitMissed, ""},
		"bad case":        {sim("run", broken), exitUsage, "broken.txtar:3"},
		"no such file":    {sim("run", "nowhere.txtar"), exitUsage, "nowhere.txtar"},
		"no such machine": {sim("run", "--machine", "h100"), exitUsage, "h100"},
		"no such device":  {[]string{"run", "--device", "tpu"}, exitUsage, "want sim or cuda"},
		"machine of a GPU": {[]string{"run", "--device", "cuda", "--machine", "h200"}, exitUsage,
			"only a simulated device"},
		"no such flag":      {sim("run", "--fast"), exitUsage, "fast"},
		"no command":        {nil, exitUsage, "overlap run"},
		"no such command":   {[]string{"walk"}, exitUsage, "walk"},
		"negative reps":     {sim("run", "--reps", "-1"), exitUsage, "--reps -1"},
		"absurd reps":       {sim("run", "--reps", "1000000000"), exitUsage, "want 1 to"},
		"force alone":       {sim("run", "--force"), exitUsage, "only with --out"},
		"out to nowhere":    {sim("run", "--out", ""), exitUsage, "--out: no folder is named"},
		"a probe":           {sim("run", probe), exitUsage, "not a case"},
		"show without file": {[]string{"show"}, exitUsage, "which file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, exit, err := run(t, c.args...)
			assert.Equal(t, c.exit, exit, "%v", err)
			if c.says != "" {
				require.Error(t, err)
				assert.Contains(t, err.Error(), c.says)
			}
		})
	}
}

func TestInconclusiveIsWorseThanMetAndBetterThanMissed(t *testing.T) {
	assert.Equal(t, exitInconclusive, worse(0, exitInconclusive))
	assert.Equal(t, exitMissed, worse(exitMissed, exitInconclusive))
	assert.Equal(t, exitMissed, worse(exitInconclusive, exitMissed))
	assert.Equal(t, 0, worse(0, 0))
	res := &overlap.Result{Failures: []overlap.Failure{{What: "x"}}}
	assert.Equal(t, exitMissed, statusOf(res))
	res.Replay.Verdict = &verdict.Verdict{Finding: verdict.Finding{Cause: verdict.Inconclusive}}
	assert.Equal(t, exitInconclusive, statusOf(res))
	res.Failures = nil
	assert.Equal(t, 0, statusOf(res), "a case may expect to be inconclusive")
}

func TestMissSaysWhy(t *testing.T) {
	out, _, _ := run(t, sim("run", write(t, "slow.txtar", slow))...)
	assert.Contains(t, out, "verdict: serial by stream: B waits for A on stream one")
	assert.Contains(t, out, "expected (as early as the calls allow):")
	assert.Contains(t, out, "measured:")
}

func TestJSON(t *testing.T) {
	out, exit, err := run(t, sim(append([]string{"run", "--json"}, cases(t, "*.txtar")...)...)...)
	require.NoError(t, err)
	assert.Equal(t, 0, exit)
	dec := json.NewDecoder(strings.NewReader(out))
	n := 0
	for ; dec.More(); n++ {
		var raw map[string]any
		require.NoError(t, dec.Decode(&raw))
		for _, key := range []string{"case", "device", "simulated", "serial_ns", "giant_ns", "ideal_ns", "optimal_ns",
			"scheduled_ns", "eager", "replay", "graph", "verdict", "cause"} {
			assert.Contains(t, raw, key)
		}
		for _, mode := range []string{"eager", "replay"} {
			for _, key := range []string{"wall_ns", "span_ns", "achieved"} {
				assert.Contains(t, raw[mode], key)
			}
		}
		assert.Equal(t, true, raw["simulated"])
		assert.Equal(t, true, raw["expected"], raw["case"])
	}
	assert.Len(t, cases(t, "*.txtar"), n)
}

func TestJSONOfReference(t *testing.T) {
	out, _, err := run(t, sim("run", "--json")...)
	require.NoError(t, err)
	var j overlap.JSON
	require.NoError(t, json.Unmarshal([]byte(out), &j))
	assert.EqualValues(t, 800e6, j.SerialNS)
	assert.EqualValues(t, 800e6, *j.GiantNS)
	assert.EqualValues(t, 500e6, j.IdealNS)
	assert.EqualValues(t, 500e6, *j.OptimalNS)
	assert.EqualValues(t, 500e6, j.Eager.WallNS[0])
	assert.EqualValues(t, 500e6, j.Replay.SpanNS)
	assert.InDelta(t, 1, *j.Replay.Achieved, 1e-9)
	assert.Len(t, j.Graph.Nodes, 8)
	assert.Contains(t, j.Graph.Edges, [2]string{"B0", "C0"})
	assert.Equal(t, "met", j.Cause)
}

func TestOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "pictures")
	_, exit, err := run(t, sim("run", "--out", dir)...)
	require.NoError(t, err)
	require.Equal(t, 0, exit)

	file, err := os.Open(filepath.Join(dir, "reference.dot"))
	require.NoError(t, err)
	defer file.Close()
	g, err := dot.Read(file)
	require.NoError(t, err)
	assert.Len(t, g.Edges, 10)
	for _, name := range []string{"reference.graph.svg", "reference.timeline.svg"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		dec := xml.NewDecoder(bytes.NewReader(data))
		for err == nil {
			_, err = dec.Token()
		}
		assert.ErrorIs(t, err, io.EOF, name)
	}
	data, err := os.ReadFile(filepath.Join(dir, "reference.trace.json"))
	require.NoError(t, err)
	assert.True(t, json.Valid(data))

	// What exists is not overwritten unasked, and nothing is written then.
	mine := filepath.Join(dir, "reference.trace.json")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o666))
	_, exit, err = run(t, sim("run", "--out", dir)...)
	assert.Equal(t, exitUsage, exit)
	assert.ErrorContains(t, err, "--force")
	data, _ = os.ReadFile(mine)
	assert.Equal(t, "mine", string(data))
	_, exit, err = run(t, sim("run", "--out", dir, "--force")...)
	require.NoError(t, err)
	assert.Equal(t, 0, exit)
	data, _ = os.ReadFile(mine)
	assert.NotEqual(t, "mine", string(data))
}

// TestOutOfALargeGraph: what cannot be drawn is left out, and the rest is there.
func TestOutOfALargeGraph(t *testing.T) {
	dir := t.TempDir()
	file := write(t, "large.txtar", "Large.\n-- schedule --\npipeline 64 microbatches\nstreams per engine\n"+
		strings.Repeat("stage computation 10us\nstage communication 10us\n", 3)+"-- expect --\n")
	_, exit, err := run(t, sim("run", file, "--out", dir)...)
	require.NoError(t, err)
	assert.Equal(t, 0, exit)
	assert.FileExists(t, filepath.Join(dir, "large.dot"))
	assert.FileExists(t, filepath.Join(dir, "large.timeline.svg"))
	assert.NoFileExists(t, filepath.Join(dir, "large.graph.svg"))
}

func TestOutOfTwoCasesOfOneName(t *testing.T) {
	a, b := write(t, "x.txtar", slow), write(t, "x.txtar", slow)
	dir := filepath.Join(t.TempDir(), "new")
	_, exit, err := run(t, sim("run", a, b, "--out", dir)...)
	assert.Equal(t, exitUsage, exit)
	assert.ErrorContains(t, err, "the same files")
	assert.NoDirExists(t, dir, "what is refused leaves nothing behind")
}

// TestShow: what show prints of a case is a schedule that a case can hold, and means the same.
func TestShow(t *testing.T) {
	for _, file := range cases(t, "*.txtar") {
		out, _, err := run(t, "show", file)
		require.NoError(t, err)
		want, err := readCase(file)
		require.NoError(t, err)
		if want.Raw {
			assert.Contains(t, out, "# body\n", "a program is shown with what its setup adds, for people")
			continue
		}
		c, err := overlap.ParseCase("shown.txtar", []byte("Why.\n-- schedule --\n"+out+"-- expect --\n"))
		require.NoError(t, err, file)
		assert.Len(t, c.Schedule.Issue, len(want.Schedule.Issue), file)
	}
	out, _, err := run(t, "show", cases(t, "reference.txtar")[0])
	require.NoError(t, err)
	assert.Contains(t, out, "mb1: wait A0.done")
}

func TestCheck(t *testing.T) {
	out, exit, err := run(t, "check", cases(t, "reference.txtar")[0])
	require.NoError(t, err)
	assert.Equal(t, 0, exit)
	assert.Contains(t, out, "reference.txtar: met\n")
	out, exit, _ = run(t, "check", cases(t, "fail_wait_too_many.txtar")[0],
		cases(t, "fail_wait_before_record.txtar")[0])
	assert.Equal(t, exitMissed, exit)
	assert.Contains(t, out, "fail_wait_too_many.txtar:8: over-wide wait: CA waits for B through e; costs 500µs; record e right after A\n")
	assert.Contains(t, out, "note: ../../testdata/cases/fail_wait_before_record.txtar:7: the wait for e does nothing")
	out, _, _ = run(t, "check", cases(t, "fail_legacy_in_capture.txtar")[0])
	assert.Contains(t, out, "wrong graph: X is not in the graph")
	_, exit, err = run(t, "check")
	assert.Equal(t, exitUsage, exit)
	assert.ErrorContains(t, err, "which file")
	_, exit, _ = run(t, "check", write(t, "probe.txtar", "Why.\n-- program --\nmain: sync\n-- expect --\n"))
	assert.Equal(t, exitUsage, exit)
}

func TestPeer(t *testing.T) {
	var b bytes.Buffer
	root := newRoot()
	root.SetOut(&b)
	root.SetIn(strings.NewReader("run 20000 3\nrun 100000 2\n"))
	root.SetArgs(sim("peer", "--machine", "h200"))
	require.NoError(t, root.Execute())
	dec := json.NewDecoder(&b)
	for _, want := range []struct {
		op   int64
		reps int
	}{{20000, 3}, {100000, 2}} {
		var block peerBlock
		require.NoError(t, dec.Decode(&block))
		assert.Equal(t, want.op, block.OpNS)
		for _, m := range []peerMode{block.Giant, block.Eager, block.Replay} {
			assert.Len(t, m.WallNS, want.reps)
			assert.Less(t, m.IssueNS[0], m.WallNS[0])
			assert.Less(t, m.SpanNS[0], m.WallNS[0])
		}
	}
	for _, bad := range []string{"run 0 1\n", "run 5\n", "walk\n", "run 5 0\n"} {
		root := newRoot()
		root.SetIn(strings.NewReader(bad))
		root.SetArgs(sim("peer"))
		assert.Equal(t, exitUsage, status(root.Execute()), bad)
	}
}

func TestCompletionAndHelp(t *testing.T) {
	for _, args := range [][]string{{"completion", "bash"}, {"help", "run"}, {"run", "--help"}, {"--version"}} {
		out, exit, err := run(t, args...)
		require.NoError(t, err)
		assert.Equal(t, 0, exit)
		assert.NotEmpty(t, out)
	}
}

// TestDoctor: what makes overlap impossible is found and is a failure; nothing is none.
func TestDoctor(t *testing.T) {
	t.Setenv("CUDA_LAUNCH_BLOCKING", "0")
	t.Setenv("CUDA_MPS_PIPE_DIRECTORY", t.TempDir())
	out, exit, err := run(t, "doctor")
	require.NoError(t, err)
	assert.Zero(t, exit)
	assert.Contains(t, out, "unknown: the GPU: none was named; --gpu does, in a binary built with the tag gpu\n")

	t.Setenv("CUDA_LAUNCH_BLOCKING", "1")
	out, exit, _ = run(t, "doctor")
	assert.Equal(t, exitMissed, exit)
	assert.Contains(t, out, "impossible: CUDA_LAUNCH_BLOCKING=1 makes every launch wait for its kernel; unset it\n")

	out, _, _ = run(t, "doctor", "--json")
	assert.Contains(t, out, `"findings":["impossible: CUDA_LAUNCH_BLOCKING=1`)
}
