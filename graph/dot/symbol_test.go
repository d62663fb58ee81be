package dot

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/graph"
)

func TestShortName(t *testing.T) {
	for symbol, want := range map[string]string{
		"_Z18computation_kernelyPy": "computation_kernel",
		"_Z1fv":                     "f",
		"_ZN2at6native4copyEv":      "at::native::copy",
		"plain":                     "plain",
		"":                          "",
		"_Z":                        "_Z",
		"_Z9short":                  "_Z9short",
		"_Z99999999999999999999f":   "_Z99999999999999999999f",
		"_Z0f":                      "_Z0f",
		"_Z1fIiEvT_":                "_Z1fIiEvT_",
		"_ZN2at1fIiEEvv":            "_ZN2at1fIiEEvv",
		"_ZN2at":                    "_ZN2at",
		"_ZplRK1XS1_":               "_ZplRK1XS1_",
	} {
		assert.Equal(t, want, ShortName(symbol), symbol)
	}
	child := &graph.Graph{Nodes: []graph.Node{{Name: "_Z1gv"}}}
	g := &graph.Graph{Nodes: []graph.Node{{Name: "_Z1fv"}, {Kind: graph.HostNode, Name: "_Z1hv"},
		{Kind: graph.ChildNode, Children: []*graph.Graph{child}}}}
	short := ShortNames(g)
	assert.Equal(t, "f", short.Nodes[0].Name)
	assert.Equal(t, "_Z1hv", short.Nodes[1].Name)
	assert.Equal(t, "g", short.Nodes[2].Children[0].Nodes[0].Name)
	assert.Equal(t, "_Z1gv", child.Nodes[0].Name, "what was given stays as it was")
}
