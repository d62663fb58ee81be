//go:build gpu && cgo

package gpu

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockGPU waits until no other suite uses the GPU: what runs beside a measurement spoils it, and go test runs packages
// side by side. The lock ends with the process.
func lockGPU(ctx context.Context, uuid string, wait time.Duration) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(os.TempDir(), "overlap-gpu-"+uuid+".lock"), flock.SetPermissions(0o666))
	got, err := lock.TryLock()
	if err == nil && !got {
		fmt.Fprintf(os.Stderr, "waiting up to %s for another suite that uses this GPU (%s)\n", wait, lock.Path())
		until, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		if got, err = lock.TryLockContext(until, 50*time.Millisecond); until.Err() != nil && ctx.Err() == nil {
			err = nil
		}
	}
	switch {
	case got:
		return lock, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &Unavailable{What: "cannot lock the GPU: " + err.Error(), Help: "make " + lock.Path() + " writable"}
	}
	return nil, &Unavailable{
		What: fmt.Sprintf("the GPU is in use by another suite, which did not end within %s", wait),
		Help: "wait for it, or choose another GPU; the lock is " + lock.Path(),
	}
}
