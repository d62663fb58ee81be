// Package sim is the simulated device: it runs a schedule.Program in virtual time, as the CUDA driver would on an
// otherwise idle GPU.
//
// A host (host.go) reads the calls one by one and does what the driver's rules say: which calls are refused while
// streams capture (refuse.go, rows.go; package tables has what a GPU showed), what a stream's next work waits for
// (works.go, events.go), what a captured call becomes (capture.go) and how captures begin and end (capture_calls.go),
// what can be done with graphs (graphs.go) and their execs (instantiate.go, replay.go), and what a call shows
// (trace.go). A graph, captured or built by calls, is a template (node.go, template.go), of which the driver lists
// nodes and edges (listing.go), finds cycles (cycle.go), prints what it has (dot.go), and makes execs (exec.go,
// flatten.go, update.go). The works themselves run in package hardware, which knows nothing of calls. No two files
// use one another.
//
// Each rule has an id and the probe that measured it in docs/semantics.md; a test holds the goldens of the probes
// against this device. Comments name rules by their ids, and say "documented" or "assumed" where no probe measured;
// the costs of a machine are in machine.go. Not modelled: how a grid's blocks are placed one by one beyond whole
// waves, caches and clocks, and what undefined behaviour makes of handles that are gone: a call that names one gives
// InvalidHandle.
//
// It is exact and deterministic: no goroutine, no wall clock, and no randomness but a machine's Noise, which follows
// from its seed. Times are integer nanoseconds. On the machine Ideal a call costs nothing, and an op starts when the
// last of what it waits for ends and the hardware has room.
package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Open gives a device that behaves as the machine. One that Validate refuses prepares nothing.
func Open(m Machine) gpu.Tracer { return &device{m: m, reps: new(int)} }

type device struct {
	m    Machine
	reps *int // repetitions so far
}

func (d *device) Info() gpu.Info {
	info := gpu.Info{Device: "sim", Name: d.m.Name, Simulated: true, SMs: d.m.SMs,
		Exact: d.m.exact(), Noisy: d.m.Noise.Varies(),
		Connections: d.m.Connections}
	if info.Connections == 0 {
		info.Connections = hardware.DefaultConnections // as a driver says; here, each stream has its own then
	}
	return info
}

func (d *device) Close() error { return nil }

func (d *device) Sample(ctx context.Context, runs []gpu.Run, reps int) ([][]gpu.Transcript, error) {
	if reps < 1 {
		return nil, fmt.Errorf("sim: %d repetitions; at least 1 is needed", reps)
	}
	return gpu.Interleave(ctx, runs, reps)
}

// Prepare runs the Setup. It refuses a program whose indices point to nothing.
func (d *device) Prepare(ctx context.Context, p *schedule.Program) (gpu.Run, error) {
	h, err := d.host(ctx, p)
	if err != nil {
		return nil, err
	}
	r := &run{host: h, reps: d.reps}
	r.host.chip.Reset(make([]timeline.Span, len(p.Intent.Ops)))
	r.setup.Codes = make([]schedule.Code, 0, len(p.Setup))
	for i, in := range p.Setup {
		if err := alive(ctx, i); err != nil {
			return nil, err
		}
		code := r.host.call(in)
		r.setup.Codes = append(r.setup.Codes, code)
		if code != in.Want {
			break
		}
	}
	r.host.chip.Drain()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.host.reserve()
	if len(r.host.captured) > 0 && r.host.captured[0] != nil {
		c := r.host.captured[0]
		r.setup.Graph = c.graph(p)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.setup.DOT, r.setup.DOTAll = dumps(c, p)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// host is that of a program that is fit to run.
func (d *device) host(ctx context.Context, p *schedule.Program) (*host, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := validate(p); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := d.m.Validate(); err != nil {
		return nil, err
	}
	t, err := tables.Read()
	if err != nil {
		return nil, err
	}
	return newHost(p, &d.m, t), nil
}

// alive gives the error of ctx; it looks only at every 4096th instruction.
func alive(ctx context.Context, i int) error {
	if i%4096 != 0 {
		return nil
	}
	return ctx.Err()
}

// run is a prepared program. State that outlives a repetition on a GPU (events, captures, graphs) outlives it here.
type run struct {
	host   *host
	setup  gpu.Setup
	reps   *int  // of the device
	broken error // of a repetition that did not end
}

func (r *run) Program() *schedule.Program { return r.host.p }

func (r *run) Setup() *gpu.Setup { return &r.setup }

func (r *run) Close() error {
	r.broken = errors.New("sim: the run is closed")
	return nil
}

// Rep runs the Body on an idle device, from time 0, and lets the device become idle again. Every instruction is issued,
// whatever code the one before gave. Of an op that runs more than once the last span counts.
func (r *run) Rep(ctx context.Context) (gpu.Transcript, error) {
	h, p := r.host, r.host.p
	if err := gpu.Check(p, p.Setup, r.setup.Codes); err != nil {
		return gpu.Transcript{}, fmt.Errorf("sim: setup failed, nothing to repeat: %w", err)
	}
	if r.broken != nil {
		return gpu.Transcript{}, r.broken
	}
	t := gpu.Transcript{
		Codes:  make([]schedule.Code, len(p.Body)),
		Issued: make([]time.Duration, len(p.Body)),
		Spans:  make([]timeline.Span, len(p.Intent.Ops)),
		Clock:  gpu.Clock{Known: true},
	}
	h.jitter.Begin(*r.reps)
	*r.reps++
	h.forgetWorks()
	h.chip.Reset(t.Spans)
	for i, in := range p.Body {
		if err := alive(ctx, i); err != nil {
			r.broken = fmt.Errorf("sim: an earlier repetition did not end: %w", err)
			return gpu.Transcript{}, err
		}
		h.now += p.HostDelay + h.jitter.Delay()
		t.Issued[i] = h.now
		t.Codes[i] = h.call(in)
		if !in.Verb.Blocks() {
			t.Issue = h.now
		}
	}
	t.Wall = h.now
	h.chip.Drain()
	return t, nil
}
