package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The test binary, started again with fakePeer set, is a peer; the value says how it behaves.
const fakePeer = "OVERLAP_FAKE_PEER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(fakePeer); kind != "" {
		os.Exit(serveFake(kind))
	}
	os.Exit(m.Run())
}

// serveFake answers requests with walls of 10 ops, issue of 3 us and spans of 9 ops, each repetition 1 ns longer.
func serveFake(kind string) int {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var opNs int64
		var reps int
		if _, err := fmt.Sscanf(in.Text(), "run %d %d", &opNs, &reps); err != nil {
			fmt.Fprintln(os.Stderr, "fake: want: run OP_NS REPS")
			return 2
		}
		switch kind {
		case "dies":
			fmt.Fprintf(os.Stderr, "some noise\ncudaMalloc: 2 out of memory\n")
			return 1
		case "hangs":
			time.Sleep(time.Minute)
		case "babbles":
			fmt.Println("hello")
			continue
		case "wrong op":
			opNs++
		case "too few":
			reps--
		}
		b := fakeBlock(opNs, reps, 10*opNs, 3000, 9*opNs)
		if kind == "zero" {
			b.Eager.Issue[0] = 0
		}
		_ = json.NewEncoder(os.Stdout).Encode(b)
	}
	return 0
}

func fakeBlock(opNs int64, reps int, wall, issue, span int64) Block {
	series := func(from int64) []int64 {
		out := make([]int64, reps)
		for i := range out {
			out[i] = from + int64(i)
		}
		return out
	}
	m := func() Mode { return Mode{Wall: series(wall), Issue: series(issue), Span: series(span)} }
	return Block{OpNs: opNs, Giant: m(), Eager: m(), Replay: m()}
}

func startFake(t *testing.T, kind string, timeout time.Duration) *Peer {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(fakePeer, kind)
	p, err := startPeer(t.Context(), "fake", timeout, exe)
	require.NoError(t, err)
	return p
}

func TestPeerAnswersBlockAfterBlock(t *testing.T) {
	p := startFake(t, "good", time.Minute)
	for _, opNs := range []int64{2000, 5000, 2000} {
		b, err := p.Run(opNs, 3)
		require.NoError(t, err)
		assert.Equal(t, opNs, b.OpNs)
		assert.Equal(t, []int64{10 * opNs, 10*opNs + 1, 10*opNs + 2}, b.Replay.Wall)
	}
	require.NoError(t, p.Close())
}

func TestPeerThatMisbehaves(t *testing.T) {
	for kind, want := range map[string]string{
		"dies":     "fake ended: cudaMalloc: 2 out of memory",
		"hangs":    "fake: no answer within 200ms for ops of 2000 ns",
		"babbles":  "fake: the answer is no block",
		"wrong op": "asked for ops of 2000 ns, the answer is for 2001 ns",
		"too few":  "giant.wall_ns: asked for 3 repetitions, got 2",
		"zero":     "eager.issue_ns: 0 is no duration",
	} {
		t.Run(kind, func(t *testing.T) {
			timeout := time.Minute
			if kind == "hangs" {
				timeout = 200 * time.Millisecond
			}
			p := startFake(t, kind, timeout)
			_, err := p.Run(2000, 3)
			require.ErrorContains(t, err, want)
			_ = p.Close()
		})
	}
}

func TestMeasureGoesForthAndBack(t *testing.T) {
	var peers []*Peer
	for _, name := range []string{"a", "b", "c"} {
		p := startFake(t, "good", time.Minute)
		p.Name = name
		peers = append(peers, p)
	}
	blocks, err := measure(peers, options{ops: []time.Duration{2 * us}, rounds: 3, reps: 1}, nil)
	require.NoError(t, err)
	var order strings.Builder
	for _, b := range blocks {
		order.WriteString(b.Peer)
	}
	assert.Equal(t, "abccbaabc", order.String())
	for _, p := range peers {
		require.NoError(t, p.Close())
	}
}

// Run with the fake as our side, and neither nvcc nor PyTorch: the report says so, and the raw results are whole.
func TestRunSaysWhatIsLeftOut(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(fakePeer, "good")
	t.Setenv("CUDA_HOME", t.TempDir())
	if _, err := os.Stat("/usr/local/cuda/bin/nvcc"); err == nil {
		t.Skip("this machine has nvcc in /usr/local/cuda/bin")
	}
	t.Setenv("PATH", t.TempDir())
	file := filepath.Join(t.TempDir(), "out.json")
	opt := options{ours: exe, peers: "nowhere", python: "no-such-python", ops: []time.Duration{2 * us}, rounds: 2,
		reps: 6, timeout: time.Minute, out: file}
	var out strings.Builder
	require.NoError(t, run(context.Background(), opt, &out))
	assert.Contains(t, out.String(), "left out: C++: no nvcc on PATH")
	assert.Contains(t, out.String(), "left out: PyTorch: no PyTorch with CUDA")
	assert.Regexp(t, `(?m)^2µs +ours +20\.0 `, out.String())
	assert.NotContains(t, out.String(), "ours over")

	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	var report Report
	require.NoError(t, json.Unmarshal(raw, &report))
	require.Len(t, report.Blocks, 2)
	assert.Len(t, report.Blocks[1].Block.Giant.Wall, 6)
	assert.Len(t, report.LeftOut, 2)
	assert.Empty(t, report.Ratios)
}

func TestRunWithoutOurs(t *testing.T) {
	err := run(context.Background(), options{ours: filepath.Join(t.TempDir(), "overlap")}, new(strings.Builder))
	require.ErrorContains(t, err, "build it with: make compare")
}

func TestFlags(t *testing.T) {
	opt, err := parseFlags([]string{"-ops", "2us,1ms", "-rounds", "2"}, new(strings.Builder))
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{2 * us, time.Millisecond}, opt.ops)
	opt, err = parseFlags(nil, new(strings.Builder))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, opt.rounds*opt.reps, 200, "what a median needs")
	for _, args := range [][]string{{"-ops", "2"}, {"-ops", "-1us"}, {"-ops", "2h"}, {"-ops", ""}, {"-rounds", "0"},
		{"-reps", "0"}, {"extra"}, {"-nope"}} {
		var stderr strings.Builder
		_, err := parseFlags(args, &stderr)
		assert.Error(t, err, args)
		assert.NotEmpty(t, stderr.String(), args)
	}
}
