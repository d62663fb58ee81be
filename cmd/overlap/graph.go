package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/match"
)

type graphFlags struct {
	durations []string
	standard  string
	short     bool
	json      bool
}

func newGraph() *cobra.Command {
	var f graphFlags
	cmd := &cobra.Command{
		Use:   "graph FILE [OTHER]",
		Short: "Describe a graph that the driver dumped, or say how two differ",
		Long: `Describe a captured graph: its nodes, edges, width (the largest number of nodes that may run at a time) and, with
durations, how long it takes when nothing but its edges holds it up, and along which nodes. With two files, A and B, say
how they differ up to the numbering of their nodes: a node is what its kind and name are, an edge what it joins.

A file is DOT: a dump of the driver (cuGraphDebugDotPrint, torch.cuda.CUDAGraph.debug_dump), short or verbose, with its
child graphs, or the form of the goldens in the cases.

A duration is given by the name of nodes, a pattern of it as *gemm*, or a kind as memcpy; the last that fits counts. A node
that holds graphs takes as long as the longest of them, unless a duration is given for it; event and empty nodes take none.

Exit status: 0 described, or the two are equal, 1 they differ, 2 bad input or usage, 4 they are too regular to tell.`,
		Example: `  overlap graph captured.dot
  overlap graph captured.dot --duration '*gemm*=120us' --duration memcpy=35us --default 5us
  overlap graph before.dot after.dot --short-names`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 2 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"dot", "gv"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 1:
				return f.describe(cmd, args[0])
			case 2:
				return f.compare(cmd, args[0], args[1])
			}
			return &exitError{exitUsage, fmt.Errorf("graph: %d files; want one to describe, or two to compare",
				len(args))}
		},
	}
	cmd.Flags().StringArrayVar(&f.durations, "duration", nil,
		"NAME=DUR, how long nodes of a name, pattern or kind take; may be repeated")
	cmd.Flags().StringVar(&f.standard, "default", "", "how long nodes take that no --duration names")
	cmd.Flags().BoolVar(&f.short, "short-names", false, "call kernels by their C++ names without parameters")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	kinds := graph.KindNames()
	for i := range kinds {
		kinds[i] += "="
	}
	const onlyThese = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	cmd.RegisterFlagCompletionFunc("duration", cobra.FixedCompletions(kinds, onlyThese))
	cmd.RegisterFlagCompletionFunc("default", cobra.NoFileCompletions)
	return cmd
}

// read reads a graph; what is wrong with it is said as file:line: what.
func (f *graphFlags) read(file string) (*graph.Graph, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	g, err := dot.Read(bytes.NewReader(text))
	var bad *dot.Error
	switch {
	case errors.As(err, &bad):
		return nil, &exitError{exitUsage, fmt.Errorf("%s:%d: %s", file, bad.Line, bad.What)}
	case err != nil:
		return nil, &exitError{exitUsage, fmt.Errorf("%s: %w", file, err)}
	}
	if f.short {
		g = dot.ShortNames(g)
	}
	return g, nil
}

func (f *graphFlags) describe(cmd *cobra.Command, file string) error {
	g, err := f.read(file)
	if err != nil {
		return err
	}
	rules, err := f.rules()
	if err != nil {
		return &exitError{exitUsage, err}
	}
	list, err := describeAll(g, rules)
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("%s: %w", file, err)}
	}
	if f.json {
		err = writeGraphJSON(cmd.OutOrStdout(), file, list)
	} else {
		err = writeGraphText(cmd.OutOrStdout(), file, list)
	}
	if err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

func (f *graphFlags) compare(cmd *cobra.Command, fileA, fileB string) error {
	if len(f.durations) > 0 || f.standard != "" {
		return &exitError{exitUsage,
			errors.New("graph: durations play no part when two files are compared; want them with one file")}
	}
	a, err := f.read(fileA)
	if err != nil {
		return err
	}
	b, err := f.read(fileB)
	if err != nil {
		return err
	}
	lines, err := match.Differences(a, b)
	if err := f.printDifferences(cmd.OutOrStdout(), fileA, fileB, lines, err != nil); err != nil {
		return &exitError{exitUsage, err}
	}
	if len(lines) > 0 && !f.short && !f.json {
		if rest, err := match.Differences(dot.ShortNames(a), dot.ShortNames(b)); len(rest) == 0 && err == nil {
			fmt.Fprintln(cmd.OutOrStdout(),
				"note: but for the parameters in the names of kernels they are equal; see --short-names")
		}
	}
	return differ(fileA, fileB, lines, err)
}

// differ is the exit status of a comparison. When no difference is left the graphs are equal, however regular they are.
func differ(a, b string, lines []string, err error) error {
	switch {
	case len(lines) == 0:
		return nil
	case err != nil:
		return &exitError{exitInconclusive, fmt.Errorf("%s, %s: %w", a, b, err)}
	}
	return &exitError{status: exitMissed}
}
