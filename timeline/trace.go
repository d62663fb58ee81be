package timeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// traceEvent is one event of the Chrome trace format. Times are microseconds; as numbers with three decimals they hold
// every nanosecond.
type traceEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	TS    *microseconds  `json:"ts,omitempty"`
	Dur   *microseconds  `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Args  map[string]any `json:"args,omitempty"`
}

type microseconds time.Duration

func (t microseconds) MarshalJSON() ([]byte, error) {
	return []byte(decimal(time.Duration(t), time.Microsecond)), nil
}

// WriteTrace writes timelines as a Chrome trace, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a process
// for each timeline, a thread for each lane, a complete event for each bar. Bars of one lane that overlap go to threads
// of their own, because a thread may only hold events that nest.
func WriteTrace(w io.Writer, tls []Timeline) error {
	if err := validAll(tls); err != nil {
		return err
	}
	t := &tracer{b: bufio.NewWriter(w)}
	t.b.WriteString("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
	for i, tl := range tls {
		pid := i + 1
		t.meta("process_name", pid, 0, map[string]any{"name": tl.Title})
		t.meta("process_sort_index", pid, 0, map[string]any{"sort_index": pid})
		tid := 0
		for _, l := range tl.Lanes {
			rows, _ := l.rows(len(l.Bars))
			for k, row := range rows {
				tid++
				name := l.Name
				if k > 0 {
					name = fmt.Sprintf("%s (%d)", l.Name, k+1)
				}
				t.meta("thread_name", pid, tid, map[string]any{"name": name})
				t.meta("thread_sort_index", pid, tid, map[string]any{"sort_index": tid})
				for _, b := range row {
					t.bar(b, pid, tid)
				}
			}
		}
	}
	t.b.WriteString("\n]}\n")
	if t.err != nil {
		return t.err
	}
	return t.b.Flush()
}

// tracer writes events one by one: a trace of a million ops is not held in memory.
type tracer struct {
	b     *bufio.Writer
	comma bool
	err   error
}

func (t *tracer) meta(name string, pid, tid int, args map[string]any) {
	t.event(traceEvent{Name: name, Phase: "M", PID: pid, TID: tid, Args: args})
}

func (t *tracer) bar(b Bar, pid, tid int) {
	start, dur := microseconds(b.Start), microseconds(b.End-b.Start)
	t.event(traceEvent{Name: b.Name, Cat: min(b.Kind, schedule.D2H).String(), Phase: "X", TS: &start, Dur: &dur, PID: pid, TID: tid})
}

func (t *tracer) event(e traceEvent) {
	line, err := json.Marshal(e)
	if err != nil && t.err == nil {
		t.err = err
	}
	if t.comma {
		t.b.WriteByte(',')
	}
	t.comma = true
	t.b.WriteByte('\n')
	t.b.Write(line)
}
