package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

// issued parses the lines of a schedule, separated by semicolons, and gives its eager program.
func issued(t *testing.T, lines string) *schedule.Program {
	text := "-- schedule --\n" + strings.ReplaceAll(lines, ";", "\n") + "\n-- expect --\n"
	c, err := schedule.ParseCase("x.txtar", []byte(text))
	require.NoError(t, err, text)
	return c.Schedule.Eager()
}

// withConnections is the machine with that many hardware queues, as a case's variable sets them.
func withConnections(t *testing.T, m Machine, n int) gpu.Device {
	d := Open(m)
	if n == 0 {
		return d
	}
	d, err := d.WithEnv(t.Context(), []string{fmt.Sprintf("CUDA_DEVICE_MAX_CONNECTIONS=%d", n)})
	require.NoError(t, err)
	return d
}

func runOn(t *testing.T, d gpu.Device, p *schedule.Program) gpu.Transcript {
	r, err := d.Prepare(t.Context(), p)
	require.NoError(t, err)
	first, err := r.Rep(t.Context())
	require.NoError(t, err)
	again, err := r.Rep(t.Context())
	require.NoError(t, err)
	require.Equal(t, first, again, "a repetition depends on the one before")
	return first
}

// spansOf are the spans in µs, as "A 0-2, B 2-5".
func spansOf(p *schedule.Program, tr gpu.Transcript) string {
	var parts []string
	for op, s := range tr.Spans {
		parts = append(parts, fmt.Sprintf("%s %g-%g", p.Intent.Ops[op].Name, micros(s.Start), micros(s.End)))
	}
	return strings.Join(parts, ", ")
}

// Spans on the machine Ideal, worked out by hand.
var hardwareRows = []struct {
	name        string
	connections int
	lines, want string
}{
	{"two that fit", 0, "main: fork a b;a: computation A 4us sms 60%;b: computation B 2us sms 40%", "A 0-4, B 0-2"},
	{"two that do not", 0, "main: fork a b;a: computation A 4us sms 60%;b: computation B 2us sms 41%", "A 0-4, B 4-6"},
	{"one block beside all SMs", 0, "main: fork a b;a: computation A 4us sms 100%;b: computation B 2us", "A 0-4, B 4-6"},
	{"one block beside 99 %", 0, "main: fork a b;a: computation A 4us sms 99%;b: computation B 2us", "A 0-4, B 0-2"},
	{"the first that waits keeps back the others", 0, "main: fork a b c;a: computation A 4us sms 60%;b: computation B 2us sms 60%;" +
		"c: computation C 1us sms 10%", "A 0-4, B 4-6, C 4-5"},
	{"but not one of higher priority", 0, "stream a b;stream c priority -1;main: fork a b c;a: computation A 4us sms 60%;" +
		"b: computation B 2us sms 60%;c: computation C 1us sms 10%", "A 0-4, B 4-6, C 0-1"},
	{"higher priority first", 0, "stream a b;stream c priority -1;main: fork a b c;a: computation A 4us sms 60%;" +
		"b: computation B 2us sms 60%;c: computation C 1us sms 90%", "A 0-4, B 5-7, C 4-5"},
	{"nothing is preempted", 0, "stream a;stream c priority -1;main: fork a c;a: computation A 4us sms 100%;c: computation C 1us sms 1%",
		"A 0-4, C 4-5"},

	{"bandwidth enough", 0, "main: fork a b;a: computation A 4us bandwidth 50%;b: computation B 2us bandwidth 50%", "A 0-4, B 0-2"},
	{"half the speed", 0, "main: fork a b;a: computation A 4us bandwidth 100%;b: computation B 2us bandwidth 100%", "A 0-6, B 0-4"},
	{"at 1/1.5 while both run", 0, "main: fork a b;a: computation A 4us bandwidth 90%;b: computation B 2us bandwidth 60%", "A 0-5, B 0-3"},
	{"without need, full speed", 0, "main: fork a b c;a: computation A 4us bandwidth 100%;b: computation B 2us bandwidth 100%;c: computation C 3us",
		"A 0-6, B 0-4, C 0-3"},
	{"one comes later", 0, "main: fork a b;a: computation A 4us bandwidth 100%;b: computation X 2us;b: computation B 2us bandwidth 100%",
		"A 0-6, X 0-2, B 2-6"},

	{"copies of a direction in turn", 0, "main: fork a b;a: h2d A 4us 1MiB;b: h2d B 2us 1MiB", "A 0-4, B 4-6"},
	{"of two directions at once", 0, "main: fork a b;a: h2d A 4us 1MiB;b: d2h B 2us 1MiB", "A 0-4, B 0-2"},
	{"in the order in which they become ready", 0, "main: fork a b c;a: h2d A 4us 1MiB;b: computation X 2us;b: h2d B 1us 1MiB;" +
		"c: computation Y 1us;c: h2d C 1us 1MiB", "A 0-4, X 0-2, B 5-6, Y 0-1, C 4-5"},
	{"beside a kernel that holds all SMs", 0, "main: fork a b;a: computation A 4us sms 100%;b: h2d B 2us 1MiB", "A 0-4, B 0-2"},
	{"a pageable copy holds the host", 0, "main: fork a b;a: h2d A 4us 1MiB pageable;b: computation B 2us", "A 0-4, B 4-6"},

	{"one queue, depth first", 1, "main: fork a b;a: computation A 2us;a: computation B 2us;b: computation C 3us", "A 0-2, B 2-4, C 2-5"},
	{"eight queues", 8, "main: fork a b;a: computation A 2us;a: computation B 2us;b: computation C 3us", "A 0-2, B 2-4, C 0-3"},
	{"one queue, breadth first", 1, "main: fork a b;a: computation A 2us;b: computation C 3us;a: computation B 2us", "A 0-2, C 0-3, B 2-4"},
	{"a host function is in no queue", 1, "main: fork a b c;a: computation A 2us;b: host H 5us;c: computation C 3us", "A 0-2, H 0-5, C 0-3"},
}

