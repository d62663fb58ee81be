package sim

import (
	"fmt"
	"testing"

	"github.com/gpu-overlap/overlap/schedule"
)

// The kinds of node that calls on streams become, and which calls a capture refuses.
func TestInvokeInCapture(t *testing.T) {
	const calls = "stream s0; s0: begin capture; s0: call %s as X; s0: info; s0: capturing; s0: end capture g; instantiate g; s0: replay g; s0: sync"
	node := map[schedule.API]string{
		schedule.MemcpyHtoD: "memcpy", schedule.MemcpyHtoDPageable: "memcpy", schedule.MemcpyDtoH: "memcpy",
		schedule.MemcpyDtoHPageable: "memcpy",
		schedule.MemcpyDtoD:         "memcpy", schedule.MemsetD8: "memset", schedule.MemsetD32: "memset",
		schedule.Memset2D:      "memset",
		schedule.MemAllocAsync: "mem_alloc", schedule.WriteValue: "batch_mem_op", schedule.LaunchHostQuery: "host",
		schedule.LaunchEmpty: "kernel",
	}
	for api := schedule.NoAPI + 1; api < schedule.MemAlloc; api++ {
		t.Run(api.String(), func(t *testing.T) {
			shows := "s0: capturing => 0 active\ns0: sync => 0\ns0: end capture g => 0 main none, s0 none / "
			switch {
			case node[api] != "":
				shows += fmt.Sprintf("0 %s X / edges; roots 0\ns0: info => 0 active, capture 1, after X", node[api])
			case api == schedule.AddCallback || api == schedule.AttachMem:
				shows = fmt.Sprintf("s0: call %s as X => 900 main none, s0 invalidated\ns0: end capture g => 901 no graph; main none, s0 none", api)
			case api == schedule.LaunchHostNull || api == schedule.MemsetNothing || api == schedule.MemFreeAsync:
				shows += "edges\ns0: info => 0 active, capture 1, after nothing"
			default:
				t.Fatal("no row")
			}
			traceRow{calls: fmt.Sprintf(calls, api), shows: shows}.check(t, Ideal)
		})
	}
}

var invokeRows = []traceRow{
	{"codes", "stream s0; s0: call launch-host-null; s0: call mem-free-async; s0: call mem-alloc-async; s0: call mem-free-async; call mem-alloc-nothing; s0: call launch-host-query",
		`s0: call launch-host-null => 1 main none, s0 none
		s0: call mem-free-async => 400 main none, s0 none
		s0: call mem-free-async => 0
		call mem-alloc-nothing => 1 main none, s0 none
		s0: call launch-host-query => 0 600`},
	{"what holds the host", "stream s0 s1; s0: computation A 4ms; call mem-alloc; s1: call memcpy-htod-pageable; s0: call memcpy-htod; s0: call memset-d8; s0: query; s0: call memcpy-dtoh-pageable; s0: query",
		`call mem-alloc => 0
		s1: call memcpy-htod-pageable => 0
		s0: call memcpy-htod => 0
		s0: call memset-d8 => 0
		s0: query => 600
		s0: call memcpy-dtoh-pageable => 0 held the host
		s0: query => 0`},
	{"freeing waits for all",
		"stream s0; s0: computation A 4ms; call mem-free; s0: query; s0: computation B 4ms; call mem-free-host",
		"call mem-free => 0 held the host\ns0: query => 0\ncall mem-free-host => 0 held the host"},
	{"a synchronous copy waits for blocking streams",
		"stream s0; stream b0 blocking; s0: computation A 9ms; b0: computation B 4ms; call memcpy-sync; b0: query; s0: query",
		"call memcpy-sync => 0 held the host\nb0: query => 0\ns0: query => 600"},
	{"a synchronous copy beside captures",
		"stream s0; stream b0 blocking; s0: begin capture relaxed; call memcpy-sync; b0: begin capture relaxed; call memcpy-sync; s0: capturing",
		"call memcpy-sync => 0\ncall memcpy-sync => 906 main 906, s0 active, b0 invalidated\ns0: capturing => 0 active"},
	{"a second launch would allocate anew",
		"stream s0; s0: begin capture; s0: call mem-alloc-async; s0: end capture g; instantiate g; s0: replay g; s0: replay g",
		"s0: replay g => 0\ns0: replay g => 1 main none, s0 none"},
	{"unless it was freed", "stream s0; s0: begin capture; s0: call mem-alloc-async; s0: call mem-free-async; s0: end capture g; instantiate g; s0: replay g; s0: replay g", "s0: replay g => 0\ns0: replay g => 0"},
	{"a host function shows what it got once it is replayed",
		"stream s0; s0: begin capture; s0: call launch-host-query; s0: end capture g; instantiate g; s0: replay g",
		"s0: call launch-host-query => 0 600"},
	{"a graph frees what a graph allocates",
		"stream s0; s0: call mem-alloc-async; s0: begin capture; s0: call mem-free-async; s0: capturing; s0: call mem-alloc-async; s0: call mem-free-async; s0: end capture g",
		"s0: call mem-free-async => 1 main none, s0 active\ns0: capturing => 0 active\ns0: end capture g => 0 main none, s0 none / 0 mem_alloc before 1 / 1 mem_free after 0 / edges 0>1; roots 0"},
	{"and not before", "stream s0; s0: begin capture; s0: call launch-host-query; s0: end capture g; instantiate g",
		"s0: call launch-host-query => 0"},
	{"works elsewhere", "stream s0; call launch-elsewhere; call replay-elsewhere; call elapsed-elsewhere; call kill-stream; sync context", "sync context => 0"},
	{"burst", "stream s0; s0: computation K 40ms; s0: burst 1021; s0: sync; s0: computation L 40ms; s0: burst 1030; s0: sync; s0: burst 3000; s0: begin capture; s0: burst 2; s0: end capture g",
		`s0: burst 1021 => 0 -1
		s0: burst 1030 => 0 1021
		s0: burst 3000 => 0 -1
		s0: burst 2 => 0 -1
		s0: end capture g => 0 main none, s0 none / 0 kernel before 1 / 1 kernel after 0 / edges 0>1; roots 0`},
	{"pause", "stream s0; s0: computation A 2ms; pause 1ms; s0: query; pause 5ms; s0: query",
		"s0: query => 600\ns0: query => 0"},
}

func TestInvoke(t *testing.T) { checkTraces(t, invokeRows) }
