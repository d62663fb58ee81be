package main

import (
	"encoding/json"
	"fmt"
)

// Mode holds one value for each repetition, in nanoseconds.
type Mode struct {
	Wall  []int64 `json:"wall_ns"`  // from the first call to the return of the synchronisation
	Issue []int64 `json:"issue_ns"` // from the first call to the return of the last one before it
	Span  []int64 `json:"span_ns"`  // from the first start to the last end, on the device's clock
}

// Block is what a peer answers to one request.
type Block struct {
	OpNs   int64 `json:"op_ns"`
	Giant  Mode  `json:"giant"`
	Eager  Mode  `json:"eager"`
	Replay Mode  `json:"replay"`
}

// request is the line that asks a peer for a block.
func request(opNs int64, reps int) string { return fmt.Sprintf("run %d %d\n", opNs, reps) }

// parseBlock reads a peer's answer and checks that it is what was asked for.
func parseBlock(line []byte, opNs int64, reps int) (Block, error) {
	var b Block
	if err := json.Unmarshal(line, &b); err != nil {
		return Block{}, fmt.Errorf("the answer is no block: %w", err)
	}
	if b.OpNs != opNs {
		return Block{}, fmt.Errorf("asked for ops of %d ns, the answer is for %d ns", opNs, b.OpNs)
	}
	for _, m := range modes {
		for _, c := range columns {
			values := c.of(m.of(&b))
			if len(values) != reps {
				return Block{}, fmt.Errorf("%s.%s: asked for %d repetitions, got %d", m.name, c.name, reps, len(values))
			}
			for _, v := range values {
				if v <= 0 {
					return Block{}, fmt.Errorf("%s.%s: %d is no duration", m.name, c.name, v)
				}
			}
		}
	}
	return b, nil
}

type mode struct {
	name string
	of   func(*Block) *Mode
}

var (
	giant  = mode{"giant", func(b *Block) *Mode { return &b.Giant }}
	eager  = mode{"eager", func(b *Block) *Mode { return &b.Eager }}
	replay = mode{"replay", func(b *Block) *Mode { return &b.Replay }}
	modes  = []mode{giant, eager, replay}
)

type column struct {
	name string
	of   func(*Mode) []int64
}

var (
	wall    = column{"wall_ns", func(m *Mode) []int64 { return m.Wall }}
	issue   = column{"issue_ns", func(m *Mode) []int64 { return m.Issue }}
	span    = column{"span_ns", func(m *Mode) []int64 { return m.Span }}
	columns = []column{wall, issue, span}
)
