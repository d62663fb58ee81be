package overlap_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/schedule"
)

// operator breaks a schedule in one way. ok is false when there is nothing to break. cost is the cause when the mutant is
// sound and longer than the original.
type operator struct {
	name  string
	cost  string
	apply func(r *rand.Rand, s *schedule.Schedule) (ok bool)
}

// pick gives a random call that fits; -1 when none does.
func pick(r *rand.Rand, s *schedule.Schedule, fits func(i int, c schedule.Instr) bool) int {
	var list []int
	for i, c := range s.Issue {
		if fits(i, c) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return -1
	}
	return list[r.IntN(len(list))]
}

func isLaunch(_ int, c schedule.Instr) bool { return c.Op != schedule.None }

func verb(v schedule.Verb) func(int, schedule.Instr) bool {
	return func(_ int, c schedule.Instr) bool { return c.Verb == v }
}

func newCall(v schedule.Verb, stream, event int32) schedule.Instr {
	return schedule.Instr{Verb: v, Stream: stream, Event: event, Op: schedule.None, Graph: schedule.None}
}

// drop removes a random call that fits.
func drop(fits func(s *schedule.Schedule) func(int, schedule.Instr) bool) func(*rand.Rand, *schedule.Schedule) bool {
	return func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, fits(s))
		if i < 0 {
			return false
		}
		s.Issue = slices.Delete(s.Issue, i, i+1)
		return true
	}
}

// moveRecord moves a record behind the next launch of its stream, or before the one before it.
func moveRecord(later bool) func(*rand.Rand, *schedule.Schedule) bool {
	return func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, func(_ int, c schedule.Instr) bool { return c.Verb == schedule.Record && c.Stream != schedule.Origin })
		if i < 0 {
			return false
		}
		c := s.Issue[i]
		if later {
			for k := i + 1; k < len(s.Issue); k++ {
				if s.Issue[k].Op != schedule.None && s.Issue[k].Stream == c.Stream {
					s.Issue = slices.Insert(slices.Delete(s.Issue, i, i+1), k, c)
					return true
				}
			}
			return false
		}
		for k := i - 1; k >= 0; k-- {
			if s.Issue[k].Op != schedule.None && s.Issue[k].Stream == c.Stream {
				s.Issue = slices.Insert(slices.Delete(s.Issue, i, i+1), k, c)
				return true
			}
		}
		return false
	}
}

// relaunch puts a random op on another stream.
func relaunch(to func(r *rand.Rand, s *schedule.Schedule) int32) func(*rand.Rand, *schedule.Schedule) bool {
	return func(r *rand.Rand, s *schedule.Schedule) bool {
		i, stream := pick(r, s, isLaunch), to(r, s)
		if s.Issue[i].Stream == stream {
			return false
		}
		s.Issue[i].Stream = stream
		return true
	}
}

func otherStream(r *rand.Rand, s *schedule.Schedule) int32 {
	return 1 + r.Int32N(int32(len(s.Streams)-1))
}

var operators = []operator{
	{"drop a wait", "", drop(func(s *schedule.Schedule) func(int, schedule.Instr) bool {
		return func(_ int, c schedule.Instr) bool { return c.Verb == schedule.Wait && c.Stream != schedule.Origin }
	})},
	{"wait for another event", "over-wide wait", func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, verb(schedule.Wait))
		e := r.Int32N(int32(len(s.Events)))
		if s.Issue[i].Event == e {
			return false
		}
		s.Issue[i].Event = e
		return true
	}},
	{"record an op later", "over-wide wait", moveRecord(true)},
	{"record an op earlier", "", moveRecord(false)},
	{"add a wait", "over-wide wait", func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, isLaunch)
		e := r.Int32N(int32(len(s.Events)))
		s.Issue = slices.Insert(s.Issue, i, newCall(schedule.Wait, s.Issue[i].Stream, e))
		return true
	}},
	{"op on another stream", "serial by stream", relaunch(otherStream)},
	{"op on the origin", "serial by stream", relaunch(func(*rand.Rand, *schedule.Schedule) int32 { return schedule.Origin })},
	{"op on the legacy stream", "legacy barrier", func(r *rand.Rand, s *schedule.Schedule) bool {
		for i := range s.Streams[1:] {
			s.Streams[i+1].Kind = schedule.Blocking
		}
		s.Streams = append(s.Streams, schedule.Stream{Name: "legacy", Kind: schedule.Legacy})
		s.Issue[pick(r, s, isLaunch)].Stream = int32(len(s.Streams) - 1)
		return true
	}},
	{"drop a fork", "", drop(func(s *schedule.Schedule) func(int, schedule.Instr) bool {
		return func(_ int, c schedule.Instr) bool {
			return c.Verb == schedule.Wait && strings.HasPrefix(s.Events[c.Event], "fork")
		}
	})},
	{"drop a join", "", drop(func(s *schedule.Schedule) func(int, schedule.Instr) bool {
		return func(_ int, c schedule.Instr) bool { return c.Verb == schedule.Wait && c.Stream == schedule.Origin }
	})},
	{"merge two streams", "serial by stream", func(r *rand.Rand, s *schedule.Schedule) bool {
		a, b := otherStream(r, s), otherStream(r, s)
		if a == b {
			return false
		}
		for i := range s.Issue {
			if s.Issue[i].Stream == b {
				s.Issue[i].Stream = a
			}
		}
		return true
	}},
	{"insert a host sync", "host sync", func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, isLaunch)
		s.Issue = slices.Insert(s.Issue, i, newCall(schedule.SyncStream, otherStream(r, s), schedule.None))
		return true
	}},
	{"record an event twice", "over-wide wait", func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, verb(schedule.Record))
		c := s.Issue[i]
		k := i + r.IntN(len(s.Issue)-i)
		s.Issue = slices.Insert(s.Issue, k, newCall(schedule.Record, otherStream(r, s), c.Event))
		return true
	}},
	{"drop an op", "", drop(func(*schedule.Schedule) func(int, schedule.Instr) bool { return isLaunch })},
}