func TestHardware(t *testing.T) {
	for _, row := range hardwareRows {
		p := issued(t, row.lines)
		assert.Equal(t, row.want, spansOf(p, runOn(t, withConnections(t, Ideal, row.connections), p)), row.name)
	}
}

// Many that need all bandwidth, beside one that takes an hour: what a moment would make of its end fits no clock.
func TestBandwidthOfMany(t *testing.T) {
	var streams, ops strings.Builder
	for i := range 300 {
		fmt.Fprintf(&streams, " s%d", i)
		fmt.Fprintf(&ops, ";s%d: computation B%d 1us bandwidth 100%%", i, i)
	}
	p := issued(t, "main: fork a"+streams.String()+";a: computation A 3600s bandwidth 100%"+ops.String())
	tr := runOn(t, Open(Ideal), p)
	assert.InDelta(t, float64(time.Hour+300*time.Microsecond), float64(tr.Spans[0].End), 1000)
	assert.Equal(t, 301*time.Microsecond, tr.Spans[300].End)
}

// Behind a gate nothing starts before all is issued, whatever the host takes; beyond a second the gate opens itself.
func TestGatedHardware(t *testing.T) {
	s := func(lines string) *schedule.Program {
		c, err := schedule.ParseCase("x.txtar", []byte("-- schedule --\n"+strings.ReplaceAll(lines, ";", "\n")+"\n-- expect --\n"))
		require.NoError(t, err)
		p, ok := c.Schedule.Gated()
		require.True(t, ok)
		return p
	}
	p := s("slow host 10us;main: fork a b;a: computation A 4us;b: computation B 2us;main: join a b")
	tr := runOn(t, Open(Ideal), p)
	opened := tr.Issued[len(p.Body)-2] + p.HostDelay
	assert.Equal(t, opened, tr.Spans[0].Start)
	assert.Equal(t, opened, tr.Spans[1].Start)
	assert.Greater(t, opened, 90*time.Microsecond)

	p = s("slow host 100ms;main: fork a b;a: computation A 4us;b: computation B 2us;b: record e;b: record e;b: record e;main: join a b")
	tr = runOn(t, Open(Ideal), p)
	assert.Equal(t, time.Second+100*time.Millisecond, tr.Spans[0].Start, "the gate was issued after 100 ms and stayed shut for a second")
}

