package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
)

func TestWaves(t *testing.T) {
	one := Ideal
	one.SMs = 1 // 100 units
	for _, row := range []struct{ name, calls, want string }{
		{"alone", "K s0 10ns sms:100 waves:4; Ctx", "0-40 | 40"},
		{"of less than the device", "K s0 10ns sms:50 waves:3; Ctx", "0-20 | 20"}, // two waves fit at once
		{"an urgent one comes in where blocks end", "K s0 10ns sms:100 waves:2; K s1^-1 5ns; Ctx", "0-25 10-15 | 25"},
		{"an equal one when all are placed", "K s0 10ns sms:100 waves:2; K s1 5ns; Ctx", "0-20 20-25 | 25"},
		{"and in the room that they leave", "K s0 10ns sms:40 waves:3; K s1 5ns; Ctx", "0-20 10-15 | 20"},
		{"around what was there", "K s0 7ns; K s1 10ns sms:100 waves:2; Ctx", "0-7 0-27 | 27"},
		{"its stream goes on behind the last block", "K s0 10ns sms:100 waves:2; K s0 5ns; Ctx", "0-20 20-25 | 25"},
	} {
		assert.Equal(t, row.want, timetable(t, one, program(t, "", row.calls)), row.name)
	}
}

// kernelOfBlocks is what the twin knows of a kernel, each in a stream of its own.
type kernelOfBlocks struct {
	at, dur, each, left, rounds int
	priority                    int
	ends                        []int // of each unit that runs
	start, end                  int
}

// stepBlocks is the slow, obvious twin: every unit of every kernel, nanosecond by nanosecond.
func stepBlocks(ks []*kernelOfBlocks, grids int) string {
	free := 100
	for t, todo := 0, len(ks); todo > 0; t++ {
		running := 0
		for _, k := range ks {
			kept := k.ends[:0]
			for _, end := range k.ends {
				if end == t {
					free++
				} else {
					kept = append(kept, end)
				}
			}
			if len(k.ends) > 0 && len(kept) == 0 && k.left == 0 {
				k.end = t
				todo--
			}
			k.ends = kept
			if k.start >= 0 && k.end < 0 && k.rounds == 1 {
				running++
			}
		}
		for last := -1; last < len(ks); last++ { // those that came before t, then one by one those that come now
			if last >= 0 && ks[last].at != t {
				continue
			}
			for {
				var next *kernelOfBlocks
				for i, k := range ks {
					if k.left > 0 && (k.at < t || k.at == t && i <= last) &&
						(next == nil || k.priority < next.priority || k.priority == next.priority && k.at < next.at) {
						next = k
					}
				}
				if next == nil || next.rounds == 1 && free < next.each || free == 0 || next.rounds == 1 && grids > 0 &&
					running >= grids {
					break
				}
				if next.start < 0 {
					next.start = t
					if next.rounds == 1 {
						running++
					}
				}
				for ; free > 0 && next.left > 0; free-- {
					next.left--
					next.ends = append(next.ends, t+next.dur)
				}
			}
		}
	}
	var b strings.Builder
	for _, k := range ks {
		fmt.Fprintf(&b, "%d-%d ", k.start, k.end)
	}
	return b.String()
}

func TestWavesAgainstSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	several, split := 0, 0
	for range 2000 {
		m := Machine{Name: "random", Spec: hardware.Spec{SMs: 1, Grids: r.IntN(4)}}
		delay := r.IntN(4)
		var calls strings.Builder
		var ks []*kernelOfBlocks
		for i := range 1 + r.IntN(6) {
			k := &kernelOfBlocks{at: delay * (i + 1), dur: 1 + r.IntN(12), each: 1, rounds: 1, priority: -r.IntN(3),
				start: -1, end: -1}
			fmt.Fprintf(&calls, "K s%d^%d %dns", i, k.priority, k.dur)
			if r.IntN(3) > 0 {
				k.each = 1 + r.IntN(100)
				fmt.Fprintf(&calls, " sms:%d", k.each)
				if r.IntN(2) == 0 {
					k.rounds = 2 + r.IntN(4)
					several++
					fmt.Fprintf(&calls, " waves:%d", k.rounds)
				}
			}
			calls.WriteString(";")
			k.left = k.each * k.rounds
			ks = append(ks, k)
		}
		p := program(t, "", calls.String()+"Ctx")
		for i := range p.Streams {
			require.Equal(t, ks[i].priority, int(p.Streams[i].Priority))
		}
		p.HostDelay = time.Duration(delay)
		got, _, _ := strings.Cut(timetable(t, m, p), "|")
		require.Equal(t, stepBlocks(ks, m.Grids), got, "%d grids, %s", m.Grids, calls.String())
		for _, k := range ks {
			if k.end-k.start > k.dur*k.rounds {
				split++
			}
		}
	}
	assert.Greater(t, several, 1000)
	assert.Greater(t, split, 200, "others hardly ever come in between")
}
