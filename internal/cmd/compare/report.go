package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"
)

// Measured is one block, with who measured it and in which round.
type Measured struct {
	Peer  string `json:"peer"`
	Round int    `json:"round"`
	Block Block  `json:"block"`
}

// Report is the raw result of a comparison.
type Report struct {
	Date    string   `json:"date"`
	Device  string   `json:"device,omitempty"`
	Rounds  int      `json:"rounds"`
	Reps    int      `json:"reps_per_round"`
	LeftOut []string `json:"left_out,omitempty"`
	// Processors are those from which the peers issued, all from one in each round.
	Processors []int      `json:"processors,omitempty"`
	Ratios     []Ratio    `json:"ratios"`
	Blocks     []Measured `json:"blocks"`
}

// writeTable prints what was left out, the medians of every peer, and the ratios.
func writeTable(w io.Writer, r *Report, ops []time.Duration) error {
	for _, reason := range r.LeftOut {
		fmt.Fprintf(w, "left out: %s\n", reason)
	}
	fmt.Fprintf(w, "medians of %d repetitions in %d rounds, in us, each with its 95%% interval\n", r.Rounds*r.Reps,
		r.Rounds)
	if n := min(len(r.Processors), r.Rounds); n > 0 {
		fmt.Fprintf(w, "in each round all peers issue from one processor, over the rounds from %d\n", n)
	}
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "op\tpeer\tgiant wall\teager wall\teager issue\teager span\treplay wall\treplay issue\treplay span")
	for _, d := range ops {
		for _, peer := range []string{ours, cpp, torch} {
			writeMedians(tw, r.Blocks, peer, d)
		}
	}
	fmt.Fprintln(tw)
	if len(r.Ratios) > 0 {
		fmt.Fprintln(tw, "ours over\twhat\top\tours\tpeer\tratio\tinterval\tlimit")
	}
	for i := range r.Ratios {
		writeRatio(tw, &r.Ratios[i])
	}
	return tw.Flush()
}

func writeMedians(w io.Writer, blocks []Measured, peer string, d time.Duration) {
	if len(pool(blocks, peer, d.Nanoseconds(), giant, wall)) == 0 {
		return
	}
	fmt.Fprintf(w, "%v\t%s", d, peer)
	for _, cell := range []struct {
		m mode
		c column
	}{{giant, wall}, {eager, wall}, {eager, issue}, {eager, span}, {replay, wall}, {replay, issue}, {replay, span}} {
		s := summarize(pool(blocks, peer, d.Nanoseconds(), cell.m, cell.c))
		fmt.Fprintf(w, "\t%.1f %s", s.Median/1e3, s.spread)
	}
	fmt.Fprintln(w)
}

func writeRatio(w io.Writer, r *Ratio) {
	interval, limit := "", ""
	if r.Low > 0 {
		interval = fmt.Sprintf("%.3f to %.3f", r.Low, r.High)
	}
	if r.Limit > 0 {
		limit = fmt.Sprintf("%.3f %s", r.Limit, r.Standing())
	}
	fmt.Fprintf(w, "%s\t%s\t%v\t%.1f\t%.1f\t%.3f\t%s\t%s\n", r.Peer, r.What, time.Duration(r.OpNs),
		r.Ours.Median/1e3, r.Peers.Median/1e3, r.Ratio, interval, limit)
}

func writeJSON(path string, r *Report) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
