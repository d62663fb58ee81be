package judge

import (
	"errors"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// codes finds a driver call that gave another code than expected, in Setup and in every repetition.
func codes(f *facts) []verdict.Finding {
	p := f.Program
	if p == nil {
		return nil
	}
	if f.Setup != nil {
		if err := gpu.Check(p, p.Setup, f.Setup.Codes); err != nil {
			return one(unjoined(f, badCode(err), err))
		}
	}
	for _, t := range f.Reps {
		if err := gpu.Check(p, p.Body, t.Codes); err != nil {
			return one(badCode(err))
		}
	}
	return nil
}

// unjoined says which op it was, when a capture was ended while work of a forked stream was not joined.
func unjoined(f *facts, bad verdict.Finding, err error) verdict.Finding {
	var e *gpu.Error
	if errors.As(err, &e) && e.Code == schedule.CaptureUnjoined {
		for _, loose := range calls.Framed(f.view) {
			bad.Evidence, bad.Where, bad.Change = loose.Detail, loose.Where, loose.Change
		}
	}
	return bad
}

func badCode(err error) verdict.Finding {
	var e *gpu.Error
	if !errors.As(err, &e) {
		return verdict.Found(verdict.BadCode, "", "%v", err)
	}
	return verdict.Found(verdict.BadCode, e.Where, "%s gave %s, want %s", e.Call, e.Code, e.Want)
}

// vacuous refuses a case that could not fail: nothing to overlap, or nothing that ran.
func vacuous(f *facts) []verdict.Finding {
	why := ""
	switch {
	case len(f.Intent.Ops) == 0:
		why = "the schedule has no ops"
	case f.Intent.Micro == 1:
		why = "a pipeline of one micro-batch has nothing to overlap"
	case len(f.Reps) == 0:
		why = "no repetition was run"
	case f.ideal.Bound >= bound.Serial(f.Solo):
		why = "ideal equals serial: no two ops of this intent can overlap"
	default:
		return nil
	}
	return one(verdict.Found(verdict.Vacuous, "", "%s", why))
}
