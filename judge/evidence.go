package judge

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Evidence is all that the judgement on one mode rests on. It is values only: the same evidence gives the same verdict.
type Evidence struct {
	Intent  *schedule.Intent
	Program *schedule.Program // nil for a run of which only the transcripts are known; structure is then not judged
	Expect  *verdict.Expect   // nil expects the defaults
	Target  verdict.Target    // how near to which bound the wall time must come
	Line    int32             // of the target in the case file; 0 when it is the default
	Golden  *graph.Graph      // the graph that the case records; nil when it records none
	Setup   *gpu.Setup        // nil when it is not known
	// Impossible says what in the environment makes overlap impossible for this mode; empty when nothing does.
	Impossible string
	sample.Samples
}

// facts are what more than one check looks at. They are found once, before the first check, and never changed.
type facts struct {
	*Evidence                   // of a program that launches an op again, with an op for each launch
	relaunched bool             // an op is launched more than once: only its last launch left a span
	view       *calls.View      // of the program; nil without one
	scheduled  bound.Timetable  // of what the calls impose, at the durations that the ops have alone; empty without a program
	ideal      bound.Lower      // of the ops alone
	limit      Limit            // of the wall time
	reading    sample.Reading   // of the canaries
	paired     []time.Duration  // see pair
	walls      []time.Duration  // the samples of the wall time, paired with the ops alone of their time
	wall       sample.Estimate  // of walls
	wideHelps  bool             // with more connections half of what the wall is over its limit is gone
	account    *account.Account // of the repetition whose wall time is the median; nil when there is none
}

// factsOf looks at the calls of the program, those in its graphs in the place of the graphs' launches. When they launch
// an op more than once, each launch is judged as an op.
func factsOf(ev *Evidence) (*facts, error) {
	f := &facts{Evidence: ev}
	var of []int32
	if ev != nil && ev.Program != nil {
		var err error
		if f.view, of, err = calls.Of(ev.Program); err != nil {
			return nil, err
		}
	}
	if err := ev.fits(); err != nil {
		return nil, err
	}
	if ev.Program != nil {
		if f.relaunched = len(of) > len(ev.Program.Intent.Ops); f.relaunched {
			all := *ev
			all.Intent, all.Samples = f.view.Intent, ev.Samples.PerLaunch(of)
			f.Evidence = &all
		}
		f.scheduled = f.view.Table
		if !slices.Equal(f.view.Dur, f.Solo) {
			f.scheduled = bound.Scheduled(f.view.Order, f.Solo)
		}
	}
	f.ideal = bound.Of(f.Intent, f.Solo)
	f.limit = f.limitFrom(f.ideal, f.scheduled)
	f.reading = sample.Read(f.Canary)
	f.paired = f.pair()
	f.walls = f.PerBlock(f.reading, f.paired)
	f.wall = sample.Of(f.walls, f.Steady)
	f.wideHelps = f.widerIsFaster()
	f.account = f.accounted()
	return f, nil
}

// accounted gives the account of the repetition whose wall time is the median; nil without a program or a repetition,
// or when an op did not run.
func (f *facts) accounted() *account.Account {
	if f.view == nil || f.relaunched || len(f.Reps) == 0 {
		return nil
	}
	rep := account.Median(f.paired)
	return account.Of(account.Input{Intent: f.Intent, Program: f.Program, Order: f.view.Order, View: f.view, Rep: rep,
		Run:  &f.Reps[rep],
		Solo: f.SoloAt(rep), Costs: f.Costs, Widened: f.wideHelps})
}

func (f *facts) name(op int32) string { return f.Intent.Ops[op].Name }

// opWhere is the place of an op in the case file; empty without a program.
func (f *facts) opWhere(op int32) string { return f.lineWhere(f.Intent.Ops[op].Line) }

// lineWhere is the place of a line of the case file.
func (f *facts) lineWhere(line int32) string {
	if f.Program == nil {
		return ""
	}
	return f.Program.Where(schedule.Instr{Line: line})
}

// imposed is what the calls impose; nil without a program.
func (f *facts) imposed() *order.Order {
	if f.view == nil {
		return nil
	}
	return f.view.Order
}

// one is a list of one finding.
func one(f verdict.Finding) []verdict.Finding { return []verdict.Finding{f} }
