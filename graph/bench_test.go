package graph_test

import (
	"testing"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

func BenchmarkWidth1e5(b *testing.B) {
	for name, g := range graphtest.Shapes() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w, err := graph.WidthOf(g)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(w.AtLeast), "at-least")
				b.ReportMetric(float64(w.AtMost), "at-most")
			}
		})
	}
}
