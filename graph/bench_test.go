package graph

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Two dumps of 100,000 nodes, the second numbered otherwise, are read and found equal; the bar is 1 s in all.
func BenchmarkReadCompare1e5(b *testing.B) {
	for _, form := range []string{"short", "verbose", "canonical"} {
		b.Run(form, func(b *testing.B) {
			g := pipeline(8, 12500)
			texts := [2]string{}
			for i, g := range []*Graph{g, shuffled(rand.New(rand.NewPCG(1, 2)), g)} {
				if form == "canonical" {
					texts[i] = dotOf(b, g)
				} else {
					texts[i] = dumpOf(b, g, form == "verbose")
				}
			}
			b.SetBytes(int64(len(texts[0]) + len(texts[1])))
			b.ReportAllocs()
			for b.Loop() {
				var graphs [2]*Graph
				for i, text := range texts {
					var err error
					if graphs[i], err = ParseDOT(strings.NewReader(text)); err != nil {
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

// Graphs of 100,000 nodes: a pipeline as it is captured, layers of random edges, many equal chains between a fork and a
// join, and all nodes in one row.
func shapes() map[string]*Graph {
	r := rand.New(rand.NewPCG(3, 4))
	random := &Graph{}
	for i := range int32(100_000) {
		random.Nodes = append(random.Nodes, Node{Name: "k"})
		for range 2 {
			if i >= 100 {
				random.Edges = append(random.Edges, Edge{From: i - 1 - r.Int32N(100), To: i})
			}
		}
	}
	random.Sort()
	forked := &Graph{Nodes: make([]Node, 100_002)}
	for i := range int32(100_000) {
		from, to := i-1, int32(100_001)
		if i%10 == 0 {
			from = 100_000
		}
		forked.Edges = append(forked.Edges, Edge{From: from, To: i})
		if i%10 == 9 {
			forked.Edges = append(forked.Edges, Edge{From: i, To: to})
		}
	}
	forked.Edges = append(forked.Edges, Edge{From: 100_000, To: 100_001})
	forked.Sort()
	return map[string]*Graph{"pipeline8": pipeline(8, 12500), "pipeline300": pipeline(300, 333), "random": random, "forked": forked,
		"chain": pipeline(1, 100_000), "apart": {Nodes: make([]Node, 100_000)}}
}

func BenchmarkWidth1e5(b *testing.B) {
	for name, g := range shapes() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w, err := WidthOf(g)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(w.AtLeast), "at-least")
				b.ReportMetric(float64(w.AtMost), "at-most")
			}
		})
	}
}

// The same graph numbered otherwise, and one with an edge moved.
func BenchmarkDifferences1e5(b *testing.B) {
	for name, g := range shapes() {
		other := shuffled(rand.New(rand.NewPCG(5, 6)), g)
		less := &Graph{Nodes: other.Nodes, Edges: append([]Edge{}, other.Edges...)}
		if n := len(less.Edges); n > 0 {
			less.Edges = append(less.Edges[:n/2], less.Edges[n/2+1:]...)
		}
		for suffix, h := range map[string]*Graph{"equal": other, "edge-less": less} {
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
