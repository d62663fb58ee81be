package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/gpu-overlap/overlap/schedule/text"
)

func newShow() *cobra.Command {
	return &cobra.Command{
		Use:               "show FILE ...",
		Short:             "Print the driver calls that a case expands to",
		Long:              "Print the driver calls that a case expands to, in the form that a case can spell out itself.",
		ValidArgsFunction: caseFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &exitError{exitUsage, errors.New("show: which file? want one or more case files")}
			}
			for _, file := range args {
				c, err := readCase(file)
				if err != nil {
					return err
				}
				calls := text.Schedule(&c.Schedule)
				if c.Raw {
					calls = text.Program(c.Program())
				}
				if len(args) > 1 {
					calls = "# " + file + "\n" + calls
				}
				if _, err := io.WriteString(cmd.OutOrStdout(), calls); err != nil {
					return &exitError{exitUsage, err}
				}
			}
			return nil
		},
	}
}
