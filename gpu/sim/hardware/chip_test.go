package hardware

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// kernel is a work of an op on a stream, which waits for nothing.
func kernel(stream, op int32, dur time.Duration) Work {
	return Work{Class: Kernel, Stream: stream, Op: op, Launch: None, Dur: dur}
}

// put issues a work that waits for others.
func put(c *Chip, w Work, after ...int32) int32 {
	id := c.Add(w)
	c.After(id, after)
	c.Issue(id)
	return id
}

// newChip has 8 streams, and ops that need as much as the program says.
func newChip(spec Spec, ops ...schedule.Op) (*Chip, []timeline.Span) {
	c := New(&spec, ops, Load{Streams: 8, Issuers: 8, AtOnce: 8})
	spans := make([]timeline.Span, len(ops))
	c.Reset(spans)
	return c, spans
}

// times are the starts and ends of the works, once all have ended.
func times(c *Chip) string {
	c.Drain()
	var b strings.Builder
	for id := range int32(c.Len()) {
		fmt.Fprintf(&b, "%d-%d ", c.Work(id).Ready, c.End(id))
	}
	return strings.TrimSpace(b.String())
}

func TestWorksWaitForOthers(t *testing.T) {
	c, spans := newChip(Spec{}, schedule.Op{}, schedule.Op{})
	a := put(c, kernel(0, 0, 10))
	b := put(c, kernel(1, 1, 5), a)
	assert.False(t, c.Finished([]int32{a}, 9))
	assert.True(t, c.Finished([]int32{a}, 10))
	put(c, kernel(2, None, 7), a, b) // a has ended already
	assert.EqualValues(t, 15, c.Wait([]int32{b}))
	assert.Equal(t, "0-10 10-15 15-22", times(c))
	assert.EqualValues(t, 22, c.Drain())
	assert.Equal(t, []timeline.Span{{End: 10, Ran: true}, {Start: 10, End: 15, Ran: true}}, spans)

	c.Reset(spans)
	assert.Zero(t, c.Len())
	assert.Zero(t, c.Drain())
	assert.Zero(t, c.Wait(nil))
}

// A hand-off is that of the way from one work to the next, however late the second is issued.
func TestHandOffs(t *testing.T) {
	spec := Spec{SameStream: 1, CrossStream: 10, GraphEdge: 100, Waited: 1000, HostStart: 10000, GraphFork: 20,
		GraphRoot: 30}
	host := kernel(0, None, 5)
	host.Class = HostFunc
	held := kernel(0, None, 5)
	held.Waited = true
	node, fork, join := kernel(0, None, 5), kernel(0, None, 0), kernel(1, None, 0)
	node.Launch, fork.Launch, join.Launch = 1, 1, 1
	fork.Class, join.Class = Fork, Join
	for _, row := range []struct {
		name       string
		from, to   Work
		early, two string // of the second, and of a third beside it
	}{
		{"one stream", kernel(0, None, 5), kernel(0, None, 5), "6-11", "6-11"},
		{"two streams", kernel(0, None, 5), kernel(1, None, 5), "15-20", "15-20"},
		{"held by an event", kernel(0, None, 5), held, "1006-1011", "1006-1011"},
		{"to a host function", kernel(0, None, 5), host, "10006-10011", "10011-10016"},
		{"from a host function", host, kernel(0, None, 5), "6-11", "6-11"},
		{"in a graph", node, node, "105-110", "125-130"},
		{"to its roots", fork, node, "0-5", "30-35"},
		{"to its end", node, join, "5-5", "5-5"},
	} {
		c, _ := newChip(spec)
		a := put(c, row.from)
		put(c, row.to, a)
		put(c, row.to, a)
		assert.Equal(t, row.early+" "+row.two, strings.SplitN(times(c), " ", 2)[1], row.name)
		if row.from.Launch == None {
			c, _ = newChip(spec)
			a = put(c, row.from)
			c.Drain()
			put(c, row.to, a)
			assert.Equal(t, row.early, strings.SplitN(times(c), " ", 2)[1], "%s, issued late", row.name)
		}
	}
	crowded := New(&Spec{CrossStream: 10, ThirdStream: 7}, nil, Load{Streams: 8, Crowded: true})
	put(crowded, kernel(1, None, 5), put(crowded, kernel(0, None, 5)))
	assert.Equal(t, "0-5 22-27", times(crowded))
}

