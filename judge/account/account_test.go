package account

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/timeline"
)

// broken says what is wrong with an account: its steps must follow one another from 0 to the wall time.
func broken(a *Account) string {
	now := time.Duration(0)
	for _, s := range a.Steps {
		if s.From != now || s.To <= s.From {
			return "a step does not follow the one before"
		}
		now = s.To
	}
	if now != a.Wall {
		return "the steps do not add up to the wall time"
	}
	return ""
}

// TestAccountAddsUp: to the nanosecond, for every case on every machine, and for broken random schedules too.
func TestAccountAddsUp(t *testing.T) {
	var schedules []schedule.Schedule
	list, err := filepath.Glob("../../testdata/cases/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, file := range list {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := text.ParseCase(file, data)
		require.NoError(t, err)
		if !c.Raw {
			schedules = append(schedules, c.Schedule)
		}
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		schedules = append(schedules, randomBroken(r))
	}
	accounts := 0
	for _, m := range []sim.Machine{sim.Ideal, sim.H200} {
		for i := range schedules {
			for _, p := range []*schedule.Program{schedules[i].Eager(), schedules[i].Replay()} {
				a := accountOf(t, m, p)
				if a == nil {
					continue // the schedule does not run to its end
				}
				accounts++
				require.Empty(t, broken(a), "%s: %s on %s", p.File, p.Name, m.Name)
				if m.Name == "ideal" && len(p.Graphs) > 0 {
					require.Equal(t, a.Wall, a.Sum(Working)+a.Sum(Stretched)+a.Sum(Queued)+a.Sum(Issuing),
						"%s: a replay without costs is ops only", p.File)
				}
			}
		}
	}
	assert.Greater(t, accounts, 400)

	a := accountOf(t, sim.H200, schedules[0].Eager())
	a.Steps[1].From++
	assert.NotEmpty(t, broken(a))
	a.Steps = a.Steps[:1]
	assert.NotEmpty(t, broken(a))
}

// randomBroken is a random pipeline without one of its waits.
func randomBroken(r *rand.Rand) schedule.Schedule {
	pl := schedule.Pipeline{Micro: 2 + r.Int32N(4), Layout: schedule.Layout(r.IntN(3)),
		Engines: schedule.DefaultEngines()}
	for range 2 + r.IntN(5) {
		kind := schedule.Kind(r.IntN(2))
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: kind, Engine: schedule.At(int32(kind)),
			Dur: time.Duration(1+r.IntN(200)) * time.Microsecond})
	}
	s := pl.Schedule("random", "random")
	var waits []int
	for i, in := range s.Issue {
		if in.Verb == schedule.Wait {
			waits = append(waits, i)
		}
	}
	at := waits[r.IntN(len(waits))]
	s.Issue = slices.Delete(slices.Clone(s.Issue), at, at+1)
	return s
}

func accountOf(t *testing.T, m sim.Machine, p *schedule.Program) *Account {
	t.Helper()
	run, err := sim.Open(m).Prepare(context.Background(), p)
	require.NoError(t, err)
	if gpu.Check(p, p.Setup, run.Setup().Codes) != nil {
		return nil
	}
	rep, err := run.Rep(context.Background())
	require.NoError(t, err)
	return Of(Input{Intent: p.Intent, Program: p, Order: order.Of(p), Run: &rep, Solo: p.Intent.Durations(),
		Costs: sample.Costs{HandOff: m.CrossStream, Launch: 10 * m.CrossStream}})
}

