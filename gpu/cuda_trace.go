//go:build gpu && cgo

package gpu

import (
	"context"

	"github.com/gpu-overlap/overlap/schedule"
)

// Trace runs the program in the worker, after starting another when the last was lost. A worker in which a trace failed
// is not used again: a capture may be open that nothing can end.
func (d *cuda) Trace(ctx context.Context, p *schedule.Program) (*Trace, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := fit(p); err != nil {
		return nil, err
	}
	if d.worker == nil {
		if err := d.start(ctx); err != nil {
			return nil, err
		}
	}
	r, err := d.call(ctx, request{Verb: verbTrace, Program: p}, 2*d.opt.slack()+4*nominal(p), title(p))
	if err != nil {
		return nil, err
	}
	return r.Trace, nil
}
