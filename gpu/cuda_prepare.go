//go:build gpu && cgo

package gpu

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu/driver"
	"github.com/gpu-overlap/overlap/kernels"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// prepared is a program in the worker whose Setup has run.
type prepared struct {
	of      *schedule.Program
	device  *driver.Device
	program *driver.Program // nil when Setup met an unexpected code
	slots   driver.Address
	buffer  *driver.Rep
}

func (s *server) prepare(req request, r *reply) error {
	p := req.Program
	if p.Intent == nil {
		return fmt.Errorf("a program needs an intent")
	}
	for _, in := range slices.Concat(p.Setup, p.Body) {
		if in.Thread > 0 || in.Device > 0 {
			return fmt.Errorf("%s: %s: the CUDA device runs one host thread and one GPU", p.Where(in), p.Describe(in))
		}
	}
	run := &prepared{of: p, device: s.device}
	err := run.open()
	if err == nil {
		r.Setup, err = run.setup()
	}
	if err == nil && run.program != nil && warmable(p) {
		_, err = run.rep()
	}
	if err != nil {
		run.close()
		return err
	}
	s.runs[req.ID] = run
	return nil
}

// open makes the tables of the program: handles still to come, kernels and slots there already.
func (run *prepared) open() (err error) {
	p := run.of
	if n := len(p.Intent.Ops); n > 0 {
		if run.slots, err = run.device.Alloc(n * kernels.SlotSize); err != nil {
			return err
		}
	}
	run.program, err = driver.NewProgram(p, run.slots, schedule.RangeName(p.Name))
	if err != nil {
		return err
	}
	for i, op := range p.Intent.Ops {
		var f driver.Func
		if op.Kind != schedule.Host {
			f = run.device.Kernel(kernels.Name(op.Kind.String(), op.Kernel.String()))
		}
		run.program.SetOp(i, f, op.Dur.Nanoseconds())
	}
	run.buffer = run.program.NewRep()
	return nil
}

// warmest is the longest program that is worth a repetition more, whose first calls then cost no more than later ones.
const warmest = 100 * time.Millisecond

// warmable says whether a repetition more does no harm: it is short, and every repetition begins alike.
func warmable(p *schedule.Program) bool {
	sum := time.Duration(0)
	for _, d := range p.Intent.Durations() {
		if sum += d; d > warmest || sum > warmest {
			return false
		}
	}
	return !slices.ContainsFunc(p.Body, func(in schedule.Instr) bool {
		switch in.Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Record, schedule.Wait, schedule.Replay,
			schedule.SyncStream, schedule.SyncContext:
			return in.Want != schedule.Success
		}
		return true
	})
}

func (run *prepared) close() error {
	if run.program != nil {
		run.program.Close()
		run.program = nil
	}
	if run.slots == 0 {
		return nil
	}
	err := run.device.Free(run.slots)
	run.slots = 0
	return err
}

// rep runs the Body once and reads what it left.
func (run *prepared) rep() (Transcript, error) {
	b := run.buffer
	if err := run.program.Run(b); err != nil {
		return Transcript{}, err
	}
	body := run.of.Body
	t := Transcript{Codes: slices.Clone(b.Codes[:len(body)]), Issued: make([]time.Duration, len(body)),
		Spans: run.spans(), Wall: time.Duration(b.Wall)}
	for i, in := range body {
		t.Issued[i] = time.Duration(b.Issued[i])
		if !in.Verb.Blocks() {
			t.Issue = time.Duration(b.Issued[i+1])
		}
	}
	return t, nil
}

// spans counts device times from the first start, and host times from the start of the Body.
func (run *prepared) spans() []timeline.Span {
	spans := make([]timeline.Span, len(run.of.Intent.Ops))
	first := uint64(0)
	for i := range spans {
		if s, ok := kernels.ReadStamp(run.buffer.Slots[i*kernels.SlotSize:]); ok && (first == 0 || s.Start < first) {
			first = s.Start
		}
	}
	for i, op := range run.of.Intent.Ops {
		if op.Kind == schedule.Host {
			spans[i] = hostSpan(run.buffer.Hosts[i], run.buffer.Start)
			continue
		}
		spans[i].SM = -1
		if s, ok := kernels.ReadStamp(run.buffer.Slots[i*kernels.SlotSize:]); ok {
			spans[i] = timeline.Span{Start: time.Duration(s.Start - first), End: time.Duration(s.End - first), Ran: true, SM: s.SM}
		}
	}
	return spans
}

func hostSpan(h driver.HostStamp, start int64) timeline.Span {
	s := timeline.Span{Clock: timeline.HostClock, SM: -1}
	if h.Start != 0 {
		s.Start, s.End, s.Ran = time.Duration(h.Start-start), time.Duration(h.End-start), true
	}
	return s
}
