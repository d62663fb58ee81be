package gpu

import (
	"fmt"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// Error is a driver call that gave another code than the program expects.
type Error struct {
	Call  string // cuStreamEndCapture
	Code  schedule.Code
	Want  schedule.Code
	Instr string // as the case spells it: "main: end capture g"
	Where string // file:line
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s: %s gave %s, want %s", e.Where, e.Instr, e.Call, e.Code, e.Want)
}

// Check gives the first instruction whose code differs from what the program expects, as an *Error, or nil. Codes may
// be shorter than instrs: what was not issued is not judged.
func Check(p *schedule.Program, instrs []schedule.Instr, codes []schedule.Code) error {
	if p == nil {
		p = &schedule.Program{}
	}
	for i, code := range codes[:min(len(codes), len(instrs))] {
		if in := instrs[i]; code != in.Want {
			return &Error{Call: in.Verb.Call(), Code: code, Want: in.Want, Instr: text.Describe(p, in), Where: p.Where(in)}
		}
	}
	return nil
}

// Unavailable says why a device cannot be used, and what would help. The command exits with status 3.
type Unavailable struct {
	What string // what is missing
	Help string // what to install or to do
}

func (e *Unavailable) Error() string { return e.What + "; " + e.Help }
