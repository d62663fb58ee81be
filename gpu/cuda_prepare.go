//go:build gpu && cgo

package gpu

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu/internal/driver"
	"github.com/gpu-overlap/overlap/kernels"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/timeline"
)

// prepared is a program in the worker whose Setup has run.
type prepared struct {
	of      *schedule.Program
	device  *driver.Device
	program *driver.Program // nil when Setup met an unexpected code
	slots   driver.Address
	buffer  *driver.Rep
	clock   clockBounds
}

func (s *server) prepare(req request, r *reply) error {
	p := req.Program
	for _, in := range slices.Concat(p.Setup, p.Body) {
		switch {
		case in.Thread > 0 || in.Device > 0:
			return fmt.Errorf("%s: %s: the CUDA device runs one host thread and one GPU", p.Where(in),
				text.Describe(p, in))
		case in.Verb.Role() == schedule.OfProbe || in.Event == schedule.Null || in.Graph == schedule.Null:
			return fmt.Errorf("%s: %s: such a call is made in a trace alone", p.Where(in), text.Describe(p, in))
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

// fit refuses a program that is not valid, before it goes to the worker.
func fit(p *schedule.Program) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("cuda: %w", err)
	}
	return nil
}

// open makes the tables of the program: handles still to come, kernels and slots there already.
func (run *prepared) open() (err error) {
	p := run.of
	if run.slots, err = run.device.Alloc((len(p.Intent.Ops) + 1) * kernels.SlotSize); err != nil {
		return err
	}
	run.program, err = driver.NewProgram(p, run.slots, schedule.RangeName(p.Name))
	if err != nil {
		return err
	}
	run.program.SetStamps(run.device.Kernel(kernels.StampBegin), run.device.Kernel(kernels.StampEnd))
	run.program.SetDelay(p.HostDelay.Nanoseconds())
	if slices.ContainsFunc(slices.Concat(p.Setup, p.Body), gates) {
		if err = run.program.SetGate(run.device.Kernel(kernels.Gate)); err != nil {
			return err
		}
	}
	if err = checkCopies(p); err != nil {
		return err
	}
	for i := range p.Intent.Ops {
		if err = run.setOp(i, &p.Intent.Ops[i]); err != nil {
			return err
		}
	}
	run.buffer = run.program.NewRep()
	return nil
}

func gates(in schedule.Instr) bool { return in.Verb == schedule.Gate || in.Verb == schedule.OpenGate }

// maxCopied is how much memory the copies of one program may take at each end.
const maxCopied = 4 << 30

func checkCopies(p *schedule.Program) error {
	left := int64(maxCopied)
	for i := range p.Intent.Ops {
		if left -= p.Intent.Ops[i].Bytes; left < 0 {
			return fmt.Errorf("%s: the copies up to %s take more than 4 GiB; want less", p.File, p.Intent.Ops[i].Name)
		}
	}
	return nil
}

// setOp says what the launch of an op runs.
func (run *prepared) setOp(i int, op *schedule.Op) (err error) {
	l := driver.Launch{NS: op.Dur.Nanoseconds(), Grid: driver.One}
	switch {
	case op.Kind.Copies():
		return run.program.SetCopy(i, op.Bytes, op.Kind == schedule.D2H, op.Pageable)
	case op.Kind == schedule.Host:
	case op.Bandwidth > 0:
		f := run.device.Kernel(kernels.Name(op.Kind.String(), kernels.Memory))
		l, err = run.device.Memory(f, int(op.SMs), int(op.Bandwidth), l.NS)
	default:
		l.Kernel = run.device.Kernel(kernels.Name(op.Kind.String(), op.Kernel.String()))
		l.Grid = run.device.Grid(int(op.SMs))
		l.Grid.Blocks *= int(max(op.Waves, 1))
	}
	run.program.SetOp(i, l)
	return err
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
		case schedule.Launch, schedule.HostFunc, schedule.Copy, schedule.Gate, schedule.OpenGate, schedule.Record,
			schedule.Wait, schedule.Replay,
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
	run.clock.take(b.Low, b.High, b.Start)
	if origin := run.origin(); origin != 0 { // something ran on the device
		t.Clock = run.clock.clock(origin-b.Start, t.Wall)
	}
	return t, nil
}

// origin is the device time from which the spans of the latest repetition count; 0 when nothing ran.
func (run *prepared) origin() int64 {
	first := uint64(0)
	for i := range run.of.Intent.Ops {
		if s, ok := kernels.ReadStamp(run.buffer.Slots[i*kernels.SlotSize:]); ok && (first == 0 || s.Start < first) {
			first = s.Start
		}
	}
	return int64(first)
}

// spans counts device times from the first start, and host times from the start of the Body.
func (run *prepared) spans() []timeline.Span {
	spans := make([]timeline.Span, len(run.of.Intent.Ops))
	first := uint64(run.origin())
	for i, op := range run.of.Intent.Ops {
		if op.Kind == schedule.Host {
			spans[i] = hostSpan(run.buffer.Hosts[i], run.buffer.Start)
			continue
		}
		if op.Kind.Copies() && !run.program.Arrived(i) {
			continue
		}
		if s, ok := kernels.ReadStamp(run.buffer.Slots[i*kernels.SlotSize:]); ok {
			spans[i] = timeline.Span{Start: time.Duration(s.Start - first), End: time.Duration(s.End - first),
				Ran: true}
		}
	}
	return spans
}

func hostSpan(h driver.HostStamp, start int64) timeline.Span {
	s := timeline.Span{Clock: timeline.HostClock}
	if h.Start != 0 {
		s.Start, s.End, s.Ran = time.Duration(h.Start-start), time.Duration(h.End-start), true
	}
	return s
}