// plan is a small random program for one machine: what the twin needs to know of it.
type plan struct {
	p           *schedule.Program
	connections int
}

// tick is the step of the twin. Durations are multiples of it, so that what does not stretch starts and ends on it.
const tick = time.Microsecond

// randomPlan forks up to 5 streams with kernels, copies and host functions on them, and waits between.
func randomPlan(t *testing.T, r *rand.Rand, greedy bool) (plan, string) {
	var b strings.Builder
	streams := []string{"a", "b", "c", "d", "e"}[:1+r.IntN(5)]
	for _, s := range streams {
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "stream %s priority %d;", s, r.IntN(5)-2)
		} else {
			fmt.Fprintf(&b, "stream %s;", s)
		}
	}
	if r.IntN(4) == 0 {
		fmt.Fprintf(&b, "slow host %dus;", 1+r.IntN(4))
	}
	fmt.Fprintf(&b, "main: fork %s", strings.Join(streams, " "))
	recorded := 0
	for op := range 2 + r.IntN(12) {
		s := streams[r.IntN(len(streams))]
		if recorded > 0 && r.IntN(3) == 0 {
			fmt.Fprintf(&b, ";%s: wait e%d", s, r.IntN(recorded))
		}
		dur := 1 + r.IntN(20)
		switch r.IntN(8) {
		case 0:
			fmt.Fprintf(&b, ";%s: h2d X%d %dus 1MiB", s, op, dur)
		case 1:
			fmt.Fprintf(&b, ";%s: d2h X%d %dus 1MiB", s, op, dur)
		case 2:
			fmt.Fprintf(&b, ";%s: host X%d %dus", s, op, dur)
		default:
			fmt.Fprintf(&b, ";%s: computation X%d %dus", s, op, dur)
			if r.IntN(4) > 0 {
				fmt.Fprintf(&b, " sms %d%%", 1+r.IntN(100))
			}
			if greedy && r.IntN(3) > 0 {
				fmt.Fprintf(&b, " bandwidth %d%%", 1+r.IntN(100))
			}
		}
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, ";%s: record e%d", s, recorded)
			recorded++
		}
	}
	fmt.Fprintf(&b, ";main: join %s", strings.Join(streams, " "))
	return plan{issued(t, b.String()), r.IntN(4)}, b.String()
}

// stepped is the slow, obvious twin of the hardware on the machine Ideal: it looks at every op at every tick, and gives the
// starts. It knows no bandwidth. At one instant what waits is served before what becomes ready, and that in the order of issue.
func stepped(p plan) []time.Duration {
	const never = time.Duration(math.MaxInt64)
	in, o := p.p.Intent, schedule.OrderOf(p.p)
	var issue []int32
	start, end := make([]time.Duration, len(in.Ops)), make([]time.Duration, len(in.Ops))
	issued, call := make([]time.Duration, len(in.Ops)), make([]schedule.Instr, len(in.Ops))
	ready, handed := make([]bool, len(in.Ops)), []int32{} // handed to the hardware, in that order
	for i, c := range p.p.Body {
		if c.Op != schedule.None {
			issue = append(issue, c.Op)
			start[c.Op], end[c.Op] = never, never
			issued[c.Op], call[c.Op] = p.p.HostDelay*time.Duration(i+1), c
		}
	}
	queue := func(op int32) int32 {
		if p.connections == 0 || in.Ops[op].Kind == schedule.Host {
			return schedule.None
		}
		return call[op].Stream % int32(p.connections)
	}
	kernel := func(op int32) bool { return in.Ops[op].Kind <= schedule.Communication }
	share := func(op int32) int { return max(int(in.Ops[op].SMs)*100, 1) } // in hundredths of a per cent
	serve := func(now time.Duration) {
		waiting := slices.DeleteFunc(slices.Clone(handed), func(op int32) bool { return start[op] != never })
		slices.SortStableFunc(waiting, func(x, y int32) int {
			if !kernel(x) || !kernel(y) {
				return 0
			}
			return int(p.p.Streams[call[x].Stream].Priority - p.p.Streams[call[y].Stream].Priority)
		})
		kept := map[schedule.Kind]bool{} // a kind of which one waits: those behind it wait, too
		for _, op := range waiting {
			kind := in.Ops[op].Kind
			if kernel(op) {
				kind = schedule.Computation
			}
			used, busy := share(op), false
			for _, u := range issue {
				if start[u] <= now && end[u] > now {
					if kernel(u) {
						used += share(u)
					}
					busy = busy || in.Ops[u].Kind == kind
				}
			}
			if kernel(op) {
				busy = used > 100*100
			}
			if kept[kind] = kept[kind] || busy; !kept[kind] {
				start[op], end[op] = now, now+in.Ops[op].Dur
			}
		}
	}
	for now := time.Duration(0); slices.Contains(start, never); now += tick {
		serve(now)
		for _, op := range issue {
			if ready[op] || issued[op] > now || slices.ContainsFunc(o.Preds(op), func(u int32) bool { return end[u] > now }) {
				continue
			}
			ready[op] = true
			for _, next := range issue { // what is not ready holds back its queue
				if next != op && (queue(next) == schedule.None || queue(next) != queue(op)) {
					continue
				}
				if !ready[next] {
					break
				}
				if !slices.Contains(handed, next) {
					handed = append(handed, next)
					serve(now)
				}
			}
		}
	}
	return start
}

