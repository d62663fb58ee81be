package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/verdict"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE ...",
		Short: "Judge schedules by their calls alone: nothing is run",
		Long: `Judge schedules by their calls and nominal durations alone, without a device or a target: orders that are
missing, ops that coincide on an exclusive engine, and calls without which the schedule would be shorter.

Exit status: 0 nothing was found, 1 something was, 2 bad input or usage. What a case expects plays no part.`,
		ValidArgsFunction: caseFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &exitError{exitUsage, errors.New("check: which file? want one or more case files")}
			}
			status := 0
			for _, file := range args {
				c, err := readCase(file)
				if err != nil {
					return err
				}
				if c.Raw && !c.Timed.Some() {
					return &exitError{exitUsage, fmt.Errorf("%s: a program of driver calls, not a case", c.File)}
				}
				v, err := overlap.Check(c.Program())
				if err == nil && v.Met() && !c.Raw { // a capture leaves out what its streams do not reach
					var replay verdict.Verdict
					if replay, err = overlap.Check(c.Schedule.Replay()); err == nil && !replay.Met() {
						v = replay
					}
				}
				if err != nil {
					return &exitError{exitUsage, err}
				}
				if !v.Met() {
					status = exitMissed
				}
				if err := printCheck(cmd.OutOrStdout(), c, v); err != nil {
					return &exitError{exitUsage, err}
				}
			}
			if status != 0 {
				return &exitError{status: status}
			}
			return nil
		},
	}
}

// printCheck prints a line for the verdict, and one for each note, as file:line: text where the place is known.
func printCheck(w io.Writer, c *overlap.Case, v verdict.Verdict) error {
	where := v.Where
	if where == "" {
		where = c.File
	}
	text := fmt.Sprintf("%s: %s", where, v)
	if v.Saves > 0 {
		text += fmt.Sprintf("; costs %v", v.Saves)
	}
	if v.Change != "" {
		text += "; " + string(v.Change)
	}
	for _, n := range v.Notes {
		text += "\nnote: " + n
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
