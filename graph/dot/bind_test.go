package dot

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
	"github.com/gpu-overlap/overlap/schedule"
)

func TestReadNames(t *testing.T) {
	names, err := ReadNames(strings.NewReader("# why\n0 A0\n\n  2\tB0 # note\n"))
	require.NoError(t, err)
	assert.Equal(t, map[int32]string{0: "A0", 2: "B0"}, names)
	for text, want := range map[string]string{
		"0 A0\nA1 1":               `names line 2: want a node's number and an op's name, as "0 A0", found "A1 1"`,
		"0":                        "names line 1: want a node's number",
		"0 A0 B0":                  "names line 1: want a node's number",
		"-1 A0":                    "names line 1: want a node's number",
		"4294967296 A0":            "names line 1: want a node's number",
		"0 A0\n0 A1":               "names line 2: node 0 is named a second time, was A0",
		strings.Repeat("x", 1<<20): "names: ",
	} {
		_, err := ReadNames(strings.NewReader(text))
		assert.ErrorContains(t, err, want)
	}
	_, err = ReadNames(iotest.ErrReader(errors.New("disk gone")))
	assert.EqualError(t, err, "names: disk gone")
}

func TestBind(t *testing.T) {
	dump := &graph.Graph{Nodes: []graph.Node{{Name: "k"}, {Name: "k"}}, Edges: []graph.Edge{{From: 0, To: 1}}}
	in := graphtest.Intent("A B C")
	got, err := Bind(dump, map[int32]string{0: "C", 1: "A"}, in)
	require.NoError(t, err)
	assert.Equal(t, &graph.Graph{Nodes: []graph.Node{{Op: schedule.At(2), Name: "C"}, {Op: schedule.At(0), Name: "A"}},
		Edges: dump.Edges}, got)
	assert.Equal(t, "k", dump.Nodes[0].Name, "the import itself stays as it was")

	for want, names := range map[string]map[int32]string{
		"names: 2 B: the graph has no node 2, want 0 to 1":    {0: "A", 1: "C", 2: "B"},
		"names: node 1 (k) has no name, want a line \"1 OP\"": {0: "A"},
		"node 1: the schedule has no op X":                    {0: "A", 1: "X"},
		"node 1: op A is node 0 already":                      {0: "A", 1: "A"},
	} {
		_, err := Bind(dump, names, in)
		assert.EqualError(t, err, want)
	}
	// A canonical file carries the names itself.
	got, err = Resolve(parseString(t, dotOf(t, graphtest.Reference())), graphtest.Intent("A0 A1 B0 B1 C0 C1 D0 D1"))
	require.NoError(t, err)
	assert.Equal(t, graphtest.Reference(), got)
}
