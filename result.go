package overlap

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Result is all that came of running a case on a device.
type Result struct {
	Case    *Case
	Info    gpu.Info
	Nominal Times           // of the durations that the case gives
	Times   Times           // of durations measured alone in this run
	Solo    []time.Duration // by op, measured alone in this run
	Giant   Mode
	Eager   Mode            // of a program with a timed part: not run
	Replay  Mode            // or the timed part of a program
	Costs   [2]sample.Costs // of eager and replay
	Verdict verdict.Verdict // the first of eager and replay that is not met
	// Environment is what stands out about it, what makes overlap impossible first.
	Environment []string
	// Effort is what it took to get here. No verdict depends on it.
	Effort Effort
	// Failures are the expectations of the case that do not hold. It is empty when the case gave what it expects, be
	// that a miss.
	Failures []Failure
}

// Mode is what came of one way of running a schedule.
type Mode struct {
	Name    string
	Program *schedule.Program // nil when the case does not have the mode
	Setup   *gpu.Setup        // likewise
	Reps    []gpu.Transcript
	Limit   judge.Limit
	Verdict *verdict.Verdict // of eager and replay; nil when the mode did not run, and of giant, which is not judged
	// Account says where the wall time of eager and replay went; nil when the mode did not run.
	Account *account.Account
}

// Effort is time of the host: of all since the case was prepared, and of what would not be needed were the device known
// to be quiet: looking at the environment, canaries, and judging. Of a case that is repeated, All and Canaries are of
// this repetition and Preflight of the first.
type Effort struct{ All, Preflight, Canaries, Judging time.Duration }

// Wall is the wall time over the repetitions.
func (m *Mode) Wall(steady bool) sample.Estimate {
	return m.estimate(steady, func(t *gpu.Transcript) time.Duration { return t.Wall })
}

// Span is the time from the first start to the last end of an op, over the repetitions.
func (m *Mode) Span(steady bool) sample.Estimate {
	return m.estimate(steady, (*gpu.Transcript).DeviceSpan)
}

// Issue is the host time that issuing the schedule took, over the repetitions.
func (m *Mode) Issue(steady bool) sample.Estimate {
	return m.estimate(steady, func(t *gpu.Transcript) time.Duration { return t.Issue })
}

func (m *Mode) estimate(steady bool, of func(*gpu.Transcript) time.Duration) sample.Estimate {
	samples := make([]time.Duration, len(m.Reps))
	for i := range m.Reps {
		samples[i] = of(&m.Reps[i])
	}
	return sample.Of(samples, steady)
}

// is says whether the mode was judged and the cause is that one.
func (m *Mode) is(c verdict.Cause) bool { return m.Verdict != nil && m.Verdict.Cause == c }

// missed says whether the mode was judged and is not met.
func (m *Mode) missed() bool { return m.Verdict != nil && !m.Verdict.Met() }

// said is the verdict in words, with the place that is guilty.
func (m *Mode) said() string {
	if m.Verdict == nil {
		return "not run"
	}
	return m.Verdict.At()
}

// Inconclusive says whether the samples of a mode did not decide.
func (r *Result) Inconclusive() bool {
	return r.Eager.is(verdict.Inconclusive) || r.Replay.is(verdict.Inconclusive)
}

// needs is about how many samples would settle both modes; 0 when none would.
func (r *Result) needs() (n int) {
	for _, m := range []*Mode{&r.Eager, &r.Replay} {
		if !m.is(verdict.Inconclusive) {
			continue
		}
		if m.Verdict.Needs == 0 {
			return 0
		}
		n = max(n, m.Verdict.Needs)
	}
	return n
}

// guilty is the mode that the verdict is of.
func (r *Result) guilty() *Mode {
	if r.Eager.missed() {
		return &r.Eager
	}
	return &r.Replay
}

// judged are the modes that are judged and ran.
func (r *Result) judged() (modes []*Mode) {
	for _, m := range []*Mode{&r.Eager, &r.Replay} {
		if len(m.Reps) > 0 {
			modes = append(modes, m)
		}
	}
	return modes
}

