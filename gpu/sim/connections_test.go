package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
)

// with is the ideal machine with so many connections.
func with(connections int) Machine {
	m := Ideal
	m.Connections = connections
	return m
}

func TestConnections(t *testing.T) {
	graph := "Bg s0; K s0 30ns; End s0 g; Inst g"
	for _, row := range []struct {
		name         string
		connections  int
		setup, calls string
		want, free   string // so, and with a connection for each stream
	}{
		{"depth first", 1, "", "K s0 30ns; K s0 10ns; K s1 20ns; Ctx", "0-30 30-40 30-50 | 50", "0-30 30-40 0-20 | 40"},
		{"breadth first", 1, "", "K s0 30ns; K s1 20ns; K s0 10ns; Ctx", "0-30 0-20 30-40 | 40",
			"0-30 0-20 30-40 | 40"},
		{"where the fewest wait", 2, "", "K s0 30ns; K s0 10ns; K s1 20ns; K s2 5ns; Ctx", "0-30 30-40 0-20 0-5 | 40",
			"0-30 30-40 0-20 0-5 | 40"},
		{"where the fewest run, if none wait", 3, "",
			"K s0 30ns; K s1 20ns; K s2 5ns; K s0 10ns; K s1 10ns; K s3 7ns; Ctx",
			"0-30 0-20 0-5 30-40 20-30 0-7 | 40", "0-30 0-20 0-5 30-40 20-30 0-7 | 40"},
		{"in the first, if works wait in all", 2, "", "K s0 30ns; K s0 10ns; K s1 20ns; K s1 10ns; K s2 5ns; Ctx",
			"0-30 30-40 0-20 20-30 30-35 | 40",
			"0-30 30-40 0-20 20-30 0-5 | 40"},
		{"a stream that has work under way stays", 2, "",
			"K s0 30ns; K s0 10ns; K s1 20ns; K s2 5ns; K s2 5ns; K s1 1ns; Ctx",
			"0-30 30-40 0-20 0-5 5-10 20-21 | 40", "0-30 30-40 0-20 0-5 5-10 20-21 | 40"},
		{"one that has none takes another", 2, "",
			"K s0 50ns; K s1 20ns; K s1 5ns; K s2 9ns; Sy s2; K s0 7ns; K s0 1ns; K s2 5ns; Ctx",
			"0-50 0-20 20-25 0-9 50-57 57-58 20-25 | 58", "0-50 0-20 20-25 0-9 50-57 57-58 9-14 | 58"},
		{"enough", 3, "", "K s0 30ns; K s0 10ns; K s1 20ns; K s2 5ns; Ctx", "0-30 30-40 0-20 0-5 | 40",
			"0-30 30-40 0-20 0-5 | 40"},
		{"behind a wait", 1, "", "K s0 30ns; R e s0; W s1 e; K s1 10ns; K s2 5ns; Ctx", "0-30 30-40 30-35 | 40",
			"0-30 30-40 0-5 | 40"},
		{"behind a copy", 1, "", "K s0 30ns; HD s0 10ns; K s1 5ns; Ctx", "0-30 30-40 30-35 | 40",
			"0-30 30-40 0-5 | 40"},
		{"behind a copy that waits for its engine", 1, "", "HD s0 30ns; HD s1 10ns; K s2 5ns; Ctx",
			"0-30 30-40 30-35 | 40", "0-30 30-40 0-5 | 40"},
		{"behind a grid that waits for room", 1, "", "K s0 30ns sms:100; K s1 20ns sms:100; K s2^-1 5ns; Ctx",
			"0-30 30-50 50-55 | 55", "0-30 35-55 30-35 | 55"},
		{"a more urgent one that gets its turn", 2, "", "K s0 30ns sms:50; K s1 10ns sms:60; K s2^-1 5ns sms:50; Ctx",
			"0-30 30-40 0-5 | 40", "0-30 30-40 0-5 | 40"},
		{"not behind a host function", 1, "", "K s0 30ns; H s0 10ns; K s1 5ns; Ctx", "0-30 30-40 0-5 | 40",
			"0-30 30-40 0-5 | 40"},
		{"behind a gate", 1, "", "K s0 10ns; Gate s0; K s1 5ns; Open; Ctx", "0-10 10-15 | 15", "0-10 0-5 | 10"},
		{"graphs are free", 1, graph, "K s1 20ns; K s1 10ns; GL g s0; Ctx", "0-30 0-20 20-30 | 30",
			"0-30 0-20 20-30 | 30"},
		{"what follows them is not", 1, graph, "GL g s0; K s0 10ns; K s1 5ns; Ctx", "0-30 30-40 30-35 | 40",
			"0-30 30-40 0-5 | 40"},
		{"created again", 1, "", "MkS s0; MkS s1; K s1 3ns; Ctx; RmS s1; MkS s1; K s0 30ns; K s0 10ns; K s1 5ns; Ctx",
			"0-3 3-33 33-43 33-38 | 43", "0-3 3-33 33-43 3-8 | 43"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := program(t, row.setup, row.calls)
			assert.Equal(t, row.want, timetable(t, with(row.connections), p))
			assert.Equal(t, row.free, timetable(t, Ideal, p))
			assert.Equal(t, row.free, timetable(t, with(32), p))

			r := prepared(t, with(row.connections), p)
			trs, err := Open(Ideal).Sample(t.Context(), []gpu.Run{r}, 2)
			require.NoError(t, err)
			assert.Equal(t, trs[0][0], trs[0][1])
		})
	}
}

