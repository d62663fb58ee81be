// Package kernels holds the GPU code that stands for the ops of a case, as PTX: computation and communication, each exact
// (a loop on %globaltimer up to a deadline), nanosleep (the reference's loop of 1 ms sleeps) or memory (reads of a buffer).
// Every kernel takes its duration in nanoseconds, memory its number of 16-byte words, and the device address of a slot of
// SlotSize bytes, into which it stamps its start, its end and its SM.
package kernels

import (
	_ "embed"
	"encoding/binary"
	"math"
)

// PTX is what build.sh makes of overlap.cu; the driver compiles it for the GPU at hand.
//
//go:generate ./build.sh if-clang
//go:embed overlap.ptx
var PTX string

// SlotSize is the size of a slot in bytes; Poison is what each of its bytes holds before a launch.
const (
	SlotSize = 32
	Poison   = 0xff
)

// Stamp is what a launch left in its slot.
type Stamp struct {
	Start, End uint64 // ns on %globaltimer: the first start and the last end over the blocks
	SM         int32
}

// ReadStamp reads a slot; false when it is still poisoned or half written: the launch did not happen or did not end.
func ReadStamp(slot []byte) (Stamp, bool) {
	if len(slot) < 20 {
		return Stamp{}, false
	}
	start := binary.LittleEndian.Uint64(slot)
	notEnd := binary.LittleEndian.Uint64(slot[8:])
	s := Stamp{Start: start, End: ^notEnd, SM: int32(binary.LittleEndian.Uint32(slot[16:]))}
	return s, start != math.MaxUint64 && notEnd != math.MaxUint64
}

// ReadBegin reads the start alone, which StampBegin leaves; false when it is poisoned.
func ReadBegin(slot []byte) (uint64, bool) {
	if len(slot) < 8 {
		return 0, false
	}
	start := binary.LittleEndian.Uint64(slot)
	return start, start != math.MaxUint64
}

// Name is the entry point of a kind of op ("computation", "communication") and a kernel ("exact", "nanosleep", "memory").
func Name(kind, kernel string) string { return kind + "_" + kernel }

// Memory is the kernel of an op that needs memory bandwidth.
const Memory = "memory"

// Kernels that are no op: stamps for what cannot stamp itself, and a gate, which takes the ns after which it opens by itself
// and the address of the word that opens it.
const (
	StampBegin = "stamp_begin"
	StampEnd   = "stamp_end_of"
	Gate       = "gate"
)

// Entries are the names of all kernels.
var Entries = []string{
	Name("computation", "exact"), Name("communication", "exact"),
	Name("computation", "nanosleep"), Name("communication", "nanosleep"),
	Name("computation", Memory), Name("communication", Memory), StampBegin, StampEnd, Gate,
}
