package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

func draw(t *testing.T, g *graph.Graph, in *schedule.Intent) string {
	var b strings.Builder
	require.NoError(t, WriteSVG(&b, g, in))
	d := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		if _, err := d.Token(); err != nil {
			require.ErrorIs(t, err, io.EOF)
			return b.String()
		}
	}
}

func TestWriteSVG(t *testing.T) {
	in := &schedule.Intent{Ops: []schedule.Op{{Name: "A"}, {Name: "B", Kind: schedule.Communication}}}
	g := &graph.Graph{
		Nodes: []graph.Node{{Op: schedule.At(0), Name: "A"}, {Op: schedule.At(1), Name: "B"},
			{Kind: graph.HostNode, Name: `h<"\N&amp;`},
			{Kind: graph.MemcpyNode, Name: "memcpy"}},
		Edges: []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2, Type: 1, FromPort: 1}},
	}
	svg := draw(t, g, in)
	assert.Equal(t, svg, draw(t, g, in), "the same graph, the same picture")
	for _, want := range []string{">A</text>", ">B</text>", ">h&lt;&quot;\\N&amp;amp;</text>", ">memcpy</text>",
		"#bfdbfe", "#fed7aa", "#e9d5ff", "#f3f4f6", "stroke-dasharray", "type 1, port 1", "A: computation"} {
		assert.Contains(t, svg, want)
	}
	assert.Equal(t, 4, strings.Count(svg, `class="node"`))
	assert.Equal(t, 2, strings.Count(svg, `class="edge"`))

	plain := draw(t, g, nil)
	assert.NotContains(t, plain, "#bfdbfe")
	assert.Contains(t, plain, "#dbe4f0")
	draw(t, &graph.Graph{}, nil)

	assert.ErrorIs(t, WriteSVG(io.Discard, &graph.Graph{Nodes: make([]graph.Node, MostNodes+1)}, nil), ErrTooLarge)
	assert.ErrorIs(t, WriteSVG(io.Discard, &graph.Graph{Nodes: make([]graph.Node, 2),
		Edges: make([]graph.Edge, MostEdges+1)}, nil), ErrTooLarge)
	assert.EqualError(t, WriteSVG(broken{}, g, in), "pipe broken")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe broken") }

// TestNoFolderOfOthers: the compiled code is not kept where every user's would meet, and TMPDIR is as it was.
func TestNoFolderOfOthers(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	tmp := t.TempDir()
	for _, home := range []string{t.TempDir(), "/dev/null"} {
		cmd := exec.Command(exe, "-test.run", "^TestWriteSVG$")
		cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "HOME="+home, "XDG_CACHE_HOME=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.NoDirExists(t, filepath.Join(tmp, "go-graphviz"))
	}
	assert.NotContains(t, os.TempDir(), "overlap")
}