// usesHardware gives a fault of a run, "" for none: an op that starts before what it waits for has ended, more than all SMs in
// use, two copies of a direction or two host functions at once, an op that is shorter than alone.
func usesHardware(p *schedule.Program, tr gpu.Transcript) string {
	o := schedule.OrderOf(p)
	for op, s := range tr.Spans {
		x := &p.Intent.Ops[op]
		if !s.Ran {
			return x.Name + " did not run"
		}
		if d := s.End - s.Start; d < x.Dur || d > x.Dur && x.Bandwidth == 0 {
			return fmt.Sprintf("%s takes %v", x.Name, d)
		}
		for _, u := range o.Preds(int32(op)) {
			if tr.Spans[u].End > s.Start {
				return fmt.Sprintf("%s starts before %s has ended", x.Name, p.Intent.Ops[u].Name)
			}
		}
		shares := 0
		for other, u := range tr.Spans {
			y := &p.Intent.Ops[other]
			if u.Start > s.Start || u.End <= s.Start {
				continue
			}
			if y.Kind <= schedule.Communication {
				shares += max(int(y.SMs)*100, 1)
			} else if y.Kind == x.Kind && other != op {
				return fmt.Sprintf("%s and %s run at once", x.Name, y.Name)
			}
		}
		if x.Kind <= schedule.Communication && shares > 100*100 {
			return fmt.Sprintf("%s has no room", x.Name)
		}
	}
	return ""
}

func TestHardwareAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	late := 0 // ops that waited for hardware
	for range 2000 {
		p, lines := randomPlan(t, r, false)
		tr := runOn(t, withConnections(t, Ideal, p.connections), p.p)
		require.Empty(t, usesHardware(p.p, tr), lines)
		want := stepped(p)
		o := schedule.OrderOf(p.p)
		for op, s := range tr.Spans {
			require.Equal(t, want[op], s.Start, "%s, %d connections, of %s", p.p.Intent.Ops[op].Name, p.connections, lines)
			ready := time.Duration(0)
			for _, u := range o.Preds(int32(op)) {
				ready = max(ready, tr.Spans[u].End)
			}
			if s.Start > ready && p.p.HostDelay == 0 {
				late++
			}
		}
	}
	assert.Greater(t, late, 1000, "the hardware hardly ever holds anything up")
}

// Under bandwidth work is conserved: at any moment, all that need it progress at full speed, or at that fraction of it at which
// their needs add up to all there is.
func TestBandwidthConservesWork(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	stretched := 0
	for range 2000 {
		p, lines := randomPlan(t, r, true)
		m := Ideal
		if r.IntN(2) == 0 {
			m = H200
		}
		tr := runOn(t, withConnections(t, m, p.connections), p.p)
		require.Empty(t, usesHardware(p.p, tr), lines)
		for op, s := range tr.Spans {
			done := progressed(p.p, tr, op)
			dur := float64(p.p.Intent.Ops[op].Dur)
			require.InDelta(t, dur, done, 2+float64(len(tr.Spans)), "%s of %s", p.p.Intent.Ops[op].Name, lines)
			if float64(s.End-s.Start) > dur+10 {
				stretched++
			}
		}
	}
	assert.Greater(t, stretched, 1000)
}