// The account of times made by hand: each kind of step where it should be.
func TestAccountSteps(t *testing.T) {
	const us = time.Microsecond
	calls := `main: fork a b
a: computation X 100us sms 60%
a: record e
b: wait e
b: communication Y 100us sms 60%
b: computation Z 50us
a: computation W 30us
main: join a b`
	calls += "\nengine free capacity 4"
	c, err := text.ParseCase("x.txtar", []byte("Why.\n-- schedule --\n"+calls+"\n-- expect --\n"))
	require.NoError(t, err)
	p := c.Schedule.Eager()
	issued := make([]time.Duration, len(p.Body))
	at := map[int32]int{}
	for i, in := range p.Body {
		issued[i] = time.Duration(i) * us
		if in.Op.Some() {
			at[in.Op.Index()] = i
		}
	}
	span := func(from, to time.Duration) timeline.Span {
		return timeline.Span{Start: from * us, End: to * us, Ran: true}
	}
	// X starts 6 us after its call; W comes 20 us after X, in its stream; Y waits for both, longer than a hand-off, and
	// for the SMs of W first; Z runs 70 us instead of 50, beside nothing.
	rep := gpu.Transcript{Issued: issued, Wall: 400 * us, Clock: gpu.Clock{Known: true},
		Spans: []timeline.Span{span(10, 110), span(160, 260), span(265, 335), span(112, 150)}}
	c.Schedule.Intent.Ops[3].SMs = 60
	a := Of(Input{Intent: p.Intent, Program: p, Order: order.Of(p), Run: &rep, Solo: p.Intent.Durations(),
		Costs: sample.Costs{HandOff: 2 * us, Launch: 10 * us}})
	require.NotNil(t, a)
	require.Empty(t, broken(a))
	sums := map[Spent]time.Duration{}
	for s := range numSpent {
		if sum := a.Sum(s); sum > 0 {
			sums[s] = sum
		}
	}
	first := time.Duration(at[0]+1) * us
	assert.Equal(t, map[Spent]time.Duration{Working: 250 * us, Stretched: 20 * us, Issuing: first,
		Starting: 10*us - first,
		Queued:   40 * us, Delayed: 10 * us, HandingOver: 5 * us, Returning: 65 * us}, sums)
}

// TestAccountOfFullSMs: what does not fit beside another op is queued, whether some of its blocks were resident or none;
// what just fits is late for another reason.
func TestAccountOfFullSMs(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		sms   string
		start time.Duration // of B, which ends at 2 ms
		want  map[Spent]time.Duration
	}{
		"none resident":           {"60%", ms, map[Spent]time.Duration{Queued: ms}},
		"some resident":           {"60%", 0, map[Spent]time.Duration{Queued: ms}},
		"all fit, and it waits":   {"50%", ms, map[Spent]time.Duration{Delayed: ms}},
		"all fit, and it is slow": {"50%", 0, map[Spent]time.Duration{Stretched: ms}},
	} {
		t.Run(name, func(t *testing.T) {
			parsed, err := text.ParseCase("x.txtar", []byte("-- schedule --\nengine free capacity 4\nmain: fork a b\n"+
				"a: computation A 1ms sms "+c.sms+" on free\nb: computation B 1ms sms "+c.sms+" on free\n"+
				"main: join a b\n-- expect --\n"))
			require.NoError(t, err)
			p := parsed.Schedule.Eager()
			rep := gpu.Transcript{Issued: make([]time.Duration, len(p.Body)), Wall: 2 * ms, Clock: gpu.Clock{Known: true},
				Spans: []timeline.Span{{End: ms, Ran: true}, {Start: c.start, End: 2 * ms, Ran: true}}}
			a := Of(Input{Intent: p.Intent, Program: p, Order: order.Of(p), Run: &rep, Solo: p.Intent.Durations()})
			require.NotNil(t, a)
			for _, spent := range []Spent{Queued, Delayed, Stretched} {
				assert.Equal(t, c.want[spent], a.Sum(spent), "%s", spent)
			}
		})
	}
}

// A pageable copy in the midst of a graph holds the launch of the graph, as one at its root does: the way back must not
// come to that call again and again.
func TestAccountOfPageableCopyInGraph(t *testing.T) {
	c, err := text.ParseCase("x.txtar",
		[]byte("-- schedule --\nmain: fork a b\na: computation A 1ms\na: d2h B 1ms 1MiB pageable after A\n"+
			"a: computation C 1ms after B\nb: computation D 4ms\nmain: join a b\n-- expect --\n"))
	require.NoError(t, err)
	for _, m := range []sim.Machine{sim.Ideal, sim.H200} {
		for _, p := range []*schedule.Program{c.Schedule.Eager(), c.Schedule.Replay()} {
			a := accountOf(t, m, p)
			require.NotNil(t, a)
			assert.Empty(t, broken(a), "%s on %s", p.Name, m.Name)
			assert.NotEmpty(t, a.Waits, "%s on %s", p.Name, m.Name)
		}
	}
	root, err := text.ParseCase("x.txtar",
		[]byte("-- schedule --\nmain: fork a b\na: d2h B 1ms 1MiB pageable\na: computation C 1ms after B\n"+
			"b: computation D 4ms\nmain: join a b\n-- expect --\n"))
	require.NoError(t, err)
	assert.NotEmpty(t, accountOf(t, sim.Ideal, root.Schedule.Replay()).Waits, "the host waits for one at the root")
}
