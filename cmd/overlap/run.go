package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpu-overlap/overlap"
)

type runFlags struct {
	deviceFlags
	reps  int
	json  bool
	out   string
	force bool
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [FILE ...]",
		Short: "Run cases, by default the reference experiment, and judge them",
		Long: `Run cases, by default the reference experiment, and judge them.

Exit status: 0 every case gave the verdict that it expects, 1 one did not, 2 bad input or usage,
3 the device is not available or failed, 4 a case is inconclusive.`,
		Example: `  overlap run
  overlap run testdata/cases/*.txtar --machine h200
  overlap run my.txtar --json | jq .verdict
  overlap run my.txtar --out pictures`,
		ValidArgsFunction: caseFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.register(cmd)
	cmd.Flags().IntVar(&f.reps, "reps", 0, "repetitions of each mode; 0 chooses by the length of the case")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object a case")
	cmd.Flags().StringVar(&f.out, "out", "",
		"write NAME.dot, NAME.graph.svg, NAME.timeline.svg and NAME.trace.json into this folder")
	cmd.Flags().BoolVar(&f.force, "force", false, "with --out: overwrite files that exist")
	return cmd
}

// maxReps keeps a mistyped number from running for days.
const maxReps = 1_000_000

func (f *runFlags) run(cmd *cobra.Command, files []string) error {
	if f.reps < 0 || f.reps > maxReps {
		return &exitError{exitUsage, fmt.Errorf("--reps %d: want 1 to %d, or 0 to choose", f.reps, maxReps)}
	}
	if f.force && f.out == "" {
		return &exitError{exitUsage, errors.New("--force: only with --out")}
	}
	if f.out == "" && cmd.Flags().Changed("out") {
		return &exitError{exitUsage, errors.New("--out: no folder is named")}
	}
	cases, err := readCases(files)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if c.Raw && !c.Timed.Some() {
			return &exitError{exitUsage, fmt.Errorf("%s: a program of driver calls, not a case; see it with %q", c.File,
				"overlap show")}
		}
	}
	if f.out != "" {
		if err := checkOut(f.out, cases, f.force); err != nil {
			return &exitError{exitUsage, err}
		}
	}
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	dev, err := f.open(ctx, cmd)
	if err != nil {
		return err
	}
	defer dev.Close()
	w := cmd.OutOrStdout()
	if !f.json {
		fmt.Fprintln(w, overlap.Headline(dev.Info()))
	}
	worst := 0
	var others []string // cases that did not give what they expect
	for i, c := range cases {
		res, err := overlap.Run(ctx, dev, c, overlap.Options{Reps: f.reps})
		if err != nil && (ctx.Err() != nil || i == len(cases)-1) {
			return &exitError{exitDevice, err}
		}
		if err != nil { // the next case gets a fresh worker
			fmt.Fprintf(cmd.ErrOrStderr(), "overlap: %v\n", err)
			worst = exitDevice
			others = append(others, c.Name)
			continue
		}
		if len(cases) > 1 && !f.json {
			fmt.Fprintf(w, "\n%s\n", c.Name)
		}
		if err := f.print(w, res); err != nil {
			return &exitError{exitUsage, err}
		}
		if f.out != "" {
			if err := writeOut(f.out, res, f.force); err != nil {
				return &exitError{exitUsage, err}
			}
		}
		if status := statusOf(res); status != 0 {
			worst = worse(worst, status)
			others = append(others, c.Name)
		}
	}
	if len(cases) > 1 && !f.json {
		text := fmt.Sprintf("%d of %d cases gave what they expect", len(cases)-len(others), len(cases))
		if len(others) > 0 {
			text += "; not: " + strings.Join(others, " ")
		}
		fmt.Fprintf(w, "\n%s\n", text)
	}
	if worst != 0 {
		return &exitError{status: worst}
	}
	return nil
}

func (f *runFlags) print(w io.Writer, res *overlap.Result) error {
	if f.json {
		return json.NewEncoder(w).Encode(res.JSON())
	}
	_, err := io.WriteString(w, overlap.Report(res))
	return err
}

// statusOf is the exit status that one result gives.
func statusOf(res *overlap.Result) int {
	switch {
	case len(res.Failures) == 0:
		return 0
	case res.Inconclusive():
		return exitInconclusive
	}
	return exitMissed
}

// worse keeps a failure of the device over a miss, that over an inconclusive case, and all over success.
func worse(a, b int) int {
	for _, s := range []int{exitDevice, exitMissed, exitInconclusive} {
		if a == s || b == s {
			return s
		}
	}
	return 0
}
