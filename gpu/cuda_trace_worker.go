//go:build gpu && cgo

package gpu

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gpu-overlap/overlap/gpu/internal/driver"
	"github.com/gpu-overlap/overlap/kernels"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/timeline"
)

// tracing is a trace in the worker.
type tracing struct {
	run   *prepared
	calls *driver.Trace
	asked map[int]int // by step: which host function it launched that asks for its stream
	out   Trace
}

func (s *server) trace(req request) (*Trace, error) {
	p := req.Program
	if p.Intent == nil {
		return nil, fmt.Errorf("a program needs an intent")
	}
	t := &tracing{run: &prepared{of: p, device: s.device}, asked: map[int]int{}}
	err := t.run.open()
	if err == nil {
		t.calls, err = t.run.program.NewTrace(p, !s.traced)
		s.traced = true
	}
	if err == nil {
		err = t.all()
	}
	if t.calls != nil {
		t.calls.Close()
	}
	if failed := t.run.close(); err == nil {
		err = failed
	}
	return &t.out, err
}

// all makes the calls of the Setup, those of the Body on an idle device, and reads the stamps.
func (t *tracing) all() error {
	if err := t.setup(); err != nil {
		return err
	}
	if err := t.calls.Settle(); err != nil {
		return err
	}
	for i, in := range t.run.of.Body {
		if err := t.step(i, in); err != nil {
			return fmt.Errorf("%s: %w", text.Describe(t.run.of, in), err)
		}
	}
	r, err := t.calls.End()
	if err != nil {
		return err
	}
	for i, asked := range t.asked {
		if code, ran := t.calls.Asked(asked); ran {
			t.out.Steps[i].Values = []int64{int64(code)}
		}
	}
	t.out.Spans = t.spans(r)
	return nil
}

// setup makes the calls of the Setup. The first launch on a stream takes longer: it is made here.
func (t *tracing) setup() error {
	p := t.run.of
	for _, in := range p.Setup {
		saw, _, err := t.calls.Call(in, func(schedule.Code) bool { return false })
		if err == nil && saw.Code != in.Want {
			err = &driver.Failure{Call: in.Verb.Call(), Code: saw.Code}
		}
		if err == nil && in.Verb == schedule.CreateStream && saw.Code == schedule.Success {
			err = t.run.device.WarmStream(t.run.program, in.Stream.Index())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text.Describe(p, in), err)
		}
	}
	return nil
}

// step makes a call of the Body.
func (t *tracing) step(i int, in schedule.Instr) (err error) {
	saw, status, err := t.calls.Call(in, func(code schedule.Code) bool {
		return code != schedule.Success && code != schedule.NotReady || in.Verb == schedule.EndCapture
	})
	if err != nil {
		return err
	}
	s := Step{Code: saw.Code, Took: time.Duration(saw.Took), Values: saw.Values, Nodes: saw.Nodes}
	for _, v := range status {
		s.Status = append(s.Status, Status(v))
	}
	if saw.Asked >= 0 {
		t.asked[i] = saw.Asked
	}
	switch {
	case s.Code != schedule.Success:
	case in.Verb == schedule.ListGraph:
		err = t.list(&s, in, t.run.of.ArgsOf(in).Number == 1)
	case in.Verb == schedule.EndCapture && in.Graph.Index() >= 0:
		code := s.Code
		err = t.list(&s, in, false)
		s.Code = code
	case in.Verb == schedule.PrintGraph:
		err = t.print(&s, in)
	}
	t.out.Steps = append(t.out.Steps, s)
	return err
}

func (t *tracing) list(s *Step, in schedule.Instr, plain bool) error {
	l, code, err := t.calls.List(in.Graph, plain)
	s.Code, s.List = code, (*Listing)(l)
	return err
}

// print has the driver dump the graph in both ways: it writes to files alone. The code is that of the first.
func (t *tracing) print(s *Step, in schedule.Instr) error {
	dir, err := os.MkdirTemp(os.Getenv(scratchVar), "overlap")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "graph.dot")
	for _, verbose := range []bool{false, true} {
		if s.Code = t.calls.WriteDOT(in.Graph, path, verbose); s.Code != schedule.Success {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s.Text = append(s.Text, string(text))
	}
	return nil
}

// spans are the stamps on the device's clock, from the first start on.
func (t *tracing) spans(r *driver.Rep) []timeline.Span {
	ops := t.run.of.Intent.Ops
	spans := make([]timeline.Span, len(ops))
	offset := r.Low + (r.High-r.Low)/2
	for i, op := range ops {
		if op.Kind == schedule.Host {
			if h := r.Hosts[i]; h.Start != 0 {
				spans[i] = timeline.Span{Start: time.Duration(h.Start + offset), End: time.Duration(h.End + offset),
					Ran: true}
			}
		} else if s, ok := kernels.ReadStamp(r.Slots[i*kernels.SlotSize:]); ok {
			spans[i] = timeline.Span{Start: time.Duration(s.Start), End: time.Duration(s.End), Ran: true}
		}
	}
	var first time.Duration
	for _, s := range spans {
		if s.Ran && (first == 0 || s.Start < first) {
			first = s.Start
		}
	}
	for i := range spans {
		if spans[i].Ran {
			spans[i].Start, spans[i].End = spans[i].Start-first, spans[i].End-first
		}
	}
	return spans
}
