//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// commandEnv makes the test binary the command.
const commandEnv = "OVERLAP_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(commandEnv) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestSignalWhileReading: what waits for a file that never comes ends at the first signal.
func TestSignalWhileReading(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for name, args := range map[string][]string{
		"run": {"run", pipe}, "check": {"check", pipe}, "show": {"show", pipe}, "graph": {"graph", pipe},
		"calibrate": {"calibrate", "--from", pipe}, "predict": {"predict", "--from", pipe},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], args...)
			cmd.Env = append(os.Environ(), commandEnv+"=1")
			require.NoError(t, cmd.Start())
			// The other end opens once the command has opened the pipe, and nothing is ever written into it.
			require.Eventually(t, func() bool {
				w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
				if err == nil {
					t.Cleanup(func() { w.Close() })
				}
				return err == nil
			}, 10*time.Second, 5*time.Millisecond)
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
			cmd.Wait()
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			assert.Equal(t, syscall.SIGTERM, status.Signal(), "ended by the signal, not by the time limit: %v", cmd.ProcessState)
		})
	}
}

// TestSignalWhileRunning: the first signal ends a run with the status of a device that did not answer.
func TestSignalWhileRunning(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], sim("run", "--reps", "1000000", "--machine", "h200")...)
	cmd.Env = append(os.Environ(), commandEnv+"=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = out.Read(make([]byte, 1)) // the headline: the device is open
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	cmd.Wait()
	assert.Equal(t, exitDevice, cmd.ProcessState.ExitCode())
}
