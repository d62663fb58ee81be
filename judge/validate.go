package judge

import (
	"fmt"
	"math"

	"github.com/gpu-overlap/overlap/verdict"
)

// Validate refuses evidence that cannot be that of one mode of a schedule: an intent or a program that is not valid, or
// samples that do not fit them. Evidence without a repetition is valid.
func (ev *Evidence) Validate() error {
	if ev != nil && ev.Program != nil {
		if err := ev.Program.Validate(); err != nil {
			return err
		}
	}
	return ev.fits()
}

// fits is Validate where the program, if there is one, is known to be valid.
func (ev *Evidence) fits() error {
	if ev == nil || ev.Intent == nil {
		return fmt.Errorf("evidence: without an intent; want one")
	}
	if ev.Program == nil || ev.Program.Intent != ev.Intent {
		if err := ev.Intent.Validate(); err != nil {
			return err
		}
	}
	if p := ev.Program; p != nil {
		if len(p.Intent.Ops) != len(ev.Intent.Ops) {
			return fmt.Errorf("%s: evidence: an intent of %d ops; want that of the program, of %d", p.File,
				len(ev.Intent.Ops), len(p.Intent.Ops))
		}
		if ev.Setup != nil {
			if err := ev.Setup.Validate(p); err != nil {
				return fmt.Errorf("%s: evidence: %w", p.File, err)
			}
		}
	}
	if err := ev.Samples.Validate(ev.Intent, ev.Program); err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	if ev.Golden != nil {
		if err := ev.Golden.Validate(); err != nil {
			return fmt.Errorf("evidence: golden: %w", err)
		}
	}
	if t := ev.Target; t.Of > verdict.OfScheduled || math.IsNaN(t.Percent) || t.Percent < 0 || t.Percent > 100 {
		return fmt.Errorf("evidence: a target within %v%% of base %d; want 0%% to 100%% of ideal or scheduled",
			t.Percent, t.Of)
	}
	if ev.Expect != nil {
		if err := ev.Expect.Validate(func(string) bool { return true }); err != nil {
			return fmt.Errorf("evidence: %w", err)
		}
	}
	return nil
}
