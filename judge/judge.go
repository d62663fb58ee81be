// Package judge turns what was measured of one mode of a schedule into a verdict: met, or the cause. It is a pure
// function of values: it uses no clock, no device and no goroutine.
//
// What it looks at, in this order, is the list of checks. Each check is a function from the facts to what it found; the
// first finding that decides is the verdict. A finding that decides nothing becomes a note.
package judge

import (
	"slices"

	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/verdict"
)

// checks in their order: did it run; is the captured graph what it should be; do the calls impose what the intent
// needs; did that order hold; did it overlap; was it fast enough; was it worth it.
var checks = []func(*facts) []verdict.Finding{
	legal, codes, vacuous, launched, structure, sound, heldOrder, concurrency, wallTime, profit,
}

// Answer is the verdict on one mode, and what it is made of.
type Answer struct {
	verdict.Verdict
	Account *account.Account // where the wall time of one repetition went; nil when that is not known
	Limit   Limit            // what the wall time may be at most
}

// Judge gives the verdict on one mode of a schedule. Evidence that Validate refuses gives its error and no answer.
func Judge(ev *Evidence) (Answer, error) {
	f, err := factsOf(ev)
	if err != nil {
		return Answer{}, err
	}
	var found []verdict.Finding
	for _, check := range checks {
		found = append(found, check(f)...)
		if slices.ContainsFunc(found, verdict.Finding.Decides) {
			break
		}
	}
	return Answer{verdict.Of(found), f.account, f.limit}, nil
}

// byCalls makes a check of the facts of one of the calls.
func byCalls(f *facts, check func(*calls.View) []verdict.Finding) []verdict.Finding {
	if f.view == nil {
		return nil
	}
	return check(f.view)
}

func legal(f *facts) []verdict.Finding    { return byCalls(f, calls.Legal) }
func launched(f *facts) []verdict.Finding { return byCalls(f, calls.Launched) }
func sound(f *facts) []verdict.Finding    { return byCalls(f, calls.Sound) }
