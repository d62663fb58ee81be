package verdict

import (
	"fmt"
	"slices"
)

// Cause names why a mode did not meet its bound. The zero value is Met: nothing was found.
type Cause uint8

// Causes, in words a person can act on. The judge's order of checks is package judge's; this order says nothing.
const (
	Met            Cause = iota // everything that was judged holds
	BadCode                     // a driver call gave another code than expected, or an op left no stamp
	Vacuous                     // nothing that could overlap, or a target that a serial run would meet
	WrongGraph                  // a node or an edge too many or too few
	MissingOrder                // an intended or imposed order is not there, or was violated
	EngineClash                 // two ops of one exclusive engine coincide
	OverWideWait                // a wait that nothing implies and whose removal shortens the schedule
	SerialByStream              // independent ops share a stream; moving one shortens the schedule
	LegacyBarrier               // work on the legacy stream orders blocking streams
	HostSync                    // the host blocks inside the schedule
	OrderSensitive              // the makespan depends on an order that no call enforces
	SharedExec                  // launches of one instantiated graph never run at once
	Environment                 // a setting of the process or the GPU makes overlap impossible
	LaunchBound                 // ops start when the host issues them; behind a gate the schedule meets its bound
	EngineFull                  // ready and issued, but SMs or a copy engine were busy until it started
	FalseDep                    // ready, issued, hardware free, still late; gone with more connections
	Contention                  // ran at once, but stretched, and alone at that time it did not
	HandOff                     // many short gaps between dependent ops: the ops are too short
	Unprofitable                // overlaps as it should, and is no faster than the giant batch
	LostInGraph                 // eager met its bound, the replay of the same schedule missed it
	Missed                      // the bound was missed and no cause above explains it
	Inconclusive                // the samples do not decide; only ever in the place of a miss in concurrency or time
	numCauses
)

// causeNames are the words that a case expects, a report prints and the language reads.
var causeNames = [numCauses]string{
	Met:            "met",
	BadCode:        "bad code",
	Vacuous:        "vacuous",
	WrongGraph:     "wrong graph",
	MissingOrder:   "missing order",
	EngineClash:    "engine clash",
	OverWideWait:   "over-wide wait",
	SerialByStream: "serial by stream",
	LegacyBarrier:  "legacy barrier",
	HostSync:       "host sync",
	OrderSensitive: "order-sensitive",
	SharedExec:     "shared exec",
	Environment:    "environment",
	LaunchBound:    "launch-bound",
	EngineFull:     "engine full",
	FalseDep:       "false dependency",
	Contention:     "contention",
	HandOff:        "hand-off",
	Unprofitable:   "unprofitable",
	LostInGraph:    "lost in graph",
	Missed:         "missed",
	Inconclusive:   "inconclusive",
}

// String is the cause in words: "over-wide wait".
func (c Cause) String() string {
	if c < numCauses {
		return causeNames[c]
	}
	return fmt.Sprintf("cause %d", uint8(c))
}

// ParseCause reads what String prints. ok is false for other words.
func ParseCause(words string) (c Cause, ok bool) {
	i := slices.Index(causeNames[:], words)
	return Cause(max(i, 0)), i >= 0
}

// Causes are all causes, Met first.
func Causes() []Cause {
	all := make([]Cause, numCauses)
	for i := range all {
		all[i] = Cause(i)
	}
	return all
}

// CauseNames are the words of all causes, in the same order.
func CauseNames() []string { return slices.Clone(causeNames[:]) }

// MarshalText is the cause in words.
func (c Cause) MarshalText() ([]byte, error) {
	if c >= numCauses {
		return nil, fmt.Errorf("verdict: no cause %d; there are %d", uint8(c), numCauses)
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads what MarshalText prints.
func (c *Cause) UnmarshalText(text []byte) error {
	found, ok := ParseCause(string(text))
	if !ok {
		return fmt.Errorf("verdict: no cause %q", text)
	}
	*c = found
	return nil
}
