// Package calibrate finds the constants of a simulated machine by microbenchmarks: small programs in the language of
// cases that any device runs. Fit, which turns what they gave into constants, is a pure function; on a simulated
// machine it gives back the constants of that machine.
package calibrate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// Bench is a microbenchmark.
type Bench struct {
	Name    string
	Program *schedule.Program
}

// The forms in which the text of a benchmark is run.
const (
	eager  = schedule.EagerName
	replay = schedule.ReplayName
	gated  = schedule.GatedName
	raw    = "program"
)

// Durations of ops: by far longer than the host needs to issue all that follows, and so short that nothing else
// matters.
const (
	long  = 50 * time.Microsecond
	short = 2 * time.Microsecond
)

// widths are the numbers of branches that are measured; 2 to 6 are those of the schedules that are predicted.
var widths = []int{2, 3, 4, 6}

// lengths are the numbers of nodes of graphs that are one line.
var lengths = []int{1, 2, 4, 8, 16, 32}

// sleeps are the nanosleeps that are measured, and how many in a row: one that is alone ends earlier than one of a
// loop, and of the longest kernels make loops.
var sleeps = []struct {
	asked time.Duration
	steps int
}{{time.Microsecond, 1}, {10 * time.Microsecond, 1}, {100 * time.Microsecond, 1}, {500 * time.Microsecond, 1},
	{time.Millisecond, 20}}

// sleeping names the benchmark of a nanosleep.
func sleeping(d time.Duration) string { return "nanosleep " + d.String() }

// Benches are all microbenchmarks, always in the same order.
func Benches() ([]Bench, error) {
	var list []Bench
	for _, t := range texts() {
		p, err := t.program()
		if err != nil {
			return nil, err
		}
		list = append(list, Bench{t.name, p})
	}
	return append(list, creating()), nil
}

type bench struct{ name, form, lines string }

func (t bench) program() (*schedule.Program, error) {
	section := "schedule"
	if t.form == raw {
		section = "program"
	}
	c, err := text.ParseCase(t.name+".txtar", fmt.Appendf(nil, "A microbenchmark.\n\n-- %s --\n%s\n-- expect --\n",
		section, t.lines))
	if err != nil {
		return nil, err
	}
	var p *schedule.Program
	switch t.form {
	case eager:
		p = c.Schedule.Eager()
	case replay:
		p = c.Schedule.Replay()
	case gated:
		p, _ = c.Schedule.Gated()
	default:
		p = c.Program()
	}
	p.Name, p.File = t.name, ""
	return p, nil
}