// modes are those that the case has.
func (r *Result) modes() (modes []*Mode) {
	for _, m := range []*Mode{&r.Giant, &r.Eager, &r.Replay} {
		if m.Program != nil {
			modes = append(modes, m)
		}
	}
	return modes
}

// Times are the durations that a schedule is held against; zero when there is none. Serial, Ideal, Optimal and
// Scheduled are computed from solo durations; see package bound for their definitions.
type Times struct {
	Serial    time.Duration // the sum of the solo durations
	Ideal     time.Duration // no schedule of the intent can beat it
	Optimal   time.Duration // the true optimum; 0 when the case is too large to search
	Scheduled time.Duration // what the program's own order allows
}

// Achieved is (serial − wall)/(serial − ideal): 1 is ideal, 0 is serial, below 0 worse than serial. ok is false when
// there is nothing to gain.
func (t Times) Achieved(wall time.Duration) (share float64, ok bool) {
	if t.Serial <= t.Ideal {
		return 0, false
	}
	return float64(t.Serial-wall) / float64(t.Serial-t.Ideal), true
}

func timesOf(in *schedule.Intent, imposed *order.Order, dur []time.Duration) Times {
	t := Times{Serial: bound.Serial(dur), Ideal: bound.Ideal(in, dur),
		Scheduled: bound.Scheduled(imposed, dur).Makespan}
	if best, ok := bound.Optimal(in, dur); ok {
		t.Optimal = best
	}
	return t
}

// goldenGraph is the graph that the case records; nil when it records none. Its nodes carry the names of ops.
func goldenGraph(c *Case) (*graph.Graph, error) {
	if c.Graph == "" {
		return nil, nil
	}
	g, err := dot.Read(strings.NewReader(c.Graph))
	if err != nil {
		return nil, fmt.Errorf("graph.dot: %w", err)
	}
	return g, nil
}

// whole is what a report can say of a result: the result, without the parts that do not fit its case, which only a result has
// that Run did not make. Of no case it is that of an empty one.
func (r *Result) whole() *Result {
	if r == nil {
		r = &Result{}
	}
	w := *r
	empty := Case{Schedule: schedule.Schedule{Intent: schedule.Intent{Engines: schedule.DefaultEngines()}}}
	switch {
	case r.Case == nil:
		w.Case = &empty
	case r.Case.Schedule.Intent.Validate() != nil:
		empty.Name, empty.File = r.Case.Name, r.Case.File
		w.Case = &empty
	}
	in := &w.Case.Schedule.Intent
	if len(w.Solo) != len(in.Ops) {
		w.Solo = make([]time.Duration, len(in.Ops))
	}
	w.Giant.keep(nil)
	w.Eager.keep(in)
	w.Replay.keep(in)
	w.Verdict = named(w.Verdict, in)
	return &w
}

// keep drops what does not fit the program, or the intent of the case; nil for a program of its own.
func (m *Mode) keep(in *schedule.Intent) {
	if m.Program == nil || m.Program.Validate() != nil || in != nil && len(m.Program.Intent.Ops) != len(in.Ops) {
		*m = Mode{Name: m.Name}
		return
	}
	for i := range m.Reps {
		if m.Reps[i].Validate(m.Program.Intent, m.Program) != nil {
			m.Reps = nil
			break
		}
	}
	if m.Setup != nil && m.Setup.Validate(m.Program) != nil {
		m.Setup = nil
	}
	if a := m.Account; a != nil && (a.Rep < 0 || a.Rep >= len(m.Reps)) {
		m.Account = nil
	}
	if m.Verdict != nil {
		v := named(*m.Verdict, m.Program.Intent)
		m.Verdict = &v
	}
}

// named is a verdict that names ops of the intent alone.
func named(v verdict.Verdict, in *schedule.Intent) verdict.Verdict {
	for _, op := range v.Guilty {
		if op < 0 || int(op) >= len(in.Ops) {
			v.Guilty = nil
			break
		}
	}
	return v
}
