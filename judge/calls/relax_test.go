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
func slowly(d *doubt, x int32, preds []int32, leaves int32) time.Duration {
	after := schedule.None
	if leaves != schedule.None {
		at := int(d.Order.Call(x)) + 1
		next := slices.IndexFunc(d.Calls[at:],
			func(c schedule.Instr) bool { return c.Op.Some() && c.Stream.Index() == d.stream(x) })
		if next >= 0 {
			after = d.Calls[at+next].Op.Index()
		}
	}
	most := time.Duration(0)
	for _, loose := range []bool{false, true} {
		t := bound.ASAP(d.InTime, func(op int32) []int32 {
			behind := slices.Clone(d.Order.Preds(op))
			if op == x {
				behind = slices.Clone(preds)
			}
			if op == after {
				behind = append(slices.DeleteFunc(behind, func(u int32) bool { return u == x }), leaves)
			}
			for _, u := range d.needs.of(op) {
				if op != x || !loose || d.Order.Before(u, x) {
					behind = append(behind, u)
				}
			}
			return behind
		}, d.Dur)
		if !d.clashes(t) {
			most = max(most, d.Table.Makespan-t.Makespan)
		}
	}
	return most
}

// randomCalls are 2 to 24 ops on 2 to 4 streams and 3 engines, with waits of streams and of the host, of which the
// intent asks for some. ok is false when they are unsound.
func randomCalls(r *rand.Rand) (d *doubt, ok bool) {
	sch := schedule.Schedule{Name: "random", File: "random", Streams: []schedule.Stream{{Name: "main",
		Kind: schedule.Legacy}}}
	in := &sch.Intent
	for e := range 3 {
		in.Engines = append(in.Engines, schedule.Engine{Name: fmt.Sprintf("e%d", e), Capacity: 1 + r.Int32N(3)})
	}
	call := func(v schedule.Verb, stream, event, op int32) {
		sch.Issue = append(sch.Issue, schedule.Instr{Verb: v, Stream: schedule.At(stream), Event: schedule.At(event),
			Op: schedule.At(op)})
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
		in.Ops = append(in.Ops, schedule.Op{Name: fmt.Sprintf("o%d", op), Engine: schedule.At(r.Int32N(3)),
			Dur: time.Duration(1 + r.IntN(4))})
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
	v, _, _ := Of(p)
	return newDoubt(v), !decides(Sound(v))
}

// TestSavesWith compares it with its twin, for every op and everything that it could be freed from.
func TestSavesWith(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	gains, crowded, none := 0, 0, 0
	for range 3000 {
		d, ok := randomCalls(r)
		if !ok {
			continue
		}
		relaxed := newRelaxer(d)
		for _, x := range d.Order.Issue {
			before := d.before(x)
			free := [][]int32{nil}
			leave := []int32{before}
			for _, w := range d.waitsBefore(x) {
				free, leave = append(free, d.Order.PredsWithout(x, w)), append(leave, schedule.None)
			}
			if before != schedule.None {
				kept := slices.DeleteFunc(slices.Clone(d.Order.Preds(x)), func(u int32) bool { return u == before })
				free, leave = append(free, kept), append(leave, before)
			}
			for i := range free {
				want := slowly(d, x, free[i], leave[i])
				require.Equal(t, want, relaxed.savesWith(x, free[i], leave[i]), "%s with %v, leaving %d, in\n%v",
					d.Name(x), free[i], leave[i], d.Calls)
				switch {
				case want > 0:
					gains++
				case relaxed.sole[x]:
					crowded++
				default:
					none++
				}
			}
		}
		assert.Equal(t, d.Table.Start, relaxed.start, "the timetable is put back")
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
		d, ok := randomCalls(r)
		if !ok {
			continue
		}
		critical := pathsOf(d)
		for _, x := range d.Order.Issue {
			dur := slices.Clone(d.Dur)
			dur[x]--
			table := bound.ASAP(d.InTime,
				func(op int32) []int32 { return slices.Concat(d.Order.Preds(op), d.needs.of(op)) }, dur)
			want := table.Makespan < d.Table.Makespan
			require.Equal(t, want, critical.sole[x], "%s in\n%v", d.Name(x), d.Calls)
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

// TestPasses: where a critical path does not rest on a call in which the host waits, the schedule without it is no
// shorter.
func TestPasses(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	passed, gains, vain := 0, 0, 0
	for range 8000 {
		d, ok := randomCalls(r)
		if !ok {
			continue
		}
		paths := calledPathsOf(d.View)
		for i, c := range d.Calls[:len(d.Calls)-1] {
			if !c.Verb.Blocks() {
				continue
			}
			free := *d.Program
			free.Body = slices.Delete(slices.Clone(d.Calls), i, i+1)
			preds := order.Of(&free).Preds
			saves := max(d.savesAs(preds), d.savesInAnyOrder(preds))
			if paths.pass(d.View, int32(i)) {
				passed++
				require.Zero(t, saves, "without call %d in\n%v", i, d.Calls)
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

// TestHome compares it with its twin: the streams of an engine's ops counted for each op anew.
func TestHome(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	found, none := 0, 0
	for range 3000 {
		d, ok := randomCalls(r)
		if !ok {
			continue
		}
		queues := queuesOf(d.View)
		for x := range d.Intent.Ops {
			others := map[int32]bool{}
			for op := range d.Intent.Ops {
				if op != x && d.Intent.Ops[op].On() == d.Intent.Ops[x].On() {
					others[d.stream(int32(op))] = true
				}
			}
			want := schedule.None
			if len(others) == 1 {
				for want = range others {
				}
			}
			got := queues[d.Intent.Ops[x].On()].without(d.stream(int32(x)))
			require.Equal(t, want, got, "%s in\n%v", d.Name(int32(x)), d.Calls)
			if got == schedule.None {
				none++
			} else {
				found++
			}
		}
	}
	assert.Greater(t, found, 500)
	assert.Greater(t, none, 500)
}