func texts() []bench {
	list := hostTexts()
	for _, d := range []time.Duration{short, long, time.Millisecond} {
		one := fmt.Sprintf("main: computation A %v", ns(d))
		list = append(list, bench{"solo " + d.String(), eager, one},
			bench{"solo replay " + d.String(), replay, one})
	}
	for _, d := range []time.Duration{short, long} {
		list = append(list,
			bench{"line " + d.String(), raw,
				fmt.Sprintf("stream s\ntimed\nrepeat 8\ns: computation A{i} %v\nend\ns: sync", ns(d))},
			bench{"line main " + d.String(), eager, fmt.Sprintf("repeat 8\nmain: computation A{i} %v\nend", ns(d))},
			bench{"line recorded " + d.String(), raw,
				fmt.Sprintf("stream s\ntimed\nrepeat 8\ns: computation A{i} %v\ns: record e{i}\nend\ns: sync", ns(d))},
			bench{"line waited " + d.String(), raw,
				fmt.Sprintf("stream s\nmain: record e\nmain: sync\ntimed\nrepeat 8\ns: wait e\n"+
					"s: computation A{i} %v\nend\ns: sync", ns(d))},
			bench{"alternate " + d.String(), eager, alternate(8, 2, d)},
			bench{"alternate 3 " + d.String(), eager, alternate(8, 3, d)},
			bench{"layers 2 " + d.String(), eager, layers(2, d)},
			bench{"layers 4 " + d.String(), eager, layers(4, d)})
	}
	list = append(list, bench{"line held", eager, held(8)})
	for _, n := range lengths {
		list = append(list, bench{fmt.Sprintf("graph line %d", n), replay,
			fmt.Sprintf("repeat %d\nmain: computation A{i} 20us\nend", n)})
	}
	list = append(list, bench{"graph line short", replay, fmt.Sprintf("repeat 8\nmain: computation A{i} %v\nend",
		ns(short))})
	for _, w := range append([]int{1}, widths...) {
		list = append(list, bench{fmt.Sprintf("fork join %d", w), eager, rows(w, 1)})
	}
	for _, w := range widths {
		list = append(list,
			bench{fmt.Sprintf("diamonds %d", w), eager, diamonds(w)},
			bench{fmt.Sprintf("graph rows %d", w), replay, rows(w, 4)},
			bench{fmt.Sprintf("graph diamonds %d", w), replay, diamonds(w)},
			bench{fmt.Sprintf("graph layers %d", w), replay, layers(w, long)})
	}
	for _, w := range []int{2, 4} {
		list = append(list, bench{fmt.Sprintf("graph layers %d short", w), replay, layers(w, short)})
	}
	for _, s := range sleeps {
		d := s.asked * time.Duration(s.steps)
		list = append(list, bench{sleeping(d), eager, fmt.Sprintf("kernels nanosleep\nmain: computation A %v", ns(d))})
	}
	return list
}

// hostTexts are those that time what a call takes the host.
func hostTexts() []bench {
	return []bench{
		{"launches", raw, "stream s\ntimed\ns: computation A 200us\nrepeat 16\ns: computation B{i} 2us\nend\ns: sync"},
		{"queries", raw, "stream s\ntimed\ns: computation A 5ms\ns: record e\nrepeat 8\ns: query want 600\nend\n" +
			"repeat 8\nquery event e want 600\nend\ns: sync"},
		{"idle syncs", raw, "stream s\nmain: record e\ntimed\nrepeat 8\ns: sync\nend\nrepeat 8\nsync event e\nend\n" +
			"repeat 8\nsync context\nend\ns: sync"},
		{"host functions", raw, "stream s\ntimed\ns: computation A 200us\nrepeat 4\ns: host H{i} 1us\nend\ns: sync"},
		{"copies", raw, "stream s\ntimed\ns: computation A 200us\nrepeat 4\ns: h2d C{i} 1us 4KiB\nend\ns: sync"},
		{"replays", raw, capture("stream c\nc: computation A 50us") + "repeat 4\nmain: replay g\nend\nmain: sync"},
		{"gate", gated, "main: computation A 50us"},
		{"uploads", raw, capture("stream c\nc: computation A 50us") + "repeat 4\nupload g main\nend\nmain: sync"},
	}
}

// creating times creating events, which no text spells: each repetition creates what the one before destroyed.
func creating() Bench {
	p := &schedule.Program{Name: "creating", Intent: &schedule.Intent{},
		Streams: []schedule.Stream{{Name: "main", Kind: schedule.Legacy}}}
	none := schedule.Instr{}
	for _, v := range []schedule.Verb{schedule.CreateEvent, schedule.DestroyEvent} {
		for e := range int32(4) {
			in := none
			in.Verb, in.Event = v, schedule.At(e)
			p.Body = append(p.Body, in)
		}
	}
	for e := range 4 {
		p.Events = append(p.Events, fmt.Sprintf("e%d", e))
	}
	none.Verb, none.Stream = schedule.SyncStream, schedule.At(0)
	p.Body = append(p.Body, none)
	return Bench{p.Name, p}
}

// capture is a program that captures lines on c and then is timed.
func capture(lines string) string {
	first, rest, _ := strings.Cut(lines, "\n")
	return first + "\nc: begin capture\n" +
		rest + "\nc: end capture g\ninstantiate g\nupload g main\nmain: sync\ntimed\n"
}

