package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gpu-overlap/overlap/internal/preflight"
)

func newDoctor() *cobra.Command {
	var asJSON bool
	var uuid string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "look for what makes overlap impossible here: variables, MPS, and the GPU's modes, clocks and processes",
		Long: `Look at the environment before anything is run. A binary built with the tag gpu asks the GPU that --gpu names, by the
UUID that nvidia-smi -L prints, through NVML; without it the GPU is left out.

Exit status: 0 nothing makes overlap impossible, 1 something does, 2 bad usage.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			facts := preflight.Look(uuid, nil)
			found := preflight.Check(facts)
			if err := printDoctor(cmd.OutOrStdout(), facts, found, asJSON); err != nil {
				return &exitError{exitUsage, err}
			}
			if preflight.Stop(found) != "" {
				return &exitError{status: exitMissed}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&uuid, "gpu", "", "UUID of the GPU to look at")
	return cmd
}

func printDoctor(w io.Writer, facts preflight.Facts, found []preflight.Finding, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"facts": facts, "findings": texts(found)})
	}
	for _, line := range append(texts(found), unknown(facts)...) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(w, "nothing stands out")
		return err
	}
	return nil
}

func texts(found []preflight.Finding) []string {
	list := []string{}
	for _, f := range found {
		list = append(list, f.String())
	}
	return list
}

func unknown(facts preflight.Facts) (list []string) {
	for _, u := range facts.Unknown {
		list = append(list, "unknown: "+u)
	}
	return list
}
