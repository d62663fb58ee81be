package overlap

import "time"

// Cause names why a mode did not meet its bound. The zero value is the verdict met.
type Cause string

// Causes, in words a person can act on. The order of judgement is that of Judge.
const (
	Met            Cause = "met"
	BadCode        Cause = "bad code"         // a driver call gave another code than expected, or an op left no stamp
	Vacuous        Cause = "vacuous"          // nothing that could overlap, or a target that a serial run would meet
	WrongGraph     Cause = "wrong graph"      // a node or an edge too many or too few
	MissingOrder   Cause = "missing order"    // an intended or imposed order is not there, or was violated
	EngineClash    Cause = "engine clash"     // two ops of one exclusive engine coincide
	OverWideWait   Cause = "over-wide wait"   // a wait that nothing implies and whose removal shortens the schedule
	SerialByStream Cause = "serial by stream" // independent ops share a stream; moving one shortens the schedule
	LegacyBarrier  Cause = "legacy barrier"   // work on the legacy stream orders blocking streams
	HostSync       Cause = "host sync"        // the host blocks inside the schedule
	OrderSensitive Cause = "order-sensitive"  // the makespan depends on an order that no call enforces
	SharedExec     Cause = "shared exec"      // launches of one instantiated graph never run at once
	Environment    Cause = "environment"      // a setting of the process or the GPU makes overlap impossible
	LaunchBound    Cause = "launch-bound"     // ops start when the host issues them; behind a gate the schedule meets
	EngineFull     Cause = "engine full"      // ready and issued, but SMs or a copy engine were busy until it started
	FalseDep       Cause = "false dependency" // ready, issued, hardware free, still late; gone with more connections
	Contention     Cause = "contention"       // ran at once, but stretched, and alone at that time it did not
	HandOff        Cause = "hand-off"         // many short gaps between dependent ops: the ops are too short
	Unprofitable   Cause = "unprofitable"     // overlaps as it should, and is no faster than the giant batch
	LostInGraph    Cause = "lost in graph"    // eager met, the replay of the same schedule missed
	Missed         Cause = "missed"           // the bound was missed and no cause above explains it
	Inconclusive   Cause = "inconclusive"     // the samples do not decide; only ever instead of Missed or a miss in time
)

// Causes are all causes, in the order of the list above, without Met.
var Causes = []Cause{BadCode, Vacuous, WrongGraph, MissingOrder, EngineClash, OverWideWait, SerialByStream, LegacyBarrier,
	HostSync, OrderSensitive, SharedExec, Environment, LaunchBound, EngineFull, FalseDep, Contention, HandOff, Unprofitable,
	LostInGraph, Missed, Inconclusive}

// Verdict is the judgement on one mode.
type Verdict struct {
	Cause  Cause
	Detail string // names what is guilty, without measured numbers: the same on every device
	Where  string // file:line of the instruction or expectation that is guilty; empty when there is none
	// Guilty are the op that is late and, after it, what it waits for or what gets in its way, as far as they are known.
	Guilty []int32
	// Saves is by how much the schedule, at nominal durations, would be shorter without what is blamed; 0 when nothing is.
	Saves time.Duration
	// Took is the time that it took in the repetition that is accounted for; 0 when that was not looked into.
	Took time.Duration
	// Evidence is what confirms the cause, with measured numbers: of a twin of the schedule, for instance.
	Evidence string
	// Change is the smallest change that would mend it, where one is known: "record e right after A".
	Change string
	// Needs is about how many samples would settle what is inconclusive in time; 0 when none would, or when it is not that.
	Needs int
	// Notes are findings that decide nothing: an order that only durations give, for instance.
	Notes []string
}

// Met says whether everything that was judged holds.
func (v Verdict) Met() bool { return v.Cause == Met }

// String is the verdict in one line, as a case expects it: "over-wide wait: CA waits for B through e".
func (v Verdict) String() string {
	if v.Detail == "" {
		return string(v.Cause)
	}
	return string(v.Cause) + ": " + v.Detail
}

// Times are the durations that a schedule is held against; zero when there is none. Serial, Ideal, Optimal and Scheduled
// are computed from solo durations; see package bound for their definitions.
type Times struct {
	Serial    time.Duration // the sum of the solo durations
	Ideal     time.Duration // no schedule of the intent can beat it
	Optimal   time.Duration // the true optimum; 0 when the case is too large to search
	Scheduled time.Duration // what the program's own order allows
}

// Achieved is (serial − wall)/(serial − ideal): 1 is ideal, 0 is serial, below 0 worse than serial. ok is false when
// there is nothing to gain.
func (t Times) Achieved(wall time.Duration) (share float64, ok bool) {
	if t.Serial <= t.Ideal {
		return 0, false
	}
	return float64(t.Serial-wall) / float64(t.Serial-t.Ideal), true
}
