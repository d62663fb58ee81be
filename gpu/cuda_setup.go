//go:build gpu && cgo

package gpu

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/gpu-overlap/overlap/gpu/internal/driver"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// setup makes the calls of the program's Setup up to the first that gives another code than it should; then nothing of
// the program is left to run.
func (run *prepared) setup() (Setup, error) {
	var s Setup
	c := capture{program: run.program, ops: map[driver.Node]int32{}}
	for _, in := range run.of.Setup {
		code := run.program.Do(in)
		s.Codes = append(s.Codes, code)
		if code != in.Want {
			run.program.Close()
			run.program = nil
			if driver.Sticky(code) {
				return s, &driver.Failure{Call: in.Verb.Call(), Code: code}
			}
			return s, nil
		}
		if err := c.after(in, code); err != nil {
			return s, err
		}
		var err error
		switch {
		case code != schedule.Success:
		case in.Verb == schedule.CreateStream && c.open == 0:
			err = run.device.WarmStream(run.program, in.Stream.Index())
		case in.Verb == schedule.EndCapture && in.Graph.Is(0):
			err = run.inspect(&c, &s)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// capture ties the nodes of the graphs that are being captured to the ops that made them.
type capture struct {
	program *driver.Program
	open    int // captures begun and not ended
	ops     map[driver.Node]int32
}

// after looks at what a call has done to the captures.
func (c *capture) after(in schedule.Instr, code schedule.Code) error {
	switch in.Verb {
	case schedule.BeginCapture:
		if code == schedule.Success {
			c.open++
		}
	case schedule.EndCapture:
		if code == schedule.Success || code == schedule.CaptureInvalidated || code == schedule.CaptureUnjoined {
			c.open--
		}
	case schedule.Launch, schedule.HostFunc, schedule.Copy, schedule.Replay:
		if c.open > 0 && code == schedule.Success {
			return c.tie(in)
		}
	}
	return nil
}

// tie asks the capture what the stream now depends on. What was not there before is what the call made: one node, or
// several, which are found behind it.
func (c *capture) tie(in schedule.Instr) error {
	tips, capturing, err := c.program.Tips(in.Stream.Index())
	if err != nil || !capturing {
		if f, ok := err.(*driver.Failure); ok && f.Code == schedule.CaptureImplicit {
			return nil // a launch on the legacy stream, beside the capture
		}
		return err
	}
	for todo := tips; len(todo) > 0; {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, known := c.ops[node]; known {
			continue
		}
		c.ops[node] = in.Op.Index()
		deps, err := driver.Dependencies(node)
		if err != nil {
			return err
		}
		todo = append(todo, deps...)
	}
	return nil
}

// inspect reads the captured graph and the driver's dumps of it.
func (run *prepared) inspect(c *capture, s *Setup) error {
	handles, g, err := run.program.Graph(0)
	if err != nil {
		return err
	}
	for i, node := range handles {
		if op, ok := c.ops[node]; ok && op != schedule.None {
			g.Nodes[i].Op, g.Nodes[i].Name = schedule.At(op), run.of.Intent.Ops[op].Name
		}
	}
	collapse(g, run.of.Intent)
	slices.SortFunc(g.Edges, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Type, b.Type))
	})
	s.Graph = g
	if s.DOT, err = run.dot(false); err == nil {
		s.DOTAll, err = run.dot(true)
	}
	return err
}

// collapse makes one node of the three that a copy is captured as, stamp, copy and stamp. The driver's own dump shows
// all.
func collapse(g *graph.Graph, in *schedule.Intent) {
	first := map[int32]int32{} // by op: its node
	to := make([]int32, len(g.Nodes))
	kept := g.Nodes[:0:0]
	for i, n := range g.Nodes {
		at, again := first[n.Op.Index()]
		if again = again && n.Op.Some() && in.Ops[n.Op.Index()].Kind.Copies(); !again {
			at = int32(len(kept))
			first[n.Op.Index()] = at
			kept = append(kept, n)
		}
		if n.Op.Some() && in.Ops[n.Op.Index()].Kind.Copies() {
			kept[at].Kind = graph.MemcpyNode
		}
		to[i] = at
	}
	edges := g.Edges[:0:0]
	for _, e := range g.Edges {
		if e.From, e.To = to[e.From], to[e.To]; e.From != e.To {
			edges = append(edges, e)
		}
	}
	g.Nodes, g.Edges = kept, edges
}

// dot has the driver dump the graph: it writes to a file alone.
func (run *prepared) dot(verbose bool) ([]byte, error) {
	dir, err := os.MkdirTemp(os.Getenv(scratchVar), "overlap")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "graph.dot")
	if err := run.program.WriteDOT(0, path, verbose); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
