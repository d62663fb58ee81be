package sim

import (
	"context"
	"fmt"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Trace runs a program once and says what each call of the Body showed. A call takes what the machine says that it
// takes, and as long as the host waits in it.
func (d *device) Trace(ctx context.Context, p *schedule.Program) (*gpu.Trace, error) {
	h, err := d.host(ctx, p)
	if err != nil {
		return nil, err
	}
	t := &gpu.Trace{Steps: make([]gpu.Step, len(p.Body)), Spans: make([]timeline.Span, len(p.Intent.Ops))}
	h.stamps = true
	h.chip.Reset(t.Spans)
	for i, in := range p.Setup {
		if err := alive(ctx, i); err != nil {
			return nil, err
		}
		if code := h.call(in); code != in.Want {
			return nil, fmt.Errorf("sim: %s: %s gave %s; want %s", p.Where(in), in.Verb.Call(), code, in.Want)
		}
	}
	h.chip.Drain()
	h.forgetWorks()
	h.chip.Reset(t.Spans)
	for i, in := range p.Body {
		if err := alive(ctx, i); err != nil {
			return nil, err
		}
		h.now += p.HostDelay
		h.traced(in, &t.Steps[i])
	}
	h.chip.Drain()
	h.copySpans(t.Spans)
	return t, nil
}

// copySpans lets the span of a copy begin with its stamp. The nodes of a graph have none.
func (h *host) copySpans(spans []timeline.Span) {
	for op := range spans {
		if h.p.Intent.Ops[op].Kind.Copies() {
			spans[op] = timeline.Span{}
		}
	}
	for id := range int32(h.chip.Len()) {
		w := h.chip.Work(id)
		if w.Op != hardware.None && h.p.Intent.Ops[w.Op].Kind.Copies() && w.Launch == hardware.None {
			spans[w.Op] = timeline.Span{Start: h.chip.Work(id - 1).Ready, End: h.chip.End(id), Ran: true}
		}
	}
}

// traced makes a call and notes what it shows.
func (h *host) traced(in schedule.Instr, s *gpu.Step) {
	start := h.now
	h.shown = s
	s.Code = h.call(in)
	h.shown = &gpu.Step{}
	s.Took = h.now - start
	ended := in.Verb == schedule.EndCapture
	// What lists and prints give is no code of a call that could touch a stream.
	reads := (in.Verb == schedule.ListGraph || in.Verb == schedule.PrintGraph) && s.Code == schedule.InvalidValue
	if ended || !reads && s.Code != schedule.Success && s.Code != schedule.NotReady {
		s.Status = h.statuses(in.Thread)
	}
	if !ended {
		return
	}
	switch {
	case s.Code == schedule.Success && in.Graph == schedule.Null:
	case s.Code == schedule.Success:
		s.List = h.captured[in.Graph.Index()].list(h.p)
	default:
		s.Values = []int64{0} // no graph
	}
}

// statuses are those of all streams, as a thread sees them.
func (h *host) statuses(thread int32) []gpu.Status {
	list := make([]gpu.Status, len(h.p.Streams))
	for i := range list {
		list[i] = h.status(h.id(int32(i), thread))
	}
	return list
}

// status asks nothing of a capture that could lose it.
func (h *host) status(id int32) gpu.Status {
	s := &h.streams[id]
	switch {
	case !s.alive:
		return gpu.Status{Absent: true}
	case id == h.legacy && h.blockingCapture():
		return gpu.Status{Code: schedule.CaptureImplicit}
	case s.capture == nil:
		return gpu.Status{}
	case s.capture.lost:
		return gpu.Status{Value: invalidated}
	}
	return gpu.Status{Value: active}
}
