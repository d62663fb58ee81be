package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

// newPeer speaks the protocol of the peer programs: each line "run OP_NS REPS" on standard input is answered by one
// JSON line with the times of the reference schedule at that op duration.
func newPeer() *cobra.Command {
	var f deviceFlags
	cmd := &cobra.Command{
		Use:    "peer",
		Short:  "Run the reference schedule on demand, for comparison with other programs",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dev, err := f.open(cmd.Context(), cmd)
			if err != nil {
				return err
			}
			defer dev.Close()
			p := &peer{dev: dev}
			return p.serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	f.register(cmd)
	return cmd
}

// peer holds the programs of one op duration at a time, as the other peers do: idle streams and graphs cost too.
type peer struct {
	dev  gpu.Device
	ns   int64     // the op duration of runs
	runs []gpu.Run // giant, eager, replay
}

// warmReps are run and not counted after programs are prepared.
const warmReps = 5

// peerMode is the times of one mode, by repetition.
type peerMode struct {
	WallNS  []time.Duration `json:"wall_ns"`
	IssueNS []time.Duration `json:"issue_ns"`
	SpanNS  []time.Duration `json:"span_ns"`
}

type peerBlock struct {
	OpNS   int64    `json:"op_ns"`
	Giant  peerMode `json:"giant"`
	Eager  peerMode `json:"eager"`
	Replay peerMode `json:"replay"`
}

func (p *peer) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	enc := json.NewEncoder(out)
	for lines.Scan() {
		var ns int64
		var reps int
		if _, err := fmt.Sscanf(lines.Text(), "run %d %d", &ns, &reps); err != nil || ns <= 0 || reps <= 0 ||
			reps > maxReps {
			return &exitError{exitUsage, fmt.Errorf("peer: %q: want \"run OP_NS REPS\"", lines.Text())}
		}
		block, err := p.block(ctx, ns, reps)
		if err != nil {
			return &exitError{exitDevice, err}
		}
		if err := enc.Encode(block); err != nil {
			return &exitError{exitUsage, err}
		}
	}
	return lines.Err()
}

// prepare makes the programs of another op duration the present ones.
func (p *peer) prepare(ctx context.Context, ns int64) error {
	for _, run := range p.runs {
		if err := run.Close(); err != nil {
			return err
		}
	}
	p.ns, p.runs = ns, nil
	s := overlap.ReferenceSchedule(time.Duration(ns))
	for _, prog := range []*schedule.Program{s.Giant(), s.Eager(), s.Replay()} {
		run, err := p.dev.Prepare(ctx, prog)
		if err != nil {
			return err
		}
		p.runs = append(p.runs, run)
	}
	_, err := p.dev.Sample(ctx, p.runs, warmReps)
	return err
}

func (p *peer) block(ctx context.Context, ns int64, reps int) (*peerBlock, error) {
	if p.ns != ns {
		if err := p.prepare(ctx, ns); err != nil {
			return nil, err
		}
	}
	got, err := p.dev.Sample(ctx, p.runs, reps)
	if err != nil {
		return nil, err
	}
	b := &peerBlock{OpNS: ns}
	for i, m := range []*peerMode{&b.Giant, &b.Eager, &b.Replay} {
		for _, t := range got[i] {
			if err := gpu.Check(p.runs[i].Program(), p.runs[i].Program().Body, t.Codes); err != nil {
				return nil, err
			}
			m.WallNS, m.IssueNS, m.SpanNS = append(m.WallNS, t.Wall), append(m.IssueNS, t.Issue),
				append(m.SpanNS, t.DeviceSpan())
		}
	}
	return b, nil
}
