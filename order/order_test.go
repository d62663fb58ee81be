package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/internal/rules"
	"github.com/gpu-overlap/overlap/schedule"
)

// randomSchedule issues n ops on streams of all kinds with records and waits between them.
func randomSchedule(r *rand.Rand, n int) schedule.Schedule {
	s := schedule.Schedule{Name: "random", File: "random", Streams: []schedule.Stream{{Name: "main",
		Kind: schedule.Legacy}}}
	s.Intent.Engines = schedule.DefaultEngines()
	for i := range 1 + r.IntN(4) {
		s.Streams = append(s.Streams, schedule.Stream{Name: fmt.Sprintf("s%d", i),
			Kind: schedule.StreamKind(r.IntN(2))})
	}
	for i := range 3 {
		s.Events = append(s.Events, fmt.Sprintf("e%d", i))
	}
	for len(s.Intent.Ops) < n {
		in := call(schedule.Launch, int32(r.IntN(len(s.Streams))))
		switch r.IntN(8) {
		case 0, 1:
			in.Op = schedule.At(int32(len(s.Intent.Ops)))
			s.Intent.Ops = append(s.Intent.Ops, schedule.Op{Name: fmt.Sprintf("o%d", in.Op.Index()),
				Dur: time.Duration(1 + r.IntN(9))})
		case 2, 3:
			in.Verb, in.Event = schedule.Record, schedule.At(int32(r.IntN(len(s.Events))))
		case 4, 5:
			in.Verb, in.Event = schedule.Wait, schedule.At(int32(r.IntN(len(s.Events))))
		case 6:
			in.Verb = schedule.SyncStream
		case 7:
			in.Verb, in.Event, in.Stream = schedule.SyncEvent, schedule.At(int32(r.IntN(len(s.Events)))), schedule.Ref{}
		}
		s.Issue = append(s.Issue, in)
	}
	return s
}

func TestOrderAgainstRules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	orders, joins, free := 0, 0, 0
	for range 400 {
		s := randomSchedule(r, 1+r.IntN(12))
		p := s.Eager()
		want, got := rules.Follow(p, nil), Of(p)
		require.Len(t, want.Works, len(s.Intent.Ops))
		for i := range want.Works { // each op is one
			w, b := &want.Works[i], want.Works[i].Op
			preds := slices.Clone(got.Preds(b))
			slices.Sort(preds)
			require.Equal(t, want.Ops(w.Direct()), append([]int32{}, preds...), "direct predecessors of %d in\n%v", b,
				s.Issue)
			require.Equal(t, want.Joined[i], got.Joined(b), "joined %d in\n%v", b, s.Issue)
			require.Equal(t, w.Forked(), got.Forked(b), "forked %d in\n%v", b, s.Issue)
			for k := range want.Works {
				a, before := want.Works[k].Op, w.Before()[k]
				require.Equal(t, before, got.Before(a, b), "%d before %d in\n%v", a, b, s.Issue)
				orders += count(before)
			}
			joins += count(want.Joined[i])
			free += count(!w.Forked())
		}
	}
	assert.Greater(t, orders, 1000, "the random schedules impose too little to test anything")
	assert.Greater(t, joins, 100)
	assert.Greater(t, free, 100)
}

// TestCapturedOrderAgainstRules: what is captured of random pipelines is ordered as the nodes of the capture are.
func TestCapturedOrderAgainstRules(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	orders := 0
	for range 100 {
		pl := randomPipeline(r)
		s := pl.Schedule("random", "random")
		p := s.Replay()
		all := *p
		all.Setup, all.Body = nil, slices.Concat(p.Setup, p.Body)
		run, got := rules.Follow(&all, nil), Of(p)
		at := slices.IndexFunc(run.Ends, func(c *rules.Capture) bool { return c != nil })
		c := run.Ends[at]
		require.Equal(t, got.Issue, c.Ops)
		require.True(t, c.Joined)
		for n, b := range c.Ops {
			preds := []int32{}
			for k := range c.Past[n].Last {
				preds = append(preds, c.Ops[k])
			}
			require.ElementsMatch(t, preds, got.Preds(b), "direct predecessors of %d of %+v", b, pl)
			for k, a := range c.Ops {
				require.Equal(t, c.Past[n].All[k], got.Before(a, b), "%d before %d of %+v", a, b, pl)
				orders += count(c.Past[n].All[k])
			}
		}
	}
	assert.Greater(t, orders, 1000)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func reference(layout schedule.Layout, m int32, durations ...time.Duration) schedule.Pipeline {
	pl := schedule.Pipeline{Micro: m, Layout: layout, Engines: schedule.DefaultEngines()}
	for s, d := range durations {
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Kind(s % 2), Engine: schedule.At(int32(s % 2)),
			Dur: d})
	}
	return pl
}

