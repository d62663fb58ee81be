//go:build gpu && cgo

package gpu

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// workerVar is the environment variable that makes a binary a worker: it holds the process that started it.
const workerVar = "OVERLAP_WORKER"

// scratchVar tells a worker where temporary files go: what its binary links may have changed TMPDIR by the time.
const scratchVar = "OVERLAP_WORKER_SCRATCH"

// isWorker says whether this process was started by startWorker. The variable alone does not make it one: it could have
// been left in a user's environment.
func isWorker() bool {
	if os.Getenv(workerVar) != strconv.Itoa(os.Getppid()) {
		return false
	}
	var replies syscall.Stat_t
	return syscall.Fstat(3, &replies) == nil && replies.Mode&syscall.S_IFMT == syscall.S_IFIFO
}

// worker is this binary executed again. It owns the GPU, so that what hangs or dies with the driver is not the suite.
type worker struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *os.File
	enc  *gob.Encoder
	dec  *gob.Decoder
	said words
}

// startWorker starts one with more variables in its environment.
func startWorker(env []string) (*worker, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	w := &worker{cmd: exec.Command(exe), out: out, dec: gob.NewDecoder(out)}
	w.cmd.Env = append(append(os.Environ(), env...), workerVar+"="+strconv.Itoa(os.Getpid()))
	w.cmd.Stdout, w.cmd.Stderr = &w.said, &w.said
	w.cmd.ExtraFiles = []*os.File{theirs}
	w.cmd.WaitDelay = time.Second
	if w.in, err = w.cmd.StdinPipe(); err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		out.Close()
		return nil, err
	}
	w.enc = gob.NewEncoder(w.in)
	return w, nil
}

var errHung = errors.New("no answer")

// call makes a request and waits for its reply, until limit or until ctx ends. After any error the worker is dead.
func (w *worker) call(ctx context.Context, req request, limit time.Duration) (*reply, error) {
	type answer struct {
		reply *reply
		err   error
	}
	w.said.forget()
	done := make(chan answer, 1)
	go func() {
		r := &reply{}
		err := w.enc.Encode(&req)
		if err == nil {
			err = w.dec.Decode(r)
		}
		done <- answer{r, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a := <-done:
		if a.err != nil {
			return nil, w.died()
		}
		return a.reply, nil
	case <-ctx.Done():
		w.kill()
		return nil, ctx.Err()
	case <-timer.C:
		w.kill()
		return nil, fmt.Errorf("%w within %s, so its worker was killed", errHung, limit.Round(time.Millisecond))
	}
}

// died is the error of a worker that ended by itself: how, and what it said.
func (w *worker) died() error {
	w.in.Close()
	w.out.Close()
	timer := time.AfterFunc(5*time.Second, func() { w.cmd.Process.Kill() })
	err := w.cmd.Wait()
	timer.Stop()
	how := "its worker ended"
	if err != nil {
		how = "its worker died: " + err.Error()
	}
	if said := w.said.line(); said != "" {
		how += ": " + said
	}
	return errors.New(how)
}

func (w *worker) kill() {
	w.cmd.Process.Kill()
	w.in.Close()
	w.out.Close()
	w.cmd.Wait()
}

// quit lets the worker destroy its context; one that does not within a while is killed.
func (w *worker) quit() {
	if _, err := w.call(context.Background(), request{Verb: verbQuit}, 10*time.Second); err == nil {
		w.died()
	}
}

// words keeps the beginning of what is written to it during one request.
type words struct {
	mu    sync.Mutex
	first []byte
}

func (w *words) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const size = 4096
	w.first = append(w.first, b[:min(len(b), size-len(w.first))]...)
	return len(b), nil
}

func (w *words) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.first = nil
}

// line is the first two of the kept lines, as one: a crash says what it is before it dumps stacks and registers.
func (w *words) line() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	for line := range strings.Lines(string(w.first)) {
		if line = strings.TrimSpace(line); line != "" && len(lines) < 2 {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
