//go:build gpu && cgo

package driver

// #include "trace.h"
import "C"

import (
	"errors"
	"runtime"
	"slices"
	"unsafe"

	"github.com/gpu-overlap/overlap/schedule"
)

var (
	_ = [1]int{}[C.OV_APIS-schedule.NumAPIs]
	_ = [1]int{}[C.OV_MEM_ALLOC-schedule.MemAlloc]
	_ = [1]int{}[C.OV_LAUNCH_ELSEWHERE-schedule.LaunchElsewhere]
	_ = [1]int{}[C.OV_COMPLETES_LAUNCH-schedule.CompletesLaunch]
	_ = [1]int{}[C.OV_DEPEND_NULL-schedule.DependNull]
	_ = [1]int{}[C.OV_ADD_OP-schedule.AddOp]
)

// Trace makes the calls of a program one by one, each on its thread, and tells what each gave.
type Trace struct {
	of      *schedule.Program
	program *Program
	c       *C.ov_trace
	threads map[int32]*thread
}

// Saw is what a call gave.
type Saw struct {
	Code   schedule.Code
	Took   int64 // ns
	Values []int64
	Nodes  []schedule.Ref // as gpu.Step
	Asked  int            // which of the host functions that ask it launched; -1 for none
}

// NewTrace makes what the calls of a program need beside its tables. Its Close is to be called before the program's. The
// first of a process makes one of everything, whose first use takes longer.
func (p *Program) NewTrace(of *schedule.Program, first bool) (*Trace, error) {
	c := C.ov_trace_new(p.c, C.int32_t(len(of.Intent.Ops)+len(of.Nodes)))
	if c == nil {
		return nil, errors.New("out of memory")
	}
	t := &Trace{of: of, program: p, c: c, threads: map[int32]*thread{}}
	if err := t.stock(first); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// stock makes what the calls without operands work on, if there are any.
func (t *Trace) stock(stock bool) error {
	var calls [schedule.NumAPIs]C.int32_t
	empty := false
	for _, in := range slices.Concat(t.of.Setup, t.of.Body) {
		a := t.of.ArgsOf(in)
		switch {
		case in.Verb == schedule.Invoke:
			calls[a.API]++
			stock = true
		case in.Verb == schedule.AddNode:
			stock = stock || a.Number == schedule.AddMemcpy || a.Number == schedule.AddMemset
		case in.Verb == schedule.Burst:
			empty = true
		}
	}
	switch {
	case stock:
		return check("making what the calls work on", schedule.Code(C.ov_trace_stock(t.c, &calls[0])))
	case empty:
		return check("loading the empty kernel", schedule.Code(C.ov_trace_empty(t.c)))
	}
	return nil
}

// Settle poisons the stamps and waits until the device is idle.
func (t *Trace) Settle() error {
	return check("cuCtxSynchronize", schedule.Code(C.ov_settle(t.program.c)))
}

// Call makes one call on its thread, and looks at the capture status of the streams when look says so of the call's code.
func (t *Trace) Call(in schedule.Instr, look func(schedule.Code) bool) (saw Saw, status []Status, err error) {
	err = t.on(in.Thread, func() {
		saw = t.call(in)
		if look(saw.Code) {
			status = t.status()
		}
	})
	return saw, status, err
}

func (t *Trace) call(in schedule.Instr) Saw {
	a := t.of.ArgsOf(in)
	step := C.ov_step{call: callOf(in), number: C.int32_t(a.Number), second: C.int32_t(a.Priority),
		api:   C.int32_t(a.API),
		event: idOf(a.Event), graph: idOf(a.Graph), node: idOf(a.Node), ns: C.uint64_t(a.Dur)}
	if in.Arg > 0 {
		step.flags = 1
	}
	if a.Prioritized {
		step.priority = 1
	}
	list := a.Nodes
	if in.Verb == schedule.AddNode && a.Number == schedule.AddOp {
		list = schedule.Refs(t.of.Intent.Ops[in.Op.Index()].After)
	}
	nodes := make([]C.int32_t, len(list)+1)
	for i, n := range list {
		nodes[i] = idOf(n)
	}
	var saw C.ov_saw
	C.ov_trace_call(t.c, &step, &nodes[0], C.int32_t(len(list)), &saw)
	out := Saw{Code: schedule.Code(saw.code), Took: int64(saw.took), Asked: int(saw.asked)}
	for _, v := range saw.values[:saw.nvalues] {
		out.Values = append(out.Values, int64(v))
	}
	for _, n := range saw.nodes[:saw.nnodes] {
		out.Nodes = append(out.Nodes, refOf(n))
	}
	return out
}

// Status is the capture status of a stream: as gpu.Status.
type Status struct {
	Value  int8
	Code   schedule.Code
	Absent bool
}

func (t *Trace) status() []Status {
	list := make([]Status, len(t.of.Streams))
	for i := range list {
		var value C.int32_t
		code := C.ov_trace_status(t.c, C.int32_t(i), &value)
		switch {
		case code < 0:
			list[i].Absent = true
		case code > 0:
			list[i].Code = schedule.Code(code)
		default:
			list[i].Value = int8(value)
		}
	}
	return list
}

// Asked is the code that a host function got that asked for its own stream; false when it did not run.
func (t *Trace) Asked(i int) (schedule.Code, bool) {
	a := unsafe.Slice(t.c.stock.asked, t.c.stock.nasked)[i]
	return schedule.Code(a.code), a.ran != 0
}

// End ends the captures that are still open and all threads but the first, waits for the device and reads the stamps.
func (t *Trace) End() (*Rep, error) {
	t.leave()
	r := t.program.NewRep()
	if err := t.program.collect(r); err != nil {
		return nil, err
	}
	var times C.ov_times
	err := check("comparing clocks", schedule.Code(C.ov_clock(t.program.c, &times)))
	r.Low, r.High = int64(times.low), int64(times.high)
	return r, err
}

// leave ends the threads. Captures end on the threads that began them.
func (t *Trace) leave() {
	for _, th := range t.threads {
		th.do(func() { C.ov_trace_leave(t.c) })
		close(th.work)
	}
	t.threads = nil
	C.ov_trace_leave(t.c)
}

// Close destroys what the trace made.
func (t *Trace) Close() {
	if t.c == nil {
		return
	}
	if t.threads != nil {
		t.leave()
	}
	C.ov_trace_free(t.c)
	t.c = nil
}

// thread is a thread of the host beside the first. It is one of the system's: capture modes and contexts are a thread's.
type thread struct {
	work chan func()
	done chan struct{}
}

func (th *thread) do(f func()) {
	th.work <- f
	<-th.done
}

// on has a thread do something, and waits for it. A thread begins with its first call.
func (t *Trace) on(id int32, f func()) (err error) {
	if id == 0 {
		f()
		return nil
	}
	th := t.threads[id]
	if th == nil {
		th = &thread{work: make(chan func()), done: make(chan struct{})}
		t.threads[id] = th
		go th.run()
		th.do(func() { err = check("cuCtxSetCurrent", schedule.Code(C.ov_trace_enter(t.c))) })
		if err != nil {
			return err
		}
	}
	th.do(f)
	return nil
}

// run never unlocks its thread, so that the thread ends with it.
func (th *thread) run() {
	runtime.LockOSThread()
	for f := range th.work {
		f()
		th.done <- struct{}{}
	}
}
