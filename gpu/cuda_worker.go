//go:build gpu && cgo

package gpu

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/gpu-overlap/overlap/gpu/internal/driver"
)

// serve is the worker: it answers requests until it is told to quit, and gives the exit status. All driver calls are
// made here, on one thread: capture modes and current contexts belong to threads.
func serve(in io.Reader, out io.Writer) int {
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // garbage is collected between requests, not beside what is timed,
	debug.SetMemoryLimit(memoryLimit)
	s := &server{runs: map[int32]*prepared{}}
	enc := gob.NewEncoder(out)
	var mem runtime.MemStats
	for req := range requests(in) {
		r := s.answer(req)
		if err := enc.Encode(r); err != nil {
			fmt.Fprintln(os.Stderr, "the reply cannot be sent:", err)
			return 1
		}
		if req.Verb == verbQuit {
			return 0
		}
		if runtime.ReadMemStats(&mem); mem.HeapAlloc > heapLimit {
			runtime.GC()
		}
	}
	return 0
}

const (
	heapLimit   = 64 << 20 // from which on garbage is collected between two requests
	memoryLimit = 4 << 30  // and from which on it is collected all the same
)

// requests reads ahead of the thread that answers, so that a worker whose parent died ends even when the driver hangs.
func requests(in io.Reader) <-chan request {
	ch := make(chan request)
	go func() {
		dec := gob.NewDecoder(in)
		for {
			var req request
			if err := dec.Decode(&req); err != nil {
				endNow()
			}
			ch <- req
			if req.Verb == verbQuit {
				return
			}
		}
	}()
	return ch
}

// endNow ends the process without the driver's exit handlers, which may wait for the GPU.
func endNow() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		self.Kill()
	}
	select {}
}

// server is what the worker holds.
type server struct {
	device *driver.Device
	info   Info
	runs   map[int32]*prepared
	traced bool // a trace was made
}

func (s *server) answer(req request) *reply {
	r := &reply{}
	var err error
	switch req.Verb {
	case verbFind:
		err = s.find(req.GPU, r)
	case verbStart:
		err = s.device.Start()
	case verbPrepare:
		err = s.prepare(req, r)
	case verbSample:
		r.Samples, err = s.sample(req.Runs, req.Reps)
	case verbTrace:
		r.Trace, err = s.trace(req)
	case verbDrop:
		if run := s.runs[req.ID]; run != nil {
			delete(s.runs, req.ID)
			err = run.close()
		}
	case verbQuit:
		for _, run := range s.runs {
			run.close()
		}
		if s.device != nil {
			err = s.device.Close()
		}
	}
	if err != nil {
		r.Err, r.Help, r.Lost = err.Error(), help(err), req.Verb == verbTrace
		if f := (*driver.Failure)(nil); errors.As(err, &f) {
			r.Lost = r.Lost || driver.Sticky(f.Code)
			if req.Verb == verbStart {
				r.Help = "free the GPU for the suite, or choose another"
			}
		}
	}
	return r
}

func (s *server) find(gpu int, r *reply) (err error) {
	if s.device, err = driver.Find(gpu); err != nil {
		return err
	}
	s.info = Info{Device: "cuda", Name: s.device.Name, UUID: s.device.UUID, Driver: s.device.Driver, SMs: s.device.SMs,
		Connections: connections()}
	r.Info, r.UUID = s.info, s.device.UUID
	return nil
}

// connections is how many hardware queues this process asked for.
func connections() int {
	if n, err := strconv.Atoi(os.Getenv("CUDA_DEVICE_MAX_CONNECTIONS")); err == nil && n >= 1 && n <= 32 {
		return n
	}
	return 8
}

// help says what to do about a device that cannot be had; empty for other errors.
func help(err error) string {
	switch {
	case errors.Is(err, driver.ErrNoLibrary):
		return "install NVIDIA's driver, or name its libcuda in " + driver.LibraryVar
	case errors.Is(err, driver.ErrOldDriver):
		return "install a driver that speaks CUDA 12.3 or later (545 or later)"
	case errors.Is(err, driver.ErrNoDevice):
		return "check nvidia-smi and CUDA_VISIBLE_DEVICES"
	}
	return ""
}

// sample runs the repetitions, forth and back.
func (s *server) sample(ids []int32, reps int) ([][]Transcript, error) {
	runs := make([]*prepared, len(ids))
	out := make([][]Transcript, len(ids))
	for i, id := range ids {
		if runs[i] = s.runs[id]; runs[i] == nil || runs[i].program == nil {
			return nil, fmt.Errorf("run %d cannot be sampled: its Setup did not end as it should", id)
		}
		out[i] = make([]Transcript, 0, reps)
	}
	for rep := range reps {
		for i := range runs {
			if rep%2 == 1 {
				i = len(runs) - 1 - i
			}
			t, err := runs[i].rep()
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], t)
		}
	}
	return out, nil
}
