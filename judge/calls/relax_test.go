package calls

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// slowly is the obvious twin of savesWith: two timetables from scratch, and all clashes in them.
func slowly(s *suspicion, x int32, preds []int32, leaves int32) time.Duration {
	after := schedule.None
	if leaves != schedule.None {
		at := int(s.order.Call(x)) + 1
		next := slices.IndexFunc(s.calls[at:], func(c schedule.Instr) bool { return c.Op.Some() && c.Stream.Index() == s.stream(x) })
		if next >= 0 {
			after = s.calls[at+next].Op.Index()
		}
	}
	most := time.Duration(0)
	for _, loose := range []bool{false, true} {
		t := bound.ASAP(s.inTime, func(op int32) []int32 {
			behind := slices.Clone(s.order.Preds(op))
			if op == x {
				behind = slices.Clone(preds)
			}
			if op == after {
				behind = append(slices.DeleteFunc(behind, func(u int32) bool { return u == x }), leaves)
			}
			for _, u := range s.needs.of(op) {
				if op != x || !loose || s.order.Before(u, x) {
					behind = append(behind, u)
				}
			}
			return behind
		}, s.dur)
		if !s.clashes(t) {
			most = max(most, s.table.Makespan-t.Makespan)
		}
	}
	return most
}

// randomCalls are 2 to 24 ops on 2 to 4 streams and 3 engines, with waits of streams and of the host, of which the intent
// asks for some. ok is false when they are unsound.
func randomCalls(r *rand.Rand) (s *suspicion, ok bool) {
	sch := schedule.Schedule{Name: "random", File: "random", Streams: []schedule.Stream{{Name: "main", Kind: schedule.Legacy}}}
	in := &sch.Intent
	for e := range 3 {
		in.Engines = append(in.Engines, schedule.Engine{Name: fmt.Sprintf("e%d", e), Capacity: 1 + r.Int32N(3)})
	}
	call := func(v schedule.Verb, stream, event, op int32) {
		sch.Issue = append(sch.Issue, schedule.Instr{Verb: v, Stream: schedule.At(stream), Event: schedule.At(event), Op: schedule.At(op)})
	}
	hop := func(from, to int32) {
		e := int32(len(sch.Events))
		sch.Events = append(sch.Events, fmt.Sprintf("e%d", e))
		call(schedule.Record, from, e, schedule.None)
		call(schedule.Wait, to, e, schedule.None)
	}
	streams := 2 + r.Int32N(3)
	for i := range streams {
		sch.Streams = append(sch.Streams, schedule.Stream{Name: fmt.Sprintf("s%d", i)})
		hop(schedule.Origin, i+1)
	}
	for range 2 + r.IntN(23) {
		stream := 1 + r.Int32N(streams)
		for range r.IntN(3) {
			hop(1+r.Int32N(streams), stream)
		}
		if r.IntN(12) == 0 {
			call(schedule.SyncStream, 1+r.Int32N(streams), schedule.None, schedule.None)
		}
		op := int32(len(in.Ops))
		in.Ops = append(in.Ops, schedule.Op{Name: fmt.Sprintf("o%d", op), Engine: schedule.At(r.Int32N(3)), Dur: time.Duration(1 + r.IntN(4))})
		call(schedule.Launch, stream, schedule.None, op)
	}
	for i := range streams {
		hop(i+1, schedule.Origin)
	}
	p := sch.Eager()
	o := order.Of(p)
	for op := range in.Ops {
		for u := range in.Ops {
			if o.Before(int32(u), int32(op)) && r.IntN(6) == 0 {
				in.Ops[op].After = append(in.Ops[op].After, int32(u))
			}
		}
	}
	j := newJudgement(&Evidence{Intent: in, Program: p})
	v := j.soundness()
	return newSuspicion(in, p, o), v.Cause == ""
}

// TestSavesWith compares it with its twin, for every op and everything that it could be freed from.
func TestSavesWith(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	gains, crowded, none := 0, 0, 0
	for range 3000 {
		s, ok := randomCalls(r)
		if !ok {
			continue
		}
		for _, x := range s.order.Issue {
			before := s.before(x)
			free := [][]int32{nil}
			leave := []int32{before}
			for _, w := range s.waitsBefore(x) {
				free, leave = append(free, s.order.PredsWithout(x, w)), append(leave, schedule.None)
			}
			if before != schedule.None {
				kept := slices.DeleteFunc(slices.Clone(s.order.Preds(x)), func(u int32) bool { return u == before })
				free, leave = append(free, kept), append(leave, before)
			}
			for i := range free {
				want := slowly(s, x, free[i], leave[i])
				require.Equal(t, want, s.savesWith(x, free[i], leave[i]), "%s with %v, leaving %d, in\n%v", s.name(x), free[i], leave[i], s.calls)
				switch {
				case want > 0:
					gains++
				case s.slack().sole[x]:
					crowded++
				default:
					none++
				}
			}
		}
		if room := s.slack(); room.start != nil {
			assert.Equal(t, s.table.Start, room.start, "the timetable is put back")
		}
	}
	assert.Greater(t, gains, 500)
	assert.Greater(t, crowded, 500)
	assert.Greater(t, none, 500)
}

// TestSole: an op is on every critical path when the schedule is shorter if the op is.
func TestSole(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	sole, others := 0, 0
	for range 1500 {
		s, ok := randomCalls(r)
		if !ok {
			continue
		}
		for _, x := range s.order.Issue {
			dur := slices.Clone(s.dur)
			dur[x]--
			table := bound.ASAP(s.inTime, func(op int32) []int32 { return slices.Concat(s.order.Preds(op), s.needs.of(op)) }, dur)
			want := table.Makespan < s.table.Makespan
			require.Equal(t, want, s.slack().sole[x], "%s in\n%v", s.name(x), s.calls)
			if want {
				sole++
			} else {
				others++
			}
		}
	}
	assert.Greater(t, sole, 500)
	assert.Greater(t, others, 500)
}

// TestPasses: where a critical path does not rest on a call in which the host waits, the schedule without it is no shorter.
func TestPasses(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	passed, gains, vain := 0, 0, 0
	for range 8000 {
		s, ok := randomCalls(r)
		if !ok {
			continue
		}
		for i, c := range s.calls[:len(s.calls)-1] {
			if !c.Verb.Blocks() {
				continue
			}
			free := *s.program
			free.Body = slices.Delete(slices.Clone(s.calls), i, i+1)
			preds := order.Of(&free).Preds
			saves := max(s.savesAs(preds), s.savesInAnyOrder(preds))
			if s.slack().passes(s, int32(i)) {
				passed++
				require.Zero(t, saves, "without call %d in\n%v", i, s.calls)
			} else if saves > 0 {
				gains++
			} else {
				vain++
			}
		}
	}
	assert.Greater(t, passed, 300)
	assert.Greater(t, gains, 100)
	assert.Less(t, vain, passed, "most that gain nothing are not tried")
}
