// Package draw turns a captured graph into a picture. The layout is Graphviz's, compiled to WebAssembly and run within
// the process: neither Graphviz nor cgo is needed. It stands apart from package graph because loading Graphviz takes
// about 0.1 s at the start of every program that imports it (0.7 s the first time on a machine).
package draw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-graphviz"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/draw/internal/cachedir"
	"github.com/gpu-overlap/overlap/schedule"
)

func init() { cachedir.Restore() } // go-graphviz has been initialised

// The largest graph that WriteSVG lays out, which takes it 2 s; a graph of twice the size takes minutes, and shows
// nothing.
const (
	MostNodes = 256
	MostEdges = 512
)

// ErrTooLarge is why a graph is not drawn.
var ErrTooLarge = errors.New("the graph is too large to draw")

// WriteSVG draws a graph from top to bottom, nodes coloured by what they do. The intent tells computation from
// communication; it may be nil, then every kernel is drawn alike. Programmatic edges are dashed. The same graph gives
// the same bytes.
func WriteSVG(w io.Writer, g *graph.Graph, in *schedule.Intent) (err error) {
	if err := g.Validate(); err != nil {
		return err
	}
	if len(g.Nodes) > MostNodes || len(g.Edges) > MostEdges {
		return fmt.Errorf("%w: %d nodes and %d edges, want at most %d and %d",
			ErrTooLarge, len(g.Nodes), len(g.Edges), MostNodes, MostEdges)
	}
	ctx := context.Background()
	viz, err := graphviz.New(ctx)
	if err != nil {
		return fmt.Errorf("graphviz: %w", err)
	}
	defer viz.Close()
	picture, err := graphviz.ParseBytes(source(g, in))
	if err != nil {
		return fmt.Errorf("graphviz: %w", err)
	}
	defer picture.Close()
	var svg bytes.Buffer
	if err := viz.Render(ctx, picture, graphviz.SVG, &svg); err != nil {
		return fmt.Errorf("graphviz: %w", err)
	}
	_, err = w.Write(svg.Bytes())
	return err
}

// source is the graph as DOT with looks. Ids are numbers: names stand only in labels.
func source(g *graph.Graph, in *schedule.Intent) []byte {
	var b bytes.Buffer
	b.WriteString("digraph schedule {\n" +
		"  bgcolor=\"transparent\"; ranksep=0.35; nodesep=0.35;\n" +
		"  node [shape=box style=\"rounded,filled\" fontname=\"Helvetica,Arial,sans-serif\" " +
		"fontsize=13 height=0.35 penwidth=1.2];\n" +
		"  edge [color=\"#7a869a\" penwidth=1.2 arrowsize=0.7 fontname=\"Helvetica,Arial,sans-serif\" " +
		"fontsize=10 fontcolor=\"#7a869a\"];\n")
	for i, n := range g.Nodes {
		look := lookOf(n, in)
		fmt.Fprintf(&b, "  n%d [label=\"%s\" fillcolor=\"%s\" color=\"%s\" fontcolor=\"#1f2937\" tooltip=\"%s\"];\n",
			i, escape(n.Name), look.fill, look.line, escape(n.Name+": "+look.what))
	}
	for _, e := range g.Edges {
		style := ""
		if e.Type != 0 || e.FromPort != 0 {
			style = fmt.Sprintf(" [style=dashed label=\" type %d, port %d\"]", e.Type, e.FromPort)
		}
		fmt.Fprintf(&b, "  n%d -> n%d%s;\n", e.From, e.To, style)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

type look struct{ what, fill, line string }

func lookOf(n graph.Node, in *schedule.Intent) look {
	if in != nil && n.Op.Index() >= 0 && int(n.Op.Index()) < len(in.Ops) {
		switch in.Ops[n.Op.Index()].Kind {
		case schedule.Computation:
			return look{"computation", "#bfdbfe", "#3b82f6"}
		case schedule.Communication:
			return look{"communication", "#fed7aa", "#f97316"}
		}
	}
	switch n.Kind {
	case graph.KernelNode:
		return look{"kernel", "#dbe4f0", "#64748b"}
	case graph.HostNode:
		return look{"host", "#e9d5ff", "#a855f7"}
	}
	return look{n.Kind.String(), "#f3f4f6", "#9ca3af"}
}

// escape makes a name the inside of a DOT string and of a label, where a backslash would begin an escape. Graphviz
// takes text as HTML entities too: an & must not begin one.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", "", "&", "&amp;").Replace(s)
}
