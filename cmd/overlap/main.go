// Command overlap runs schedules on a simulated device or a GPU and says whether they overlap as well as they can, and
// if not, why not. "overlap run" with no argument runs the reference experiment.
//
// Exit status: 0 when every case gave the verdict that it expects, 1 when one did not, 2 for bad input or usage, 3 when
// the device is not available or failed, 4 when a case is inconclusive.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const (
	exitMissed       = 1
	exitUsage        = 2
	exitDevice       = 3
	exitInconclusive = 4
)

// exitError carries an exit status; an empty message means that all has been said.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func main() {
	os.Exit(status(newRoot().Execute()))
}

// untilSignal is done at the first signal, so that what runs ends and the device is given back; a second signal ends
// the process at once. Where no device is open the first does: reading a file that is a pipe may take for ever.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// status prints what is left to say and gives the exit status. What is not an exitError came from the flags.
func status(err error) int {
	if err == nil {
		return 0
	}
	var e *exitError
	if !errors.As(err, &e) {
		e = &exitError{status: exitUsage, err: err}
	}
	if e.err != nil {
		fmt.Fprintf(os.Stderr, "overlap: %v\n", e.err)
	}
	return e.status
}
