package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// threads is how many host threads a program has.
func threads(p *schedule.Program) int32 {
	last := int32(0)
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			last = max(last, instrs[i].Thread)
		}
	}
	return last + 1
}

// load is what a program will ask of the hardware, which has so many streams.
func load(p *schedule.Program, streams int) hardware.Load {
	return hardware.Load{Streams: streams, Issuers: issuers(p), AtOnce: mostAtOnce(p), Crowded: crowded(p)}
}

// issuers is how many streams may issue something in the Body that needs a connection.
func issuers(p *schedule.Program) (n int) {
	seen := make([]bool, len(p.Streams))
	for i := range p.Body {
		switch in := &p.Body[i]; in.Verb {
		case schedule.Launch, schedule.Copy, schedule.Gate, schedule.LaunchWith, schedule.Burst, schedule.Invoke:
			if in.Stream.Index() < 0 || in.Thread > 0 && p.Streams[in.Stream.Index()].Kind == schedule.PerThread {
				n++
			} else if !seen[in.Stream.Index()] {
				seen[in.Stream.Index()] = true
				n++
			}
		}
	}
	return n
}

// mostAtOnce bounds how many works can be under way at once: as many as there are streams, or in a graph that was not
// captured, nodes. Graphs that run beside one another are not added up.
func mostAtOnce(p *schedule.Program) int {
	nodes := 0
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			if instrs[i].Verb == schedule.AddNode {
				nodes++
			}
		}
	}
	return max(len(p.Streams), nodes)
}

// crowded says whether the Body gives ops to more than two streams.
func crowded(p *schedule.Program) bool {
	var streams [2]int32
	n := 0
	for i := range p.Body {
		switch in := &p.Body[i]; in.Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy:
			switch {
			case slices.Contains(streams[:n], in.Stream.Index()):
			case n == len(streams):
				return true
			default:
				streams[n] = in.Stream.Index()
				n++
			}
		}
	}
	return false
}

// nodesPerCapture guesses how many nodes each of several captures has: all ops that are issued, in equal parts.
func nodesPerCapture(setup []schedule.Instr) int {
	ops, captures := 0, 0
	for i := range setup {
		switch setup[i].Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy:
			ops++
		case schedule.BeginCapture:
			captures++
		}
	}
	return ops / max(1, captures)
}

// notes are those of a program that asks for times, or has edges that are not plain.
func notes(p *schedule.Program) []note {
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			if v := instrs[i].Verb; v == schedule.Elapsed || v == schedule.LaunchWith {
				return make([]note, len(p.Events))
			}
		}
	}
	return nil
}
