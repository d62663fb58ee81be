package match

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

// Two dumps of 100,000 nodes, the second numbered otherwise, are read and found equal; the bar is 1 s in all.
func BenchmarkReadCompare1e5(b *testing.B) {
	for _, form := range []string{"short", "verbose", "canonical"} {
		b.Run(form, func(b *testing.B) {
			g := graphtest.Pipeline(8, 12500)
			texts := [2]string{}
			for i, g := range []*graph.Graph{g, graphtest.Shuffled(rand.New(rand.NewPCG(1, 2)), g)} {
				if form == "canonical" {
					texts[i] = dotOf(b, g)
				} else {
					texts[i] = dumpOf(b, g, form == "verbose")
				}
			}
			b.SetBytes(int64(len(texts[0]) + len(texts[1])))
			b.ReportAllocs()
			for b.Loop() {
				var graphs [2]*graph.Graph
				for i, text := range texts {
					var err error
					if graphs[i], err = dot.Read(strings.NewReader(text)); err != nil {
						b.Fatal(err)
					}
				}
				if lines, err := Differences(graphs[0], graphs[1]); len(lines) > 0 || err != nil {
					b.Fatal(lines[:min(5, len(lines))], err)
				}
			}
		})
	}
}

// The same graph numbered otherwise, and one with an edge moved.
func BenchmarkDifferences1e5(b *testing.B) {
	for name, g := range graphtest.Shapes() {
		other := graphtest.Shuffled(rand.New(rand.NewPCG(5, 6)), g)
		less := &graph.Graph{Nodes: other.Nodes, Edges: append([]graph.Edge{}, other.Edges...)}
		if n := len(less.Edges); n > 0 {
			less.Edges = append(less.Edges[:n/2], less.Edges[n/2+1:]...)
		}
		for suffix, h := range map[string]*graph.Graph{"equal": other, "edge-less": less} {
			b.Run(name+"/"+suffix, func(b *testing.B) {
				for b.Loop() {
					lines, err := Differences(g, h)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(lines)), "lines")
				}
			})
		}
	}
}