// Copies of a direction and host functions run one at a time, in the order in which they become ready.
func TestLines(t *testing.T) {
	for _, class := range []Class{HostFunc, ToDevice, ToHost} {
		c, _ := newChip(Spec{})
		w := kernel(0, None, 10)
		w.Class = class
		late := w
		late.Ready = 3
		put(c, late)
		put(c, w)
		other := w
		other.Class = (class + 1) % Class(numLines)
		put(c, other)
		assert.Equal(t, "10-20 0-10 0-10", times(c), "class %d", class)
	}
}

// A hundred per cent of one SM are a hundred units: a kernel waits until it fits, and more urgent ones go before it.
func TestRoomAndPriority(t *testing.T) {
	c, _ := newChip(Spec{SMs: 1}, schedule.Op{SMs: 60}, schedule.Op{SMs: 50}, schedule.Op{SMs: 50, Waves: 2},
		schedule.Op{SMs: 100, Waves: 2})
	put(c, kernel(0, 0, 30))
	put(c, kernel(1, 0, 20))
	urgent := kernel(2, 1, 10)
	urgent.Priority = Clamped(-9)
	put(c, urgent)
	assert.Equal(t, "0-30 40-60 30-40", times(c))

	c.Reset(make([]timeline.Span, 4))
	put(c, kernel(0, 2, 10)) // two waves of half the room, both at once
	put(c, kernel(1, 3, 10)) // two waves of all, behind it
	assert.Equal(t, "0-10 10-30", times(c))
	assert.EqualValues(t, []int8{-5, 0, -3}, []int8{Clamped(-9), Clamped(9), Clamped(-3)})
}

func TestMostGrids(t *testing.T) {
	c, _ := newChip(Spec{SMs: 9, Grids: 2})
	for i := range int32(3) {
		put(c, kernel(i, None, 10))
	}
	assert.Equal(t, "0-10 0-10 10-20", times(c))
}

func TestGates(t *testing.T) {
	gate := kernel(0, None, GateLimit)
	gate.Class = Gate
	c, _ := newChip(Spec{})
	put(c, kernel(0, None, 5), put(c, gate))
	assert.False(t, c.Finished([]int32{0}, 40))
	c.OpenGates(40)
	put(c, gate)
	assert.Equal(t, "0-40 40-45 0-0", times(c))
	c.Reset(nil)
	put(c, gate)
	assert.Equal(t, fmt.Sprintf("0-%d", GateLimit), times(c), "nobody opens it any more")
}

// One connection: a kernel that waits holds back the next, whatever its stream. With two, the next takes the empty one.
func TestConnections(t *testing.T) {
	for n, want := range map[int]string{0: "0-30 30-40 0-5", 1: "0-30 30-40 30-35", 2: "0-30 30-40 0-5"} {
		c, _ := newChip(Spec{SMs: 9, Connections: n})
		issue := func(stream int32, dur time.Duration, after ...int32) int32 {
			w := kernel(stream, None, dur)
			w.Connection = c.Connect(stream, 0)
			return put(c, w, after...)
		}
		a := issue(0, 30)
		issue(0, 10, a)
		ids, shared := c.UnderWay(1, 0)
		assert.Equal(t, n > 0, shared)
		assert.Len(t, ids, map[int]int{0: 0, 1: 2, 2: 0}[n])
		issue(1, 5)
		assert.Equal(t, want, times(c), "%d connections", n)
		c.Renew(0)
		assert.Zero(t, c.Connection(0))
	}
}

func TestAlone(t *testing.T) {
	s := Spec{Sleep: [5]Sleep{{10, 30}, {100, 120}, {1000, 1100}, {10000, 10000},
		{time.Millisecond, time.Millisecond + 7}}}
	for asked, want := range map[time.Duration]time.Duration{5: 15, 10: 30, 55: 75,
		3 * time.Millisecond: 3*time.Millisecond + 21, 2*time.Millisecond + 10: 2*time.Millisecond + 44} {
		assert.Equal(t, want, s.Alone(&schedule.Op{Dur: asked, Kernel: schedule.Nanosleep}))
		assert.Equal(t, asked, s.Alone(&schedule.Op{Dur: asked}))
	}
}

// Durations of hours and many kernels overflow nothing.
func TestBandwidthOfMany(t *testing.T) {
	b := bandwidth{sum: 1_000_000}
	assert.Equal(t, 240_000*time.Hour, b.takes(24*time.Hour))
	b.advance(240_000 * time.Hour)
	assert.Equal(t, 24*time.Hour, b.done)
}
