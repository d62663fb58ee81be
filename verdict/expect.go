package verdict

import (
	"fmt"
	"strconv"
	"time"
)

// Expect is what must come of a case. The zero value expects the defaults: both modes meet the default target.
// Durations are nominal and compared exactly; 0 is not given.
type Expect struct {
	Serial    time.Duration // the sum of all ops
	Giant     time.Duration // the same work unsplit, on one stream
	Ideal     time.Duration // the lower bound that no schedule can beat
	Optimal   time.Duration // the true optimum
	Scheduled time.Duration // the makespan of the order that the calls impose

	Eager, Replay Target // of the wall time of each mode
	Hides         []Hides
	Beats         Beats
	Graph         Size // of the captured graph

	Verdict       Outcome  // of both modes
	EagerVerdict  *Outcome // of eager alone; nil when not given
	ReplayVerdict *Outcome

	Lines ExpectLines
}

// Target bounds the measured time of a mode from above. The zero value is DefaultTarget.
type Target struct {
	Percent float64 // of leeway, from 0 to 100
	Of      Base
}

// Base is what a Target is given relative to.
type Base uint8

// Bases. ByDefault stands for a target that is not given.
const (
	ByDefault Base = iota
	OfIdeal
	OfScheduled
)

// String is the word of the language; empty for ByDefault.
func (b Base) String() string { return [...]string{"", "ideal", "scheduled"}[min(b, OfScheduled)] }

// DefaultTarget is the target of a mode for which none is given.
var DefaultTarget = Target{Percent: 2, Of: OfIdeal}

// Given says whether the target is more than the default.
func (t Target) Given() bool { return t.Of != ByDefault }

// OrDefault is the target, or the default where none is given.
func (t Target) OrDefault() Target {
	if !t.Given() {
		return DefaultTarget
	}
	return t
}

// String is "within 2% of ideal".
func (t Target) String() string {
	t = t.OrDefault()
	return "within " + Percent(t.Percent) + " of " + t.Of.String()
}

// Percent is a share as the language spells it: "2%", "0.5%".
func Percent(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) + "%" }

// Hides is the least share of the time of What that must lie under ops of Under. Both are kinds of op, engines or ops.
type Hides struct {
	What, Under string  // Under is "" when anything else will do
	Percent     float64 // from 0 to 100
	Line        int32   // in the case file; 0 when not from a file
}

// Beats asks that both modes take less time than the giant batch: less than 100 − Percent per cent of it.
type Beats struct {
	Given   bool
	Percent float64 // from 0 to 100
	Line    int32   // in the case file; 0 when not from a file
}

// Size is how many nodes and edges a graph must have.
type Size struct {
	Given        bool
	Nodes, Edges int32
}

// Outcome is a verdict that a case expects. The zero value is met.
type Outcome struct {
	Cause  Cause
	Detail string // that the verdict must give; "" when any will do
}

// String is "cause" or "cause: detail", as a case spells it.
func (o Outcome) String() string { return Finding{Cause: o.Cause, Detail: o.Detail}.String() }

// ExpectLines are where the expectations stand in the case file; 0 where one is not given.
type ExpectLines struct {
	Serial, Giant, Ideal, Optimal, Scheduled int32
	Eager, Replay, Graph                     int32
	Verdict, EagerVerdict, ReplayVerdict     int32
}

// Validate refuses what no case file could say. kinds, engines and ops are the names that Hides may use.
// nil: any.
func (e *Expect) Validate(known func(name string) bool) error {
	if known == nil {
		known = func(string) bool { return true }
	}
	for _, d := range []struct {
		name string
		is   time.Duration
	}{{"serial", e.Serial}, {"giant", e.Giant}, {"ideal", e.Ideal}, {"optimal", e.Optimal}, {"scheduled", e.Scheduled}} {
		if d.is < 0 {
			return fmt.Errorf("expect: %s is %v; want more than 0, or 0 for not given", d.name, d.is)
		}
	}
	for _, t := range []Target{e.Eager, e.Replay} {
		if t.Of > OfScheduled {
			return fmt.Errorf("expect: a target of base %d; want ideal or scheduled", t.Of)
		}
		if !share(t.Percent) {
			return fmt.Errorf("expect: a target within %v%%; want 0%% to 100%%", t.Percent)
		}
	}
	for _, h := range e.Hides {
		switch {
		case !known(h.What) || h.Under != "" && !known(h.Under):
			return fmt.Errorf("expect: hides %q under %q; want kinds of op, engines or ops of the intent", h.What, h.Under)
		case !share(h.Percent):
			return fmt.Errorf("expect: hides %v%% of %s; want 0%% to 100%%", h.Percent, h.What)
		}
	}
	if !share(e.Beats.Percent) {
		return fmt.Errorf("expect: beats giant by %v%%; want 0%% to 100%%", e.Beats.Percent)
	}
	if e.Graph.Nodes < 0 || e.Graph.Edges < 0 {
		return fmt.Errorf("expect: a graph of %d nodes and %d edges; want 0 or more", e.Graph.Nodes, e.Graph.Edges)
	}
	for _, o := range []*Outcome{&e.Verdict, e.EagerVerdict, e.ReplayVerdict} {
		if o != nil && o.Cause >= numCauses {
			return fmt.Errorf("expect: cause %d; want one of the %d causes", uint8(o.Cause), numCauses)
		}
	}
	return nil
}

// share says whether a number is a percentage; NaN is none.
func share(p float64) bool { return 0 <= p && p <= 100 }
