package schedule

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Programs of a million calls travel to another process as gob, which by itself would ask each Ref for its bytes. An
// Instr is written whole instead: its numbers as varints, in the order of its fields.

// GobEncode is for encoding/gob.
func (in Instr) GobEncode() ([]byte, error) {
	b := make([]byte, 0, 32)
	for _, n := range [...]int32{int32(in.Verb), int32(in.Mode), flag(in.Intended), int32(in.Want), in.Stream.n,
		in.Event.n,
		in.Op.n, in.Graph.n, in.Thread, in.Device, in.Line, in.Arg} {
		b = binary.AppendVarint(b, int64(n))
	}
	return b, nil
}

// GobDecode reads what GobEncode wrote.
func (in *Instr) GobDecode(b []byte) error {
	var verb, mode, intended, want int32
	for _, n := range [...]*int32{&verb, &mode, &intended, &want, &in.Stream.n, &in.Event.n, &in.Op.n, &in.Graph.n,
		&in.Thread, &in.Device, &in.Line, &in.Arg} {
		if err := varint(&b, n); err != nil {
			return err
		}
	}
	for _, r := range [...]*Ref{&in.Stream, &in.Event, &in.Op, &in.Graph} {
		if err := r.check(); err != nil {
			return err
		}
	}
	in.Verb, in.Mode, in.Intended, in.Want = Verb(verb), CaptureMode(mode), intended != 0, Code(want)
	return nil
}

// GobEncode is for encoding/gob.
func (r Ref) GobEncode() ([]byte, error) { return binary.AppendVarint(nil, int64(r.n)), nil }

// GobDecode reads what GobEncode wrote.
func (r *Ref) GobDecode(b []byte) error {
	if err := varint(&b, &r.n); err != nil {
		return err
	}
	return r.check()
}

// check refuses what is no reference.
func (r *Ref) check() error {
	if r.n < Null.n {
		return fmt.Errorf("schedule: a reference of %d in a program; want %d or more", r.n, Null.n)
	}
	return nil
}

// varint takes a number off the front of b.
func varint(b *[]byte, into *int32) error {
	n, used := binary.Varint(*b)
	if used <= 0 || n < math.MinInt32 || n > math.MaxInt32 {
		return fmt.Errorf("schedule: no number in %d bytes of a program", len(*b))
	}
	*b, *into = (*b)[used:], int32(n)
	return nil
}

func flag(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
