package schedule

import "github.com/gpu-overlap/overlap/verdict"

// What a case expects, in the words of package verdict.
type (
	Expect  = verdict.Expect
	Target  = verdict.Target
	Hides   = verdict.Hides
	Beats   = verdict.Beats
	Outcome = verdict.Outcome
)
