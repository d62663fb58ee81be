package conform

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/internal/rules"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// seen is a program from its text, and what the simulated device showed of it.
func seen(t *testing.T, text string) (*schedule.Program, *Seen) {
	p, err := Parse(text)
	require.NoError(t, err)
	s, err := see(t.Context(), p)
	require.NoError(t, err)
	require.Empty(t, Faults(p, s, 0))
	return p, s
}

const forked = `stream s0
stream s1
s0: begin capture
s0: computation A 20us
s0: record e0
s1: wait e0
s1: computation B 30us
s0: computation C 40us
s1: record e1
s0: wait e1
s0: computation D 50us
s0: end capture g0
instantiate g0
main: computation M 60us
s1: replay g0
s1: host F 20us
s0: host G 20us
`

// Negative controls: each rule, broken at one place.
func TestFaults(t *testing.T) {
	for _, row := range []struct {
		name, want string
		change     func(s *Seen, op func(string) int)
	}{
		{"a fault is not seen where none is", "", func(*Seen, func(string) int) {}},
		{"too early behind its stream", "op F starts", func(s *Seen, op func(string) int) { s.Spans[op("F")].Start-- }},
		{"too early along an edge", "op B starts", func(s *Seen, op func(string) int) { s.Spans[op("B")].Start-- }},
		{"too early behind a join", "op D starts", func(s *Seen, op func(string) int) { s.Spans[op("C")].End++ }},
		{"before it was issued", "op M starts", func(s *Seen, op func(string) int) { s.Spans[op("M")].Start-- }},
		{"too late", "though nothing holds it back", func(s *Seen, op func(string) int) { s.Spans[op("C")].Start++ }},
		{"a host function too late", "op F starts", func(s *Seen, op func(string) int) { s.Spans[op("F")].Start++ }},
		{"never ran", "op M: issued: true, ran: false", func(s *Seen,
			op func(string) int) {
			s.Spans[op("M")].Ran = false
		}},
		{"ran unasked", "op M: issued: false, ran: true", func(s *Seen, _ func(string) int) {
			s.Codes[11] = schedule.InvalidValue // the launch of M
		}},
		{"two host functions at once", "which runs one", func(s *Seen,
			op func(string) int) {
			s.Spans[op("G")].End = s.Spans[op("F")].End
		}},
		{"an edge less", "node 1 comes after", func(s *Seen, _ func(string) int) { cut(s, 0, 1) }},
		{"an edge less at the join", "node 3 comes after", func(s *Seen, _ func(string) int) { cut(s, 1, 3) }},
		{"an edge more", "node 2 comes after", func(s *Seen, _ func(string) int) {
			g := captured(s)
			g.Edges = append(g.Edges, graph.Edge{From: 1, To: 2})
		}},
		{"a cycle", "a cycle", func(s *Seen, _ func(string) int) {
			g := captured(s)
			g.Edges = append(g.Edges, graph.Edge{From: 3, To: 0})
		}},
		{"a node less", "want 4 nodes",
			func(s *Seen, _ func(string) int) { g := captured(s); g.Nodes = g.Nodes[:3]; g.Edges = nil }},
		{"called unjoined", "904 CUDA_ERROR_STREAM_CAPTURE_UNJOINED, though", func(s *Seen, _ func(string) int) {
			s.Codes[9], s.Codes[10], s.Codes[12] = schedule.CaptureUnjoined, schedule.InvalidValue,
				schedule.InvalidValue
		}},
		{"no graph", "no graph; want 4 nodes", func(s *Seen, _ func(string) int) { clear(s.Graphs) }},
	} {
		p, s := seen(t, forked)
		row.change(s, func(name string) int { return int(p.Intent.OpNamed(name)) })
		got := strings.Join(Faults(p, s, 0), "\n")
		assert.Contains(t, got, row.want, row.name)
		assert.Equal(t, row.want == "", got == "", "%s: %s", row.name, got)
	}
}