// correct is a random schedule without a fault: 2 to 6 micro-batches, 2 to 8 stages, 2 to 4 engines, unequal durations, all
// layouts.
func correct(r *rand.Rand) schedule.Schedule {
	for {
		engines := schedule.DefaultEngines()
		for e := range r.IntN(3) {
			engines = append(engines, schedule.Engine{Name: fmt.Sprintf("engine%d", e), Capacity: 1})
		}
		pl := schedule.Pipeline{Micro: 2 + r.Int32N(5), Layout: schedule.Layout(r.IntN(3)), Engines: engines}
		usable := []int32{0, 1}
		for e := 3; e < len(engines); e++ {
			usable = append(usable, int32(e))
		}
		for range 2 + r.IntN(7) {
			e := usable[r.IntN(len(usable))]
			kind := schedule.Computation
			if e == 1 {
				kind = schedule.Communication
			}
			pl.Stages = append(pl.Stages, schedule.Stage{Kind: kind, Engine: e, Dur: time.Duration(1+r.IntN(20)) * 50 * time.Microsecond})
		}
		s := pl.Schedule("random", "random")
		if len(s.Streams) > 2 && factsOf(&s).fault(&s) == "" {
			return s
		}
	}
}

func clone(s schedule.Schedule) *schedule.Schedule {
	s.Streams, s.Issue = slices.Clone(s.Streams), slices.Clone(s.Issue)
	return &s
}

// row counts what became of one operator's mutants.
type row struct{ mutants, equal, benign, alarms, faulty, found, right, reordered int }

// TestMutation breaks random correct schedules, each operator once, and looks at what Static says of the mutant. The oracle
// sorts the mutants: same order as before; sound and no longer; faulty, and why. One kind of faulty mutant may be met: a
// sound one whose ops merely take an exclusive engine in another, worse order. It holds no needless call, and nothing in
// it tells that another order was there before; only a target would.
func TestMutation(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 11))
	rows := make([]row, len(operators))
	wrong := map[string]int{}
	for range 1000 {
		s := correct(r)
		require.Equal(t, overlap.Met, overlap.Static(s.Eager()).Cause, "a correct schedule: %s\n%s", overlap.Static(s.Eager()), s.Text())
		original := factsOf(&s)
		for i, op := range operators {
			m := clone(s)
			if !op.apply(r, m) {
				continue
			}
			rows[i].mutants++
			f, v := factsOf(m), overlap.Static(m.Eager())
			want := f.fault(m)
			if want == "" && f.makespan > original.makespan {
				want = op.cost
			}
			switch {
			case want != "":
				rows[i].faulty++
				if !v.Met() {
					rows[i].found++
				} else if f.fault(m) == "" && !slices.Equal(f.byEngine(m), original.byEngine(&s)) {
					rows[i].reordered++
				}
				if string(v.Cause) == want {
					rows[i].right++
				} else {
					wrong[fmt.Sprintf("%s: %s, not %s", op.name, want, v.Cause)]++
				}
			case f.same(original):
				rows[i].equal++
				if !v.Met() {
					rows[i].alarms++
				}
			default:
				rows[i].benign++
				if !v.Met() {
					rows[i].alarms++
					wrong[fmt.Sprintf("%s: benign, not %s", op.name, v.Cause)]++
				}
			}
		}
	}
	report(t, rows, wrong)
}

func report(t *testing.T, rows []row, wrong map[string]int) {
	var b strings.Builder
	var all row
	fmt.Fprintf(&b, "\n%-24s %8s %6s %6s %6s %6s %6s %6s\n", "operator", "mutants", "equal", "benign", "alarms", "faulty", "found", "right")
	for i, op := range operators {
		x := rows[i]
		fmt.Fprintf(&b, "%-24s %8d %6d %6d %6d %6d %6d %6d\n", op.name, x.mutants, x.equal, x.benign, x.alarms, x.faulty, x.found, x.right)
		all.faulty, all.found, all.right, all.alarms = all.faulty+x.faulty, all.found+x.found, all.right+x.right, all.alarms+x.alarms
		assert.Equal(t, x.faulty, x.found+x.reordered, "%s: a faulty mutant is met", op.name)
		all.reordered += x.reordered
		assert.Zero(t, x.alarms, "%s: a mutant without a fault is not met", op.name)
		if x.faulty >= 30 {
			assert.GreaterOrEqual(t, float64(x.right), 0.9*float64(x.faulty), "%s: the true cause comes first", op.name)
		}
	}
	assert.LessOrEqual(t, float64(all.reordered), 0.001*float64(all.faulty))
	assert.GreaterOrEqual(t, float64(all.right), 0.95*float64(all.faulty), "the true cause comes first, over all")
	fmt.Fprintf(&b, "%d of %d faulty mutants found, %d with the true cause, %d false alarms; %d are only another order on an engine\n",
		all.found, all.faulty, all.right, all.alarms, all.reordered)
	var lines []string
	for what, n := range wrong {
		lines = append(lines, fmt.Sprintf("%5d %s", n, what))
	}
	slices.Sort(lines)
	t.Log(b.String() + strings.Join(lines, "\n"))
}
