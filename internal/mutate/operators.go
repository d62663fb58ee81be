package mutate

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Operator breaks a schedule in one way. ok is false when there is nothing to break. Cost is the cause when the mutant
// is sound and longer than the original.
type Operator struct {
	Name  string
	Cost  verdict.Cause // Met for one whose sound mutants are never longer
	Apply func(r *rand.Rand, s *schedule.Schedule) (ok bool)
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

// IsLaunch says whether a call issues an op.
func IsLaunch(_ int, c schedule.Instr) bool { return c.Op.Some() }

func verb(v schedule.Verb) func(int, schedule.Instr) bool {
	return func(_ int, c schedule.Instr) bool { return c.Verb == v }
}

func newCall(v schedule.Verb, stream, event int32) schedule.Instr {
	return schedule.Instr{Verb: v, Stream: schedule.At(stream), Event: schedule.At(event)}
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
		i := pick(r, s, func(_ int, c schedule.Instr) bool {
			return c.Verb == schedule.Record && c.Stream.Index() != schedule.Origin
		})
		if i < 0 {
			return false
		}
		c := s.Issue[i]
		if later {
			for k := i + 1; k < len(s.Issue); k++ {
				if s.Issue[k].Op.Some() && s.Issue[k].Stream == c.Stream {
					s.Issue = slices.Insert(slices.Delete(s.Issue, i, i+1), k, c)
					return true
				}
			}
			return false
		}
		for k := i - 1; k >= 0; k-- {
			if s.Issue[k].Op.Some() && s.Issue[k].Stream == c.Stream {
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
		i, stream := pick(r, s, IsLaunch), to(r, s)
		if s.Issue[i].Stream.Index() == stream {
			return false
		}
		s.Issue[i].Stream = schedule.At(stream)
		return true
	}
}

// swapWithNext swaps a call with the next of its stream.
func swapWithNext(s *schedule.Schedule, i int) bool {
	for k := i + 1; k < len(s.Issue); k++ {
		if s.Issue[k].Stream == s.Issue[i].Stream {
			s.Issue[i], s.Issue[k] = s.Issue[k], s.Issue[i]
			return true
		}
	}
	return false
}

// Improvable says whether swapping two calls of one stream gives a schedule that is sound and shorter.
func Improvable(s *schedule.Schedule) bool {
	before := FactsOf(s).Makespan
	for i := range s.Issue {
		better := Clone(*s)
		if swapWithNext(better, i) {
			if f := FactsOf(better); f.Fault(better) == verdict.Met && f.Makespan < before {
				return true
			}
		}
	}
	return false
}

func otherStream(r *rand.Rand, s *schedule.Schedule) int32 {
	return 1 + r.Int32N(int32(len(s.Streams)-1))
}

// Operators are all of them.
var Operators = []Operator{
	{"drop a wait", verdict.Met, drop(func(s *schedule.Schedule) func(int, schedule.Instr) bool {
		return func(_ int, c schedule.Instr) bool {
			return c.Verb == schedule.Wait && c.Stream.Index() != schedule.Origin
		}
	})},
	{"wait for another event", verdict.OverWideWait, func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, verb(schedule.Wait))
		e := r.Int32N(int32(len(s.Events)))
		if s.Issue[i].Event.Index() == e {
			return false
		}
		s.Issue[i].Event = schedule.At(e)
		return true
	}},
	{"record an op later", verdict.OverWideWait, moveRecord(true)},
	{"record an op earlier", verdict.Met, moveRecord(false)},
	{"add a wait", verdict.OverWideWait, func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, IsLaunch)
		e := r.Int32N(int32(len(s.Events)))
		s.Issue = slices.Insert(s.Issue, i, newCall(schedule.Wait, s.Issue[i].Stream.Index(), e))
		return true
	}},
	{"op on another stream", verdict.SerialByStream, relaunch(otherStream)},
	{"op on the origin", verdict.SerialByStream, relaunch(func(*rand.Rand,
		*schedule.Schedule) int32 {
		return schedule.Origin
	})},
	{"op on the legacy stream", verdict.LegacyBarrier, func(r *rand.Rand, s *schedule.Schedule) bool {
		for i := range s.Streams[1:] {
			s.Streams[i+1].Kind = schedule.Blocking
		}
		s.Streams = append(s.Streams, schedule.Stream{Name: "legacy", Kind: schedule.Legacy})
		s.Issue[pick(r, s, IsLaunch)].Stream = schedule.At(int32(len(s.Streams) - 1))
		return true
	}},
	{"drop a fork", verdict.Met, drop(func(s *schedule.Schedule) func(int, schedule.Instr) bool {
		return func(_ int, c schedule.Instr) bool {
			return c.Verb == schedule.Wait && strings.HasPrefix(s.Events[c.Event.Index()], "fork")
		}
	})},
	{"drop a join", verdict.Met, drop(func(s *schedule.Schedule) func(int, schedule.Instr) bool {
		return func(_ int, c schedule.Instr) bool {
			return c.Verb == schedule.Wait && c.Stream.Index() == schedule.Origin
		}
	})},
	{"merge two streams", verdict.SerialByStream, func(r *rand.Rand, s *schedule.Schedule) bool {
		a, b := otherStream(r, s), otherStream(r, s)
		if a == b {
			return false
		}
		for i := range s.Issue {
			if s.Issue[i].Stream.Index() == b {
				s.Issue[i].Stream = schedule.At(a)
			}
		}
		return true
	}},
	{"swap two issues", verdict.OverWideWait, func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, IsLaunch)
		return i >= 0 && swapWithNext(s, i)
	}},
	{"insert a host sync", verdict.HostSync, func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, IsLaunch)
		s.Issue = slices.Insert(s.Issue, i, newCall(schedule.SyncStream, otherStream(r, s), schedule.None))
		return true
	}},
	{"record an event twice", verdict.OverWideWait, func(r *rand.Rand, s *schedule.Schedule) bool {
		i := pick(r, s, verb(schedule.Record))
		c := s.Issue[i]
		k := i + r.IntN(len(s.Issue)-i)
		s.Issue = slices.Insert(s.Issue, k, newCall(schedule.Record, otherStream(r, s), c.Event.Index()))
		return true
	}},
	{"drop an op", verdict.Met, drop(func(*schedule.Schedule) func(int, schedule.Instr) bool { return IsLaunch })},
}
