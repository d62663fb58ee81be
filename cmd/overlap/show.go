package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
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
				if len(args) > 1 {
					fmt.Fprintf(cmd.OutOrStdout(), "# %s\n", file)
				}
				if c.Raw {
					fmt.Fprint(cmd.OutOrStdout(), c.Program().Text())
					continue
				}
				fmt.Fprint(cmd.OutOrStdout(), c.Schedule.Text())
			}
			return nil
		},
	}
}
