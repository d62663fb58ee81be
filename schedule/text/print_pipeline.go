package text

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Pipeline prints a pipeline as a schedule section.
func Pipeline(pl *schedule.Pipeline) string {
	if pl == nil {
		return ""
	}
	engines := pl.Engines
	if engines == nil {
		engines = schedule.DefaultEngines()
	}
	var b strings.Builder
	plural := "es"
	if pl.Micro == 1 {
		plural = ""
	}
	fmt.Fprintf(&b, "pipeline %d microbatch%s\n", pl.Micro, plural)
	switch pl.Layout {
	case schedule.Exclusive:
		b.WriteString("exclusive\n")
	case schedule.PerEngine:
		b.WriteString("streams per engine\n")
	}
	if pl.Offset > 0 {
		fmt.Fprintf(&b, "offset %d stages\n", pl.Offset)
	}
	if pl.Repeat > 0 {
		fmt.Fprintf(&b, "repeat %d\n", pl.Repeat)
	}
	writePreamble(&b, pl.Engines, pl.Kernel, pl.HostDelay)
	for i, st := range pl.Stages {
		if st.Started {
			b.WriteString(" starts")
		} else {
			fmt.Fprintf(&b, "stage %s", st.Kind)
		}
		for k := range max(len(st.Durs), 1) {
			b.WriteString(" " + FormatDuration(st.DurOf(int32(k))))
		}
		b.WriteString(footprintOfStage(&st).text())
		if st.On() != int32(st.Kind) {
			b.WriteString(" on " + engineName(engines, st.On()))
		}
		if st.Whole != 0 {
			b.WriteString(" whole " + FormatDuration(st.Whole))
		}
		if i+1 == len(pl.Stages) || !pl.Stages[i+1].Started {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func writePreamble(b *strings.Builder, engines []schedule.Engine, kernel schedule.Kernel, slow time.Duration) {
	if slow > 0 {
		fmt.Fprintf(b, "slow host %s\n", FormatDuration(slow))
	}
	if kernel != schedule.Exact {
		fmt.Fprintf(b, "kernels %s\n", kernel)
	}
	for _, e := range engines[min(len(engines), len(schedule.DefaultEngines())):] {
		b.WriteString("engine " + e.Name)
		if e.Capacity != 1 {
			fmt.Fprintf(b, " capacity %d", e.Capacity)
		}
		b.WriteByte('\n')
	}
}
