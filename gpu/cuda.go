//go:build gpu && cgo

package gpu

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gpu-overlap/overlap/schedule"
)

// cuda is the CUDA device as the suite sees it: requests to a worker, which is replaced when it hangs or dies.
type cuda struct {
	opt    Options
	info   Info
	env    []string // variables of its workers, beside those of this process
	lock   *flock.Flock
	lent   bool    // the lock is another device's
	worker *worker // nil after it was lost; the next Prepare starts another
	age    int     // of the worker: runs of an older one are gone
	nextID int32
}

// openLimit is how long a worker may take to find and start a device: drivers of hosts with many GPUs are slow.
const openLimit = 2 * time.Minute

// OpenCUDA opens a GPU. An *Unavailable says why there is none to be had, and what would help.
func OpenCUDA(ctx context.Context, opt Options) (Device, error) {
	d := &cuda{opt: opt}
	if err := d.start(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// start gives the device a worker. Without one that has started the GPU, the device has none.
func (d *cuda) start(ctx context.Context) error {
	w, err := startWorker(d.env)
	if err != nil {
		return &Unavailable{What: "no worker: " + err.Error(), Help: "let this binary execute itself"}
	}
	d.worker = w
	d.age++
	if err := d.startGPU(ctx); err != nil {
		if d.worker != nil {
			d.worker.quit()
			d.worker = nil
		}
		return err
	}
	return nil
}

// startGPU has the worker find the GPU, locks it, unless an earlier worker found it, and has its context made.
func (d *cuda) startGPU(ctx context.Context) error {
	found, err := d.call(ctx, request{Verb: verbFind, GPU: d.opt.GPU}, openLimit, "finding the GPU")
	if err != nil {
		return err
	}
	d.info = found.Info
	if d.lock == nil {
		if d.lock, err = lockGPU(ctx, found.UUID, d.opt.wait()); err != nil {
			return err
		}
	}
	_, err = d.call(ctx, request{Verb: verbStart}, openLimit, "starting the GPU")
	return err
}

func (d *cuda) Info() Info { return d.info }

// WithEnv starts another worker under this device's lock.
func (d *cuda) WithEnv(ctx context.Context, env []string) (Device, error) {
	other := &cuda{opt: d.opt, env: append(slices.Clone(d.env), env...), lock: d.lock, lent: true}
	if err := other.start(ctx); err != nil {
		return nil, err
	}
	return other, nil
}

// call makes a request of the worker; what names it in an error. A worker that failed is dropped.
func (d *cuda) call(ctx context.Context, req request, limit time.Duration, what string) (*reply, error) {
	r, err := d.worker.call(ctx, req, limit)
	if err != nil {
		d.worker = nil
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if r.Lost {
		d.worker.kill()
		d.worker = nil
	}
	switch {
	case r.Help != "":
		return nil, &Unavailable{What: r.Err, Help: r.Help}
	case r.Err != "":
		return nil, fmt.Errorf("%s: %s", what, r.Err)
	}
	return r, nil
}

// Prepare runs the program's Setup in the worker, after starting another when the last was lost.
func (d *cuda) Prepare(ctx context.Context, p *schedule.Program) (Run, error) {
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
	d.nextID++
	req := request{Verb: verbPrepare, ID: d.nextID, Program: p}
	r, err := d.call(ctx, req, 2*d.opt.slack()+4*nominal(p), title(p))
	if err != nil {
		return nil, err
	}
	return &cudaRun{device: d, program: p, setup: r.Setup, id: req.ID, age: d.age}, nil
}

// Sample runs the repetitions in the worker, so that nothing passes between two of them but the copying of stamps.
func (d *cuda) Sample(ctx context.Context, runs []Run, reps int) ([][]Transcript, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	req := request{Verb: verbSample, Reps: reps}
	limit := d.opt.slack()
	var titles []string
	for _, run := range runs {
		r, ok := run.(*cudaRun)
		if !ok || r.device != d {
			return nil, fmt.Errorf("%s: prepared by another device", title(run.Program()))
		}
		if r.age != d.age || d.worker == nil {
			return nil, fmt.Errorf("%s: its worker was lost; prepare it again", title(r.program))
		}
		req.Runs = append(req.Runs, r.id)
		limit += 4 * time.Duration(reps) * nominal(r.program)
		titles = append(titles, title(r.program))
	}
	r, err := d.call(ctx, req, limit, strings.Join(titles, ", "))
	if err != nil {
		return nil, err
	}
	return r.Samples, nil
}

// Close ends the worker and frees the GPU for others.
func (d *cuda) Close() error {
	if d.worker != nil {
		d.worker.quit()
		d.worker = nil
	}
	if d.lock == nil || d.lent {
		return nil
	}
	err := d.lock.Unlock()
	d.lock = nil
	return err
}

// title names a program and its case for messages.
func title(p *schedule.Program) string {
	if p.File == "" {
		return p.Name
	}
	return p.File + ": " + p.Name
}

// nominal is what a program takes when nothing overlaps, and a little for each op.
func nominal(p *schedule.Program) time.Duration {
	sum := time.Duration(len(p.Intent.Ops)+len(p.Setup)+len(p.Body)) * 100 * time.Microsecond
	sum += time.Duration(len(p.Body)) * p.HostDelay
	for _, in := range p.Body {
		if in.Verb == schedule.Gate {
			sum += time.Second // the longest that one holds
		}
		sum += p.ArgsOf(in).Dur
	}
	for _, op := range p.Intent.Ops {
		sum += op.Dur * time.Duration(max(op.Waves, 1))
	}
	return sum
}

// cudaRun is a run that the worker holds under its id.
type cudaRun struct {
	device  *cuda
	program *schedule.Program
	setup   Setup
	id      int32
	age     int
}

func (r *cudaRun) Program() *schedule.Program { return r.program }
func (r *cudaRun) Setup() *Setup              { return &r.setup }

func (r *cudaRun) Rep(ctx context.Context) (Transcript, error) {
	t, err := r.device.Sample(ctx, []Run{r}, 1)
	if err != nil {
		return Transcript{}, err
	}
	return t[0][0], nil
}

// Close has the worker destroy the run; one whose worker is gone is gone too.
func (r *cudaRun) Close() error {
	d := r.device
	if d.worker == nil || d.age != r.age {
		return nil
	}
	_, err := d.call(context.Background(), request{Verb: verbDrop, ID: r.id}, d.opt.slack()+4*nominal(r.program),
		title(r.program))
	return err
}

// init makes the binary a worker when it was started as one, before main and before any test.
func init() {
	if isWorker() {
		os.Exit(serve(os.Stdin, os.NewFile(3, "replies")))
	}
}
