package main

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestPlace(t *testing.T) {
	cpus, err := places()
	require.NoError(t, err)
	require.NotEmpty(t, cpus)
	cmd := exec.Command("sh", "-c", "sleep 60 & wait")
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		for _, p := range family(cmd.Process.Pid) {
			_ = unix.Kill(p, unix.SIGKILL)
		}
		_ = cmd.Wait()
	})
	require.Eventually(t, func() bool { return len(family(cmd.Process.Pid)) == 2 }, 10*time.Second, 10*time.Millisecond)
	last := cpus[len(cpus)-1]
	require.NoError(t, place(cmd.Process.Pid, last))
	for _, p := range family(cmd.Process.Pid) {
		var set unix.CPUSet
		require.NoError(t, unix.SchedGetaffinity(p, &set))
		assert.Equal(t, 1, set.Count())
		assert.True(t, set.IsSet(last))
	}
	assert.Error(t, place(cmd.Process.Pid, 1023), "a processor that is not there")
}
