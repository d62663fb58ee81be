package overlap

import (
	"errors"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// Costs are what a device needs beyond the ops themselves, from probes that ran beside what is judged. A device without
// costs has zeros.
type Costs struct {
	Launch  time.Duration // wall time of one op alone, less its own duration
	HandOff time.Duration // from the end of an op to the start of one that waits for it on another stream
}

// Evidence is all that the judgement on one mode rests on. It is values only: the same evidence gives the same verdict.
type Evidence struct {
	Intent  *schedule.Intent
	Program *schedule.Program // nil for a run of which only the transcripts are known; structure is then not judged
	Expect  *schedule.Expect
	Target  schedule.Target // how near to which bound the wall time must come
	Line    int32           // of the target in the case file; 0 when it is the default
	Golden  *graph.Graph    // the graph that the case records; nil when it records none
	Setup   *gpu.Setup
	Reps    []gpu.Transcript
	Solo    []time.Duration // by op, measured alone on the same device in the same run
	Blocks  []Block         // of Reps, each with the ops alone of its own time; none: all are held against Solo
	Canary  []Canary        // one op alone, between the blocks
	Costs   Costs
	Giant   []time.Duration // wall times of the unsplit batch in the same run; none when it was not run
	// Impossible says what in the environment makes overlap impossible for this mode; empty when nothing does.
	Impossible string
	Gated      []time.Duration // wall times of the same calls behind a gate, from its opening; none when that was not run
	Wide       []time.Duration // wall times of the same calls with more connections; none when that was not run
	Exact      bool            // the device has no costs: expectations hold to the nanosecond
	Steady     bool            // the device has no noise: one repetition is enough
}

// Judge gives the verdict on one mode of a schedule. It looks, in this order, at: did it run; structure (the captured
// graph); soundness (what the calls impose); order (what happened); concurrency; time; profit.
// The first that fails decides.
func Judge(ev *Evidence) Verdict {
	v, _, _ := judge(ev)
	return v
}

// judge gives also the account and the limit.
func judge(ev *Evidence) (Verdict, *Account, Limit) {
	j := newJudgement(ev)
	v := j.firstOf(j.codes, j.vacuous, j.launched, j.structure, j.soundness, j.dynamicOrder, j.concurrency, j.time, j.profit)
	if j.spent == nil {
		j.spent = j.account()
	}
	return v, j.spent, j.limit()
}

// newJudgement looks at the calls of the program, those in its graphs in the place of the graphs' launches. When they
// launch an op more than once, each launch is judged as an op, of which only the last left a span.
func newJudgement(ev *Evidence) judgement {
	j := judgement{Evidence: ev}
	if ev.Program == nil {
		return j
	}
	var of []int32
	j.calls, of = order.Inline(ev.Program)
	if j.again = len(of) > len(ev.Intent.Ops); j.again {
		all := *ev
		all.Intent = j.calls.Intent
		all.Solo, all.Blocks = again(ev.Solo, of), nil
		for _, b := range ev.Blocks {
			all.Blocks = append(all.Blocks, Block{b.End, again(b.Solo, of)})
		}
		j.Evidence = &all
	}
	j.order = order.Of(j.calls)
	j.notes = lint(j.calls)
	return j
}

// firstOf takes the steps in turn. The first that fails decides; met when none does.
func (j *judgement) firstOf(steps ...func() Verdict) (v Verdict) {
	for _, step := range steps {
		if v = step(); v.Cause != "" {
			break
		}
	}
	if v.Cause == "" {
		v.Cause = Met
	}
	v.Notes = append(v.Notes, j.notes...)
	return v
}

type judgement struct {
	*Evidence
	calls *schedule.Program // the program, its graphs inlined
	again bool              // an op is launched more than once
	order *order.Order      // of calls; nil without a program
	notes []string
	spent *Account // once a miss was looked into

	table    *nominal // these four once they were needed
	best     *bound.Limit
	most     *Limit
	suspects *suspicion

	canaries *reading        // once they were read
	paired   []time.Duration // see pairedReps; once they were
}

// met is what a step gives when it found nothing.
var met = Verdict{}

func fail(c Cause, where, format string, args ...any) Verdict {
	return Verdict{Cause: c, Detail: fmt.Sprintf(format, args...), Where: where}
}

func (j *judgement) name(op int32) string { return j.Intent.Ops[op].Name }

// opWhere is the place of an op in the case file.
func (j *judgement) opWhere(op int32) string {
	if j.Program == nil {
		return ""
	}
	return j.Program.Where(schedule.Instr{Line: j.Intent.Ops[op].Line})
}

// codes finds a driver call that gave another code than expected, in Setup and in every repetition.
func (j *judgement) codes() Verdict {
	p := j.Program
	if p == nil {
		return met
	}
	if j.Setup != nil {
		if err := gpu.Check(p, p.Setup, j.Setup.Codes); err != nil {
			return j.unjoined(badCode(err), err)
		}
	}
	for _, t := range j.Reps {
		if err := gpu.Check(p, p.Body, t.Codes); err != nil {
			return badCode(err)
		}
	}
	return met
}

// unjoined says which op it was, when a capture was ended while work of a forked stream was not joined.
func (j *judgement) unjoined(v Verdict, err error) Verdict {
	var e *gpu.Error
	if errors.As(err, &e) && e.Code == schedule.CaptureUnjoined && j.order != nil {
		if f := j.frame(); f.Cause != "" {
			v.Evidence, v.Where, v.Change = f.Detail, f.Where, f.Change
		}
	}
	return v
}

func badCode(err error) Verdict {
	var e *gpu.Error
	if !errors.As(err, &e) {
		return fail(BadCode, "", "%v", err)
	}
	return fail(BadCode, e.Where, "%s gave %s, want %s", e.Call, e.Code, e.Want)
}

// vacuous refuses a case that could not fail: nothing to overlap, or a target that a serial run would meet.
func (j *judgement) vacuous() Verdict {
	switch serial := bound.Serial(j.Solo); {
	case len(j.Intent.Ops) == 0:
		return fail(Vacuous, "", "the schedule has no ops")
	case j.Intent.Micro == 1:
		return fail(Vacuous, "", "a pipeline of one micro-batch has nothing to overlap")
	case len(j.Reps) == 0:
		return fail(Vacuous, "", "no repetition was run")
	case j.ideal().Bound >= serial:
		return fail(Vacuous, "", "ideal equals serial: no two ops of this intent can overlap")
	}
	return met
}

func (j *judgement) implied() *graph.Graph {
	if j.calls == j.Program {
		return graph.ImpliedBy(j.order, j.Intent)
	}
	return graph.Implied(j.Program)
}

// structure holds the captured graph against what the program implies, against the case's golden and its counts.
func (j *judgement) structure() Verdict {
	if j.Program == nil || j.Setup == nil || j.Setup.Graph == nil {
		return met
	}
	got := j.Setup.Graph
	if len(got.Nodes) == 0 {
		return fail(WrongGraph, j.Program.File, "the captured graph is empty")
	}
	if d := match.Diff(j.implied(), got); len(d) > 0 {
		return fail(WrongGraph, j.Program.File, "captured is not what the program implies: %s", d[0])
	}
	if j.Golden != nil {
		if d := match.Diff(j.Golden, got); len(d) > 0 {
			return fail(WrongGraph, j.Program.File, "captured is not the case's graph: %s", d[0])
		}
	}
	if e := j.Expect; e != nil && e.HasGraph() && (int(e.Nodes) != len(got.Nodes) || int(e.Edges) != len(got.Edges)) {
		return fail(WrongGraph, j.Program.File, "captured %d nodes and %d edges, want %d and %d", len(got.Nodes),
			len(got.Edges), e.Nodes, e.Edges)
	}
	return met
}
