// Package schedule holds what a case says: an Intent (which ops must happen, on which engines, in which order) and a
// Schedule (how a host issues them, call by call), and turns a Schedule into the Programs that a device runs: giant,
// eager, replay, one op alone.
//
// Everything here is plain data and pure functions. Durations are time.Duration; ids are int32 indices, and a Ref where
// one may be left out; what the host issues is kept in the order of its calls. How a case spells all this, package text
// knows.
package schedule

import "time"

// Schedule is an intent and the driver calls that issue it, in the order in which the host makes them, without the
// frame of a program: creating and destroying, the capture and the final wait are added by Eager, Replay and Giant.
type Schedule struct {
	Name    string // of the case
	File    string // for messages
	Intent  Intent
	Streams []Stream // Streams[0] is main, the origin
	Events  []string
	Issue   []Instr
	Args    []Args   // of a ProgramCase: what some calls take beside the fields of an Instr
	Nodes   []string // likewise: nodes of graphs beside those of the ops
	// HostDelay is how much longer the host takes for each call.
	HostDelay time.Duration
}

// Origin is the index of the stream main in every Schedule.
const Origin int32 = 0