// progressed is how much of its time alone an op does between its start and its end, by the ops that run beside it.
func progressed(p *schedule.Program, tr gpu.Transcript, op int) (done float64) {
	s := tr.Spans[op]
	times := []time.Duration{s.Start, s.End}
	for _, u := range tr.Spans {
		for _, at := range []time.Duration{u.Start, u.End} {
			if at > s.Start && at < s.End {
				times = append(times, at)
			}
		}
	}
	slices.Sort(times)
	for i := 1; i < len(times); i++ {
		need := 0
		for other, u := range tr.Spans {
			if u.Start <= times[i-1] && u.End >= times[i] {
				need += int(p.Intent.Ops[other].Bandwidth)
			}
		}
		speed := 1.0
		if p.Intent.Ops[op].Bandwidth > 0 && need > 100 {
			speed = 100 / float64(need)
		}
		done += float64(times[i]-times[i-1]) * speed
	}
	return done
}

// Negative controls: each fault that the twins look for, in a transcript that has it.
func TestHardwareControls(t *testing.T) {
	p := issued(t, "main: fork a b c;a: computation A 4us sms 60%;a: computation B 2us sms 60%;b: h2d C 4us 1MiB;c: h2d D 4us 1MiB;"+
		"c: computation E 6us sms 40% bandwidth 100%")
	clean := runOn(t, Open(Ideal), p)
	require.Equal(t, "A 0-4, B 4-6, C 0-4, D 4-8, E 8-14", spansOf(p, clean))
	require.Empty(t, usesHardware(p, clean))
	moved := func(op int, by time.Duration) gpu.Transcript {
		tr := clean
		tr.Spans = slices.Clone(clean.Spans)
		tr.Spans[op].Start += by
		tr.Spans[op].End += by
		return tr
	}
	assert.Equal(t, "B starts before A has ended", usesHardware(p, moved(1, -time.Nanosecond)))
	assert.Equal(t, "D and C run at once", usesHardware(p, moved(3, -time.Nanosecond)))
	assert.Equal(t, "E starts before D has ended", usesHardware(p, moved(4, -time.Nanosecond)))
	longer := moved(0, 0)
	longer.Spans[0].End++
	assert.Equal(t, "A takes 4.001µs", usesHardware(p, longer))
	lost := moved(0, 0)
	lost.Spans[2].Ran = false
	assert.Equal(t, "C did not run", usesHardware(p, lost))

	q := issued(t, "main: fork a b;a: computation A 4us sms 60%;b: computation B 2us sms 60%")
	tr := runOn(t, Open(Ideal), q)
	require.Empty(t, usesHardware(q, tr))
	tr.Spans = slices.Clone(tr.Spans)
	tr.Spans[1].Start, tr.Spans[1].End = 1000, 3000
	assert.Equal(t, "B has no room", usesHardware(q, tr))

	greedy := issued(t, "main: fork a b;a: computation A 4us bandwidth 100%;b: computation B 2us bandwidth 100%")
	tr = runOn(t, Open(Ideal), greedy)
	assert.InDelta(t, 4000, progressed(greedy, tr, 0), 2)
	tr.Spans = slices.Clone(tr.Spans)
	tr.Spans[0].End = 4000 // as if it were alone
	assert.InDelta(t, 2000, progressed(greedy, tr, 0), 2)

	// The twin sees a kernel that overtakes, and one that is held up by a queue that it is not in.
	late := plan{issued(t, "main: fork a b c;a: computation A 4us sms 60%;b: computation B 2us sms 60%;c: computation C 1us sms 10%"), 0}
	assert.Equal(t, []time.Duration{0, 4000, 4000}, stepped(late))
	queues := plan{issued(t, "main: fork a b;a: computation A 2us;a: computation B 2us;b: computation C 3us"), 1}
	assert.Equal(t, []time.Duration{0, 2000, 2000}, stepped(queues))
	queues.connections = 0
	assert.Equal(t, []time.Duration{0, 2000, 0}, stepped(queues))
}
