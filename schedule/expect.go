package schedule

import "time"

// Expect is what must come of a case. Durations are nominal and compared exactly; 0 is not given.
type Expect struct {
	Serial    time.Duration // the sum of all ops
	Giant     time.Duration // the same work unsplit, on one stream
	Ideal     time.Duration // the lower bound that no schedule can beat
	Optimal   time.Duration // the true optimum
	Scheduled time.Duration // the makespan of the order that the calls impose

	Eager, Replay       Target // the default where HasEager and HasReplay say that none is given
	HasEager, HasReplay bool

	Hides        []Hides
	Beats        Beats
	Nodes, Edges int32 // of the captured graph; -1 is not given

	Verdict       Outcome // met, unless given
	EagerVerdict  Outcome // for eager alone; Cause is "" when not given
	ReplayVerdict Outcome

	Lines ExpectLines
}

// Target bounds the measured time of a mode from above.
type Target struct {
	Percent float64 // of leeway, from 0 to 100
	Of      string  // Ideal or Scheduled
}

// What a Target may be given relative to.
const (
	OfIdeal     = "ideal"
	OfScheduled = "scheduled"
)

// DefaultTarget is for a mode whose target is not given.
var DefaultTarget = Target{Percent: 2, Of: OfIdeal}

// Hides is the least share of the time of What that must lie under ops of Under. Both are kinds of op, engines or ops.
type Hides struct {
	What, Under string  // Under is "" when anything else will do
	Percent     float64 // from 0 to 100
	Line        int32
}

// Beats asks that both modes take less time than the giant batch: less than 100 − Percent per cent of it.
type Beats struct {
	Given   bool
	Percent float64 // from 0 to 100
	Line    int32
}

// Outcome is a verdict that a case expects.
type Outcome struct {
	Cause  string // Met or one of Causes
	Detail string // that the verdict must give; "" when any will do
}

// Met is the outcome of a case that has no cause to fail.
const Met = "met"

// Causes are the outcomes other than Met: what a judge can give.
var Causes = []string{
	"bad code", "vacuous", "wrong graph", "missing order", "engine clash", "over-wide wait", "serial by stream",
	"legacy barrier", "host sync", "order-sensitive", "shared exec", "environment", "launch-bound", "engine full",
	"false dependency", "contention", "hand-off", "unprofitable", "lost in graph", "missed", "inconclusive",
}

// ExpectLines are where the expectations stand in the case file; 0 where one is not given.
type ExpectLines struct {
	Serial, Giant, Ideal, Optimal, Scheduled int32
	Eager, Replay, Graph                     int32
	Verdict, EagerVerdict, ReplayVerdict     int32
}

// HasGraph says whether the size of the captured graph is given.
func (e *Expect) HasGraph() bool { return e.Nodes >= 0 }

// String is "cause" or "cause: detail", as a case spells it.
func (o Outcome) String() string {
	if o.Detail == "" {
		return o.Cause
	}
	return o.Cause + ": " + o.Detail
}

// String is "within 2% of ideal".
func (t Target) String() string { return "within " + formatPercent(t.Percent) + " of " + t.Of }
