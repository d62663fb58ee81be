package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// transcriptSlices is what a repetition gives away: Codes, Issued and Spans.
const transcriptSlices = 3

// crossing is a Body of about n calls in which streams of all kinds wait for one another and contend for all that a
// device has: the legacy stream, blocking streams, copies, host functions, wide kernels, sets that grow call by call.
func crossing(t *testing.T, n int) *schedule.Program {
	var b strings.Builder
	for i := range n / 16 {
		s := fmt.Sprintf("s%d", i%5)
		fmt.Fprintf(&b, "K %s 2; R e%d %s; W b0 e%d; K b0 3; K L; H b1; HD s7; DH s8; R f b1; W s7 f; W s7 e%d; K s7 1 sms:60 bw:70;"+
			"QE e%d; K s8 1 sms:50 bw:80; R g s8; W %s g;", s, i%3, s, i%3, (i+1)%3, (i+2)%3, s)
	}
	p := program(t, "", b.String())
	for i := range p.Body {
		p.Body[i].Want = -1
	}
	return p
}

// A repetition after the first takes no memory but the transcript that it returns, however many ops there are.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	shared := H200
	shared.Connections = 8
	for _, m := range []Machine{Ideal, H200, shared} {
		for _, n := range []int{64, 4096} {
			s := wide(n)
			for name, p := range map[string]*schedule.Program{"eager": s.Eager(), "replay": s.Replay(),
				"crossing": crossing(t, n)} {
				got := steadyAllocs(t, m, p, func(*host) {})
				assert.EqualValues(t, transcriptSlices, got, "%s of %d ops on %s, %d connections", name, n, m.Name,
					m.Connections)
			}
		}
	}
}

// Negative control: a device that forgets its slabs, or the room for its works, allocates, and the more the more
// there is to do.
func TestSteadyStateSeesAllocations(t *testing.T) {
	few, many := crossing(t, 64), crossing(t, 4096)
	for name, forget := range map[string]func(*host){
		"slabs": func(h *host) { h.works.slabs = nil },
		"works": func(h *host) { h.chip = hardware.New(&h.m.Spec, h.p.Intent.Ops, load(h.p, len(h.streams))) },
	} {
		assert.Greater(t, steadyAllocs(t, Ideal, few, forget), float64(transcriptSlices), name)
		assert.Greater(t, steadyAllocs(t, Ideal, many, forget), steadyAllocs(t, Ideal, few, forget), name)
	}
}

// steadyAllocs is how often a repetition allocates once one has run; before each, forget is called.
func steadyAllocs(t *testing.T, m Machine, p *schedule.Program, forget func(*host)) float64 {
	r, err := Open(m).Prepare(t.Context(), p)
	require.NoError(t, err)
	return testing.AllocsPerRun(5, func() {
		forget(r.(*run).host)
		if _, err := r.Rep(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