// ns writes a duration as a case does.
func ns(d time.Duration) string { return fmt.Sprintf("%dns", d) }

// alternate is a chain on w streams in turn.
func alternate(n, w int, d time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "main: fork %s\n", streams(w))
	for i := range n {
		if i > 0 {
			fmt.Fprintf(&b, "s%d: wait e%d\n", i%w, i-1)
		}
		fmt.Fprintf(&b, "s%d: computation A%d %v\n", i%w, i, ns(d))
		if i < n-1 {
			fmt.Fprintf(&b, "s%d: record e%d\n", i%w, i)
		}
	}
	fmt.Fprintf(&b, "main: join %s", streams(w))
	return b.String()
}

// held is a chain in one stream that waits, between any two ops, for an event of another stream, which comes after the
// wait is issued and long before the op that it waits for otherwise ends.
func held(n int) string {
	lines := []string{"main: fork s t"}
	for i := range n {
		lines = append(lines, fmt.Sprintf("s: computation A%d %v", i, ns(long)))
		if i < n-1 {
			lines = append(lines, fmt.Sprintf("t: computation B%d %v", i, ns(long/2)), fmt.Sprintf("t: record e%d", i),
				fmt.Sprintf("s: wait e%d", i))
		}
	}
	return strings.Join(append(lines, "main: join s t"), "\n")
}

func streams(w int) string {
	names := make([]string, w)
	for i := range names {
		names[i] = fmt.Sprintf("s%d", i)
	}
	return strings.Join(names, " ")
}

// rows are w chains of n ops, without relations between them, issued in turn.
func rows(w, n int) string {
	lines := []string{"main: fork " + streams(w)}
	for i := range n {
		for s := range w {
			lines = append(lines, fmt.Sprintf("s%d: computation A%d_%d %v", s, i, s, ns(long)))
		}
	}
	return strings.Join(append(lines, "main: join "+streams(w)), "\n")
}

// diamonds are two diamonds, one after the other: an op, w that wait for it, one that waits for all of them.
func diamonds(w int) string {
	lines := []string{"main: fork " + streams(w)}
	for k := range 2 {
		lines = append(lines, fmt.Sprintf("s0: computation A%d %v", k, ns(long)), fmt.Sprintf("s0: record a%d", k))
		for s := range w {
			if s > 0 {
				lines = append(lines, fmt.Sprintf("s%d: wait a%d", s, k))
			}
			lines = append(lines, fmt.Sprintf("s%d: computation B%d_%d %v", s, k, s, ns(long)))
			if s > 0 {
				lines = append(lines, fmt.Sprintf("s%d: record b%d_%d", s, k, s))
			}
		}
		for s := 1; s < w; s++ {
			lines = append(lines, fmt.Sprintf("s0: wait b%d_%d", k, s))
		}
	}
	lines = append(lines, fmt.Sprintf("s0: computation Z %v", ns(long)))
	return strings.Join(append(lines, "main: join "+streams(w)), "\n")
}

// layers are four layers of w ops; each waits for the op before it in its own stream and for that of the next stream.
func layers(w int, d time.Duration) string {
	lines := []string{"main: fork " + streams(w)}
	for i := range 4 {
		if i > 0 {
			for s := range w {
				lines = append(lines, fmt.Sprintf("s%d: wait e%d_%d", s, i-1, (s+1)%w))
			}
		}
		for s := range w {
			lines = append(lines, fmt.Sprintf("s%d: computation A%d_%d %v", s, i, s, ns(d)),
				fmt.Sprintf("s%d: record e%d_%d", s, i, s))
		}
	}
	return strings.Join(append(lines, "main: join "+streams(w)), "\n")
}

// named finds a benchmark.
func named(list []Bench, name string) (*schedule.Program, bool) {
	i := slices.IndexFunc(list, func(b Bench) bool { return b.Name == name })
	if i < 0 {
		return nil, false
	}
	return list[i].Program, true
}
