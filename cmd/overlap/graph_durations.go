package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/graph"
)

// durationRule gives the nodes of a name, pattern or kind a duration.
type durationRule struct {
	name  string
	takes time.Duration
	used  bool
}

// durationRules say how long nodes take; nil when no flag does.
type durationRules struct {
	rules    []durationRule
	standard time.Duration // -1: none was given
}

// maxDuration is that of a case file.
const maxDuration = time.Hour

func (f *graphFlags) rules() (*durationRules, error) {
	if len(f.durations) == 0 && f.standard == "" {
		return nil, nil
	}
	r := &durationRules{standard: -1}
	for _, text := range f.durations {
		at := strings.LastIndexByte(text, '=')
		if at <= 0 {
			return nil, fmt.Errorf("--duration %s: want NAME=DUR, as gemm=120us", text)
		}
		takes, err := parseDuration("--duration "+text, text[at+1:])
		if err != nil {
			return nil, err
		}
		if _, err := path.Match(text[:at], ""); err != nil {
			return nil, fmt.Errorf("--duration %s: want a name, a kind or a pattern such as *gemm*", text)
		}
		r.rules = append(r.rules, durationRule{name: text[:at], takes: takes})
	}
	if f.standard != "" {
		takes, err := parseDuration("--default "+f.standard, f.standard)
		if err != nil {
			return nil, err
		}
		r.standard = takes
	}
	return r, nil
}

func parseDuration(flag, text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxDuration {
		return 0, fmt.Errorf("%s: want a duration of 0 to %v, as 1.5us", flag, maxDuration)
	}
	return d, nil
}

// of is what the rules say of a node; the last counts.
func (r *durationRules) of(n graph.Node) (takes time.Duration, given bool) {
	for i := range r.rules {
		rule := &r.rules[i]
		fits, _ := path.Match(rule.name, n.Name)
		if fits || rule.name == n.Name || rule.name == n.Kind.String() {
			takes, given, rule.used = rule.takes, true, true
		}
	}
	return takes, given
}

// durations are those of the nodes of a graph; held is how long the graphs take that hang on its nodes.
func (r *durationRules) durations(g *graph.Graph, held map[*graph.Graph]time.Duration) ([]time.Duration, error) {
	list := make([]time.Duration, len(g.Nodes))
	lacking, first := 0, -1
	for i, n := range g.Nodes {
		takes, given := r.of(n)
		switch {
		case given:
		case len(n.Children) > 0:
			for _, child := range n.Children {
				takes = max(takes, held[child])
			}
		case slices.Contains([]graph.Kind{graph.EmptyNode, graph.WaitEventNode, graph.EventRecordNode}, n.Kind):
		case r.standard >= 0:
			takes = r.standard
		default:
			if lacking++; first < 0 {
				first = i
			}
		}
		list[i] = takes
	}
	if lacking > 0 {
		n := g.Nodes[first]
		return nil, fmt.Errorf("%d nodes have no duration, first node %d (%s %s); want --duration '%s=…' or --default",
			lacking, first, n.Kind, n.Name, n.Name)
	}
	return list, nil
}

// unused names the first rule that fits no node: a mistyped name would give a wrong makespan.
func (r *durationRules) unused() error {
	for _, rule := range r.rules {
		if !rule.used {
			return fmt.Errorf("--duration %s=%v: no node is called so; want a name, a pattern or a kind that the graph has",
				rule.name, rule.takes)
		}
	}
	return nil
}
