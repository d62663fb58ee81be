package timeline

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func svg(t *testing.T, tls ...Timeline) string {
	var b strings.Builder
	require.NoError(t, WriteSVG(&b, tls))
	d := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		if _, err := d.Token(); err != nil {
			require.ErrorIs(t, err, io.EOF)
			return b.String()
		}
	}
}

func TestWriteSVG(t *testing.T) {
	odd := Timeline{Title: "a <title> & \x01 \xff", Lanes: []Lane{{Name: `"x"`,
		Bars: []Bar{{Name: "</svg>", Kind: schedule.Host, End: 500 * ms}}}}}
	got := svg(t, reference(100*ms), odd)
	assert.Equal(t, got, svg(t, reference(100*ms), odd), "the same timelines, the same picture")
	assert.Equal(t, 9, strings.Count(got, `<g class="bar">`))
	for _, want := range []string{">A0</text>", "D1\n400ms to 500ms, 100ms", ">500 ms</text>",
		"prefers-color-scheme: dark",
		"a &lt;title&gt; &amp;   \uFFFD", "&lt;/svg&gt;", "&#34;x&#34;", ">communication</text>", ">host</text>"} {
		assert.Contains(t, got, want)
	}
	assert.NotContains(t, svg(t, reference(ms)), ">host</text>", "the legend holds what occurs")
	assert.Contains(t, svg(t, Timeline{Lanes: []Lane{{Name: "mb0"}}}), "nothing ran")
	assert.Contains(t, svg(t), "no timeline")
	assert.Contains(t, svg(t, Timeline{Lanes: []Lane{lane("a", "K 0 0")}}), "0ns to 0ns, 0ns")

	var l Lane
	for i := range 100_000 {
		l.Bars = append(l.Bars, Bar{Name: "x", Start: time.Duration(i) * ms, End: time.Duration(i+1) * ms})
	}
	dense := svg(t, Timeline{Lanes: []Lane{l}})
	assert.Less(t, strings.Count(dense, `<g class="bar">`), 3*svgWidth)
	assert.Contains(t, dense, "x and ")
	assert.EqualError(t, WriteSVG(broken{}, []Timeline{reference(ms)}), "pipe broken")
}

// Every bar comes back from the trace with its time to the nanosecond, in its lane's thread and its timeline's process.
func TestWriteTrace(t *testing.T) {
	tls := []Timeline{reference(1234567), {Title: `"measured"`,
		Lanes: []Lane{lane("link", "C1 0 20, C2 10 30, H 20 40, K 25 25")}}}
	var b strings.Builder
	require.NoError(t, WriteTrace(&b, tls))
	type event struct {
		Name, Cat, Ph string
		TS, Dur       json.Number
		PID, TID      int
		Args          map[string]any
	}
	var trace struct {
		DisplayTimeUnit string
		TraceEvents     []event
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &trace))
	assert.Equal(t, "ns", trace.DisplayTimeUnit)

	process, thread := map[int]any{}, map[[2]int]any{}
	got := map[string][]Bar{} // by process and thread
	for _, e := range trace.TraceEvents {
		switch {
		case e.Ph == "M" && e.Name == "process_name":
			process[e.PID] = e.Args["name"]
		case e.Ph == "M" && e.Name == "thread_name":
			thread[[2]int{e.PID, e.TID}] = e.Args["name"]
		case e.Ph == "M":
			assert.Contains(t, []string{"process_sort_index", "thread_sort_index"}, e.Name)
			assert.Contains(t, e.Args, "sort_index")
		default:
			require.Equal(t, "X", e.Ph)
			lane := process[e.PID].(string) + "/" + thread[[2]int{e.PID, e.TID}].(string)
			ts, dur := nanoseconds(t, e.TS), nanoseconds(t, e.Dur)
			got[lane] = append(got[lane], Bar{Name: e.Name + " " + e.Cat, Start: ts, End: ts + dur})
		}
	}
	want := map[string][]Bar{}
	add := func(lane string, bars []Bar) {
		for _, b := range bars {
			want[lane] = append(want[lane], Bar{Name: b.Name + " " + b.Kind.String(), Start: b.Start, End: b.End})
		}
	}
	add("scheduled/mb0", tls[0].Lanes[0].Bars)
	add("scheduled/mb1", tls[0].Lanes[1].Bars)
	bars := tls[1].Lanes[0].Bars
	add(`"measured"/link`, []Bar{bars[0], bars[2]})
	add(`"measured"/link (2)`, []Bar{bars[1]})
	add(`"measured"/link (3)`, []Bar{bars[3]})
	assert.Equal(t, want, got)
	assert.Equal(t, json.Number("1234.567"), trace.TraceEvents[5].TS)

	b.Reset()
	require.NoError(t, WriteTrace(&b, nil))
	assert.Equal(t, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n", b.String())
	assert.EqualError(t, WriteTrace(broken{}, tls), "pipe broken")
}

// nanoseconds reads a decimal number of microseconds exactly.
func nanoseconds(t *testing.T, n json.Number) time.Duration {
	d, err := time.ParseDuration(n.String() + "us")
	require.NoError(t, err)
	return d
}
