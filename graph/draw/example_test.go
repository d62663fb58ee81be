package draw_test

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/draw"
)

func ExampleWriteSVG() {
	g := &graph.Graph{Nodes: []graph.Node{{Name: "A"}, {Name: "B"}}, Edges: []graph.Edge{{From: 0, To: 1}}}
	var picture strings.Builder
	if err := draw.WriteSVG(&picture, g, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("nodes:", strings.Count(picture.String(), `class="node"`))
	fmt.Println("edges:", strings.Count(picture.String(), `class="edge"`))
	// Output:
	// nodes: 2
	// edges: 1
}
