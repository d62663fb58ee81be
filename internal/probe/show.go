package probe

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// held is how long a call must take for the host to be called held: half of the usual op, far more than any call takes
// that does not wait.
const held = time.Millisecond

// show prints what a device showed of a part: a row for each call, and one for each pair of ops.
func show(p *Part, t *gpu.Trace) []Row {
	var rows []Row
	prog := p.Program
	thread := int32(0)
	for i, in := range prog.Body {
		in.Want = schedule.Success
		call := text.Describe(prog, in)
		if in.Thread != thread || in.Thread != 0 {
			call = fmt.Sprintf("thread %d ", in.Thread) + call
		}
		s := &t.Steps[i]
		r := Row{What: call}
		k := p.marks.step[i]
		r.Unmodelled = k != nil && k.unmodelled
		r.Free = k != nil && !k.unmodelled
		code := strconv.Itoa(int(s.Code))
		if k != nil && slices.Contains(k.codes, s.Code) {
			code = "free"
		}
		shown := shownBy(prog, in, s)
		if k != nil && k.shown {
			shown = []string{"free"}
		}
		r.Saw = append([]string{strings.TrimSpace(code + "  " + shown[0])}, shown[1:]...)
		rows = append(rows, r)
	}
	return append(rows, orders(p, t.Spans)...)
}

// shownBy is what a call showed beside its code: what fits behind the code, then further lines.
func shownBy(p *schedule.Program, in schedule.Instr, s *gpu.Step) []string {
	var first []string
	say := func(format string, args ...any) { first = append(first, fmt.Sprintf(format, args...)) }
	if s.Took >= held && !in.Verb.Blocks() && in.Verb != schedule.Pause && in.Verb != schedule.Burst {
		say("held the host")
	}
	if len(s.Values) > 0 {
		say("%s", values(p, in, s))
	}
	if len(s.Status) > 0 {
		say("%s", statuses(p, s.Status))
	}
	out := []string{strings.Join(first, "; ")}
	if s.List != nil {
		out = append(out, listing(p, s.List)...)
	}
	for _, dump := range s.Text {
		out = append(out, normal(dump)...)
	}
	return out
}

var statusNames = [...]string{"none", "active", "invalidated"}

func statusName(v int64) string {
	if v >= 0 && int(v) < len(statusNames) {
		return statusNames[v]
	}
	return strconv.FormatInt(v, 10)
}

// values names what a call returned.
func values(p *schedule.Program, in schedule.Instr, s *gpu.Step) string {
	v := s.Values
	switch in.Verb {
	case schedule.ExchangeMode:
		return "was " + schedule.CaptureMode(v[0]).String()
	case schedule.IsCapturing:
		return statusName(v[0])
	case schedule.CaptureInfo:
		text := statusName(v[0])
		if v[0] == 0 {
			return text
		}
		if len(v) > 1 {
			text += fmt.Sprintf(", capture %d", v[1])
		}
		return text + ", after" + nodeNames(p, s.Nodes)
	case schedule.Elapsed:
		return [...]string{"negative", "zero", "positive"}[v[0]+1]
	case schedule.InstantiateWith, schedule.UpdateExec:
		return fmt.Sprintf("result %d, nodes%s", v[0], nodeNames(p, s.Nodes))
	case schedule.EndCapture:
		return [...]string{"no graph", "a graph"}[v[0]]
	}
	return strings.Trim(fmt.Sprint(v), "[]")
}

func nodeNames(p *schedule.Program, nodes []schedule.Ref) (text string) {
	for _, n := range nodes {
		text += " " + nodeName(p, n)
	}
	if text == "" {
		return " nothing"
	}
	return text
}

func nodeName(p *schedule.Program, n schedule.Ref) string {
	switch n {
	case schedule.Ref{}:
		return "unnamed"
	case schedule.Null:
		return "null"
	}
	return p.NodeName(n)
}

// statuses are those of all streams, as short as can be.
func statuses(p *schedule.Program, list []gpu.Status) string {
	var words []string
	for i, s := range list {
		word := statusName(int64(s.Value))
		if s.Code != schedule.Success {
			word = strconv.Itoa(int(s.Code))
		}
		if !s.Absent {
			words = append(words, p.Streams[i].Name+" "+word)
		}
	}
	return strings.Join(words, ", ")
}

// listing is a node a line, then the edges.
func listing(p *schedule.Program, l *gpu.Listing) (lines []string) {
	for i, n := range l.Graph.Nodes {
		line := fmt.Sprintf("%d %s", i, n.Kind)
		if l.Nodes[i].Some() {
			line += " " + nodeName(p, l.Nodes[i])
		}
		line += numbers(" after", l.Deps[i]) + numbers(" before", l.Dependents[i])
		if l.Priorities[i] != 0 {
			line += fmt.Sprintf(" priority %d", l.Priorities[i])
		}
		lines = append(lines, line)
	}
	edges := "edges"
	for _, e := range l.Graph.Edges {
		edges += fmt.Sprintf(" %d>%d", e.From, e.To)
		if e.Type != 0 || e.FromPort != 0 {
			edges += fmt.Sprintf("(type %d port %d)", e.Type, e.FromPort)
		}
	}
	if l.Code != schedule.Success {
		edges += fmt.Sprintf(" code %d", l.Code)
	}
	return append(lines, edges+numbers("; roots", l.Roots))
}

func numbers(word string, list []int32) string {
	if len(list) == 0 {
		return ""
	}
	for _, n := range list {
		word += fmt.Sprintf(" %d", n)
	}
	return word
}

var (
	handle  = regexp.MustCompile(`0x[0-9A-Fa-f]+`)
	graphID = regexp.MustCompile(`(graph|cluster)_(\d+)`)
)

// normal is a dump without what differs from run to run: handles, and the numbers of graphs, which become 0, 1 … in the
// order in which they stand there.
func normal(dump string) []string {
	ids := map[string]int{}
	dump = handle.ReplaceAllString(dump, "0x*")
	dump = graphID.ReplaceAllStringFunc(dump, func(s string) string {
		m := graphID.FindStringSubmatch(s)
		id, ok := ids[m[2]]
		if !ok {
			id = len(ids)
			ids[m[2]] = id
		}
		return fmt.Sprintf("%s_%d", m[1], id)
	})
	var lines []string
	for _, l := range strings.Split(strings.TrimRight(dump, "\n"), "\n") {
		lines = append(lines, "| "+strings.TrimRight(l, " "))
	}
	return lines
}
