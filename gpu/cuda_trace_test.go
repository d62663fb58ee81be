//go:build gpu && cgo

package gpu_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/internal/probe"
	"github.com/gpu-overlap/overlap/schedule"
)

const everything = "testdata/trace.txtar"

// Every call of a probe is in the file that the test below makes on a GPU.
func TestTraceOfEverything(t *testing.T) {
	f, err := probe.Read(everything)
	require.NoError(t, err)
	verbs, apis := make([]bool, schedule.NumVerbs), make([]bool, schedule.NumAPIs)
	for _, part := range f.Parts {
		for _, in := range part.Program.Body {
			verbs[in.Verb] = true
			if in.Verb == schedule.Invoke {
				apis[part.Program.ArgsOf(in).API] = true
			}
		}
	}
	for v := range schedule.NumVerbs {
		if v.Role() == schedule.OfProbe {
			assert.True(t, verbs[v], "no %s", v.Call())
		}
	}
	assert.NotContains(t, apis[schedule.NoAPI+1:], false)
}

// The calls that only probes make, on a GPU; -v prints what each showed.
func TestTraceHardware(t *testing.T) {
	dev, err := gpu.OpenCUDA(t.Context(), gpu.Options{})
	if missing := (*gpu.Unavailable)(nil); errors.As(err, &missing) {
		t.Skip(err)
	}
	require.NoError(t, err)
	defer dev.Close()
	f, err := probe.Read(everything)
	require.NoError(t, err)
	log, err := probe.Run(t.Context(), dev.(gpu.Tracer), f, dev.Info().Name)
	t.Log("\n" + log.Text())
	require.NoError(t, err)
}
