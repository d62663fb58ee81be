package main

import (
	"io"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/graph/draw"
	"github.com/gpu-overlap/overlap/timeline"
)

// endings are those of all files that a result may have.
var endings = []string{".dot", ".graph.svg", ".timeline.svg", ".trace.json"}

// picture is a file that shows a result to a person or a viewer.
type picture struct {
	ending string // of the file's name, after the case's
	write  func(io.Writer) error
}

// pictures are the files of a result: the driver's own dump of the captured graph (verbose), the graph and the
// timelines as SVG, and a trace that Perfetto opens. Without a captured graph there is no .dot and no .graph.svg; of a
// very large one a device may give no dump.
func pictures(r *overlap.Result) []picture {
	var p []picture
	s := r.Replay.Setup
	if len(s.DOTAll) > 0 {
		p = append(p, picture{".dot", func(w io.Writer) error {
			_, err := w.Write(s.DOTAll)
			return err
		}})
	}
	if s.Graph != nil {
		p = append(p, picture{".graph.svg",
			func(w io.Writer) error { return draw.WriteSVG(w, s.Graph, &r.Case.Schedule.Intent) }})
	}
	lines := r.Timelines()
	return append(p, picture{".timeline.svg", func(w io.Writer) error { return timeline.WriteSVG(w, lines) }},
		picture{".trace.json", func(w io.Writer) error { return timeline.WriteTrace(w, lines) }})
}