func names(in *schedule.Intent, ops []int32) []string {
	list := []string{}
	for _, op := range ops {
		list = append(list, in.Ops[op].Name)
	}
	return list
}

func TestReferenceOrder(t *testing.T) {
	pl := reference(schedule.PerMicrobatch, 2, 1, 1, 1, 1)
	s := pl.Schedule("reference", "reference")
	for _, p := range []*schedule.Program{s.Eager(), s.Replay()} {
		o := Of(p)
		assert.Empty(t, o.Missing, p.Name)
		edges := map[string][]string{}
		for op := range s.Intent.Ops {
			edges[s.Intent.Ops[op].Name] = names(&s.Intent, o.Preds(int32(op)))
			assert.True(t, o.Forked(int32(op)) && o.Joined(int32(op)), "%s of %s", s.Intent.Ops[op].Name, p.Name)
		}
		assert.Equal(t, map[string][]string{"A0": {}, "A1": {"A0"}, "B0": {"A0"}, "B1": {"A1", "B0"}, "C0": {"B0"},
			"C1": {"B1", "C0"}, "D0": {"C0"}, "D1": {"C1", "D0"}}, edges, p.Name)
		assert.False(t, o.Before(o.Issue[1], o.Issue[2]), "A1 and B0 are free of one another")
	}
}

// TestPredsWithout against the order of a program in which the wait is not made.
func TestPredsWithout(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	changed := 0
	for range 600 {
		s := randomSchedule(r, 1+r.IntN(10))
		o := Of(s.Eager())
		for i, in := range s.Issue {
			if in.Verb != schedule.Wait {
				continue
			}
			less := s
			less.Issue = slices.Clone(s.Issue)
			less.Issue[i].Verb, less.Issue[i].Event = schedule.QueryStream, schedule.Ref{} // a call that orders nothing in the place of the wait
			if s.Streams[in.Stream.Index()].Kind == schedule.Legacy {
				continue // there the wait is also a barrier
			}
			want := Of(less.Eager())
			for op := range int32(len(s.Intent.Ops)) {
				require.Equal(t, append([]int32{}, want.Preds(op)...),
					append([]int32{}, o.PredsWithout(op, int32(i))...), "%d without %d in\n%v", op, i, s.Issue)
				if !slices.Equal(want.Preds(op), o.Preds(op)) {
					changed++
				}
			}
		}
	}
	assert.Greater(t, changed, 50)
}

func TestUnforkedAndUnjoined(t *testing.T) {
	s := schedule.Chain(2, time.Microsecond, 2)
	drop := func(v schedule.Verb, stream int32) *schedule.Program {
		cut := *s
		cut.Issue = slices.DeleteFunc(slices.Clone(s.Issue),
			func(in schedule.Instr) bool { return in.Verb == v && in.Stream.Index() == stream })
		return cut.Eager()
	}
	assert.True(t, Of(s.Eager()).Forked(0))
	assert.False(t, Of(drop(schedule.Wait, 1)).Forked(0), "stream a no longer waits for the fork")
	assert.True(t, Of(s.Eager()).Joined(1))
	assert.False(t, Of(drop(schedule.Wait, schedule.Origin)).Joined(1), "main no longer waits for the joins")
}

