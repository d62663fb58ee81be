package main

import (
	"encoding/json"
	"io"
)

// graphJSON is one graph as JSON; durations in nanoseconds.
type graphJSON struct {
	File      string      `json:"file,omitempty"`
	Holder    *[2]int     `json:"held_by,omitempty"` // graph and node
	Nodes     []nodeJSON  `json:"nodes"`
	Edges     []edgeJSON  `json:"edges"`
	Width     widthJSON   `json:"width"`
	Chain     []int32     `json:"longest_chain"`
	MakespanN *int64      `json:"makespan_ns,omitempty"`
	Path      []int32     `json:"critical_path,omitempty"`
	Graphs    []graphJSON `json:"graphs,omitempty"` // those that hang on nodes, numbered from 1
}

type nodeJSON struct {
	Index    int    `json:"index"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Holds    []int  `json:"holds,omitempty"`
	Duration *int64 `json:"duration_ns,omitempty"`
}

type edgeJSON struct {
	From int32 `json:"from"`
	To   int32 `json:"to"`
	Type uint8 `json:"type"`
	Port uint8 `json:"port"`
}

type widthJSON struct {
	AtLeast int     `json:"at_least"`
	AtMost  int     `json:"at_most"`
	Nodes   []int32 `json:"nodes"`
}

func writeGraphJSON(w io.Writer, file string, list []*described) error {
	j := list[0].json()
	j.File = file
	for _, d := range list[1:] {
		child := d.json()
		child.Holder = &d.holder
		j.Graphs = append(j.Graphs, child)
	}
	return json.NewEncoder(w).Encode(j)
}

func (d *described) json() graphJSON {
	j := graphJSON{Nodes: make([]nodeJSON, len(d.graph.Nodes)), Edges: make([]edgeJSON, len(d.graph.Edges)),
		Path:  d.path,
		Chain: append([]int32{}, d.chain...), Width: widthJSON{d.width.AtLeast, d.width.AtMost,
			append([]int32{}, d.width.Nodes...)}}
	for i, n := range d.graph.Nodes {
		j.Nodes[i] = nodeJSON{Index: i, Kind: n.Kind.String(), Name: n.Name}
		for _, child := range n.Children {
			j.Nodes[i].Holds = append(j.Nodes[i].Holds, d.numbers[child])
		}
		if d.durations != nil {
			ns := d.durations[i].Nanoseconds()
			j.Nodes[i].Duration = &ns
		}
	}
	for i, e := range d.graph.Edges {
		j.Edges[i] = edgeJSON{e.From, e.To, e.Type, e.FromPort}
	}
	if d.durations != nil {
		ns := d.makespan.Nanoseconds()
		j.MakespanN = &ns
	}
	return j
}
