package dot_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/schedule"
)

// What the driver printed of two kernels, a file of names for them, and the same graph as the goldens hold it.
func Example() {
	dump := `digraph dot {
subgraph cluster_7 {
label="graph_7" graph[style="dashed"];
"graph_7_node_0"[style="bold" shape="octagon" label="0
_Z4gemmPfi
"];

"graph_7_node_1"[style="bold" shape="octagon" label="1
_Z6reducePfi
"];

"graph_7_node_0" -> "graph_7_node_1";
}
}
`
	g, err := dot.Read(strings.NewReader(dump))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Nodes[0].Name, "is", dot.ShortName(g.Nodes[0].Name))

	names, _ := dot.ReadNames(strings.NewReader("0 A\n1 CA # waits for A\n"))
	intent := &schedule.Intent{Ops: []schedule.Op{{Name: "A"}, {Name: "CA", Kind: schedule.Communication}}}
	bound, err := dot.Bind(g, names, intent)
	if err != nil {
		fmt.Println(err)
		return
	}
	dot.Write(os.Stdout, bound)
	// Output:
	// _Z4gemmPfi is gemm
	// digraph schedule {
	//   A [kind=kernel];
	//   CA [kind=kernel];
	//   A -> CA;
	// }
}