func TestCaptureLeavesOutWhatIsNotForked(t *testing.T) {
	pl := reference(schedule.PerMicrobatch, 2, 1, 1)
	s := pl.Schedule("x", "x")
	s.Streams = append(s.Streams, schedule.Stream{Name: "legacy", Kind: schedule.Legacy})
	s.Issue[len(s.Issue)-5].Stream = schedule.At(int32(len(s.Streams) - 1)) // the last launch
	require.Equal(t, schedule.Launch, s.Issue[len(s.Issue)-5].Verb)
	assert.Equal(t, []string{"B1"}, names(&s.Intent, Of(s.Replay()).Missing))
	assert.Empty(t, Of(s.Eager()).Missing)
}

func TestExclusiveOrdersEveryEngine(t *testing.T) {
	for i := range int32(16) { // 2 to 5 micro-batches, an offset of 0 to 3 stages
		m, offset := 2+i/4, i%4
		for _, exclusive := range []bool{true, false} {
			layout := schedule.PerMicrobatch
			if exclusive {
				layout = schedule.Exclusive
			}
			pl := reference(layout, m, 3, 1, 2, 5, 1)
			pl.Offset = offset
			s := pl.Schedule("x", "x")
			o := Of(s.Eager())
			last := map[int32]int32{}
			ordered := true
			for _, op := range o.Issue {
				e := s.Intent.Ops[op].On()
				if u, ok := last[e]; ok {
					ordered = ordered && o.Before(u, op)
				}
				last[e] = op
			}
			assert.Equal(t, exclusive, ordered, "%d micro-batches, offset %d, exclusive %v", m, offset, exclusive)
		}
	}
}

func TestExclusiveAddsNothingThatIsThere(t *testing.T) {
	pl := reference(schedule.Exclusive, 2, 1, 1)
	plain := reference(schedule.PerMicrobatch, 2, 1, 1)
	a, b := pl.Schedule("x", "x"), plain.Schedule("x", "x")
	assert.Equal(t, b.Issue, a.Issue, "two stages of two micro-batches are ordered already")
	pl = reference(schedule.Exclusive, 2, 1, 1, 1)
	plain = reference(schedule.PerMicrobatch, 2, 1, 1, 1)
	a, b = pl.Schedule("x", "x"), plain.Schedule("x", "x")
	assert.Greater(t, len(a.Issue), len(b.Issue), "C0 must wait for A1")
}

func TestStageName(t *testing.T) {
	for s, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		assert.Equal(t, want, schedule.StageName(s))
	}
}

func TestGiant(t *testing.T) {
	pl := reference(schedule.PerMicrobatch, 3, 10, 20)
	pl.Stages[1].Whole = 45
	s := pl.Schedule("x", "x")
	g := s.Giant()
	assert.Equal(t, []time.Duration{30, 45}, g.Intent.Durations())
	assert.Len(t, g.Body, 3, "two launches and the wait")
	assert.Len(t, g.Streams, 1)
}

func TestSoloClasses(t *testing.T) {
	pl := reference(schedule.PerMicrobatch, 2, 10, 10, 20)
	s := pl.Schedule("x", "x")
	first, class := s.Intent.SoloClasses()
	assert.Equal(t, []int32{0, 2, 4}, first)
	assert.Equal(t, []int32{0, 0, 1, 1, 2, 2}, class)

	for i, differ := range []func(op *schedule.Op){
		func(op *schedule.Op) { op.SMs = 50 }, func(op *schedule.Op) { op.Bandwidth = 50 },
		func(op *schedule.Op) { op.Bytes = 1 }, func(op *schedule.Op) { op.Pageable = true },
	} {
		in := s.Intent
		in.Ops = slices.Clone(in.Ops)
		differ(&in.Ops[1])
		_, class := in.SoloClasses()
		assert.NotEqual(t, class[0], class[1], "difference %d", i)
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{1e3, 1e5, 1e6} {
		b.Run(fmt.Sprintf("ops=%d", n), func(b *testing.B) {
			stages := make([]time.Duration, n/8)
			pl := reference(schedule.PerMicrobatch, 8, stages...)
			s := pl.Schedule("bench", "bench")
			p := s.Eager()
			b.ReportAllocs()
			for b.Loop() {
				Of(p)
			}
		})
	}
}

// call is a call on a stream, its other operands left out.
func call(v schedule.Verb, stream int32) schedule.Instr {
	return schedule.Instr{Verb: v, Stream: schedule.At(stream)}
}