func TestWithEnv(t *testing.T) {
	d := Open(Ideal)
	for _, row := range []struct {
		env         []string
		connections int
		ok          bool
	}{
		{nil, 8, true},
		{[]string{"CUDA_DEVICE_MAX_CONNECTIONS=1"}, 1, true},
		{[]string{"CUDA_DEVICE_MAX_CONNECTIONS=32", "CUDA_LAUNCH_BLOCKING=1", "CUDA_MODULE_LOADING=EAGER"}, 32, true},
		{[]string{"CUDA_DEVICE_MAX_CONNECTIONS=2", "CUDA_DEVICE_MAX_CONNECTIONS=3"}, 3, true},
		{[]string{"CUDA_DEVICE_MAX_CONNECTIONS=0"}, 0, false},
		{[]string{"CUDA_DEVICE_MAX_CONNECTIONS=33"}, 0, false},
		{[]string{"CUDA_DEVICE_MAX_CONNECTIONS=many"}, 0, false},
		{[]string{"CUDA_DEVICE_MAX_CONNECTIONS"}, 0, false},
		{[]string{"CUDA_LAUNCH_BLOCKING=2"}, 0, false},
		{[]string{"CUDA_MODULE_LOADING=SOON"}, 0, false},
		{[]string{"LD_PRELOAD=x"}, 0, false},
	} {
		other, err := d.WithEnv(t.Context(), row.env)
		assert.Equal(t, row.ok, err == nil, "%v: %v", row.env, err)
		if err != nil {
			assert.ErrorContains(t, err, row.env[0]+" is not modelled; want CUDA_DEVICE_MAX_CONNECTIONS=1 to 32")
			continue
		}
		assert.Equal(t, row.connections, other.Info().Connections)
		assert.True(t, other.Info().Exact)
		require.NoError(t, other.Close())
	}
	assert.Equal(t, 8, d.Info().Connections, "a variable reaches the device that it was not set for")

	one, err := d.WithEnv(t.Context(), []string{"CUDA_DEVICE_MAX_CONNECTIONS=1"})
	require.NoError(t, err)
	r, err := one.Prepare(t.Context(), program(t, "", "K s0 30ns; K s0 10ns; K s1 20ns; Ctx"))
	require.NoError(t, err)
	tr, err := r.Rep(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 50*time.Nanosecond, tr.Wall)
}

func TestLaunchBlocking(t *testing.T) {
	setup := "Bg s0; K s0 30ns; End s0 g; Inst g"
	calls := "K s1 30ns; K s2 20ns; HD s3 5ns; H s1 7ns; GL g s2; Gate s3; Open"
	blocking := Ideal
	for _, row := range []struct {
		value string
		want  string
	}{
		{"1", "62-92 0-30 30-50 50-55 55-62 | 1000000092"},
		{"0", "20-50 0-30 0-20 0-5 30-37 | 0"},
	} {
		require.True(t, blocking.set("CUDA_LAUNCH_BLOCKING", row.value))
		assert.Equal(t, row.want, timetable(t, blocking, program(t, setup, calls)))
	}
	costly := priced
	costly.LaunchBlocking = true
	assert.Equal(t, "6450-7450 16400-17400 | 19900", timetable(t, costly, program(t, "", "K s0 1000ns; K s1 1000ns")))
}
