package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// short is how long the works of calls take that bring works of their own: next to nothing, but more than no time.
const short = time.Microsecond

// effect is what a call on a stream does: the node that it becomes in a capture, the work that it makes outside.
type effect struct {
	kind     graph.Kind
	class    hardware.Class
	nothing  bool          // neither node nor work
	pageable bool          // outside a capture the host waits for the stream, then for the copy
	refused  bool          // in a capture
	code     schedule.Code // always
}

// effects are those of the calls on streams.
var effects = [schedule.MemAlloc]effect{
	schedule.MemcpyHtoD:         {kind: graph.MemcpyNode, class: hardware.ToDevice},
	schedule.MemcpyHtoDPageable: {kind: graph.MemcpyNode, class: hardware.ToDevice, pageable: true},
	schedule.MemcpyDtoH:         {kind: graph.MemcpyNode, class: hardware.ToHost},
	schedule.MemcpyDtoHPageable: {kind: graph.MemcpyNode, class: hardware.ToHost, pageable: true},
	schedule.MemcpyDtoD:         {kind: graph.MemcpyNode, class: hardware.Kernel},
	schedule.MemsetD8:           {kind: graph.MemsetNode, class: hardware.Kernel},
	schedule.MemsetD32:          {kind: graph.MemsetNode, class: hardware.Kernel},
	schedule.Memset2D:           {kind: graph.MemsetNode, class: hardware.Kernel},
	schedule.MemsetNothing:      {nothing: true},
	schedule.MemAllocAsync:      {kind: graph.MemAllocNode, class: hardware.Join},
	schedule.MemFreeAsync:       {kind: graph.MemFreeNode, class: hardware.Join},
	schedule.WriteValue:         {kind: graph.BatchMemOpNode, class: hardware.Join},
	schedule.AddCallback:        {class: hardware.HostFunc, refused: true},
	schedule.AttachMem:          {class: hardware.Join, refused: true},
	schedule.LaunchHostNull:     {code: schedule.InvalidValue},
	schedule.LaunchHostQuery:    {kind: graph.HostNode, class: hardware.HostFunc},
	schedule.LaunchEmpty:        {kind: graph.KernelNode, class: hardware.Kernel},
}

// hostQuery is what a host function gets that queries its stream, where it runs itself.
var hostQuery = []int64{int64(schedule.NotReady)}