// captured is the graph that the first capture gave.
func captured(s *Seen) *graph.Graph {
	return s.Graphs[slices.IndexFunc(s.Graphs, func(g *graph.Graph) bool { return g != nil })]
}

func cut(s *Seen, from, to int32) {
	g := captured(s)
	g.Edges = slices.DeleteFunc(slices.Clone(g.Edges), func(e graph.Edge) bool { return e.From == from && e.To == to })
}

// Stamps may be off by slack, and by no more.
func TestSlack(t *testing.T) {
	p, s := seen(t, forked)
	s.Issued = nil
	s.Spans[p.Intent.OpNamed("B")].Start -= time.Microsecond
	assert.Empty(t, Faults(p, s, time.Microsecond))
	assert.NotEmpty(t, Faults(p, s, time.Microsecond-1))
}

// Grids that would hold more than all SMs.
func TestFaultsOfSMs(t *testing.T) {
	p, s := seen(t, "stream s0\nstream s1\ns0: computation A 20us sms 60%\ns1: computation B 20us sms 60%\n")
	s.Spans[1].Start -= 20 * time.Microsecond
	assert.Contains(t, strings.Join(Faults(p, s, 0), "\n"), "grids hold 120 %")
}

// Mutants: a device on which a wait has no effect breaks a rule wherever it matters, and often enough.
func TestFaultsOfDroppedWaits(t *testing.T) {
	mutants, found := 0, 0
	for seed := range uint64(400) {
		p := Generate(seed)
		whole, err := see(t.Context(), p)
		require.NoError(t, err)
		for i, in := range p.Body {
			if in.Verb != schedule.Wait || whole.Codes[i] != schedule.Success {
				continue
			}
			q := *p
			q.Body = slices.Delete(slices.Clone(p.Body), i, i+1)
			s, err := see(t.Context(), &q)
			require.NoError(t, err)
			s.Codes, s.Issued = slices.Insert(s.Codes, i, schedule.Success),
				slices.Insert(s.Issued, i, s.Issued[min(i, len(s.Issued)-1)])
			s.Graphs = slices.Insert(s.Graphs, i, (*graph.Graph)(nil))
			if slices.Equal(s.Codes, whole.Codes) && !slices.Equal(s.Spans, whole.Spans) {
				mutants++
				if len(Faults(p, s, 0)) > 0 {
					found++
				}
			}
		}
	}
	assert.Greater(t, mutants, 30)
	assert.Equal(t, mutants, found)
}

// Of calls that succeed against the rules nothing is said: that they do is for Compare to say.
func TestFaultsOfUnknownCalls(t *testing.T) {
	for _, text := range []string{
		"stream s0\ns0: end capture g0\n", "stream s0\ninstantiate g0\ns0: end capture g0\n",
		"stream s0\ns0: replay g0\ns0: end capture g0\n",
		"stream s0\ns0: begin capture\ns0: end capture g0\ninstantiate g0\ns0: begin capture\ns0: replay g0\ns0: computation A 20us\n",
	} {
		p, err := Parse(text)
		require.NoError(t, err)
		s, err := see(t.Context(), p)
		require.NoError(t, err)
		s.Graphs = nil
		clear(s.Codes) // all succeed
		s.Spans = make([]timeline.Span, len(s.Spans))
		for i := range s.Spans {
			s.Spans[i].Ran = true
		}
		assert.True(t, rules.Follow(p, s.Codes).Unknown, text)
		assert.Empty(t, Faults(p, s, 0), text)
	}
}

// An unjoined capture that ends well.
func TestFaultsOfUnjoined(t *testing.T) {
	p, s := seen(t, "stream s0\nstream s1\ns0: begin capture\ns0: record e0\ns1: wait e0\ns1: computation A 20us\ns0: end capture g0\n")
	require.Equal(t, schedule.CaptureUnjoined, s.Codes[4])
	s.Codes[4] = schedule.Success
	assert.Contains(t, strings.Join(Faults(p, s, 0), "\n"), "end capture g0: 0 CUDA_SUCCESS, though")
}
