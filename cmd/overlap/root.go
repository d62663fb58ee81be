package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu"
)

// deviceFlags name the device that a command runs on.
type deviceFlags struct {
	device, machine string
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "overlap",
		Short:         "Does this CUDA schedule really overlap, eagerly and as a replayed graph, and if not, why not?",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		Version:       version(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return &exitError{exitUsage, fmt.Errorf("no command; try %q", "overlap run")}
		},
	}
	root.AddCommand(newRun(), newCheck(), newShow(), newGraph(), newPeer(), newDoctor(), newCalibrate(), newPredict())
	return root
}

// version is that of the module, and of its commit where the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value
		}
	}
	return v
}

// caseFiles completes the names of case files.
func caseFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"txtar"}, cobra.ShellCompDirectiveFilterFileExt
}

func (f *deviceFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.device, "device", overlap.DefaultDevice(), "sim or cuda")
	cmd.Flags().StringVar(&f.machine, "machine", "ideal", "simulated machine: ideal or h200")
	cmd.RegisterFlagCompletionFunc("device", cobra.FixedCompletions([]string{overlap.Sim, overlap.CUDA},
		cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("machine", cobra.FixedCompletions([]string{"ideal", "h200"},
		cobra.ShellCompDirectiveNoFileComp))
}

func (f *deviceFlags) open(ctx context.Context, cmd *cobra.Command) (gpu.Device, error) {
	if f.device != overlap.Sim && cmd.Flags().Changed("machine") {
		return nil, &exitError{exitUsage,
			fmt.Errorf("--machine %s: only a simulated device has a machine; drop it, or say --device sim", f.machine)}
	}
	if f.device != overlap.Sim && f.device != overlap.CUDA {
		return nil, &exitError{exitUsage, fmt.Errorf("--device %s: want %s or %s", f.device, overlap.Sim, overlap.CUDA)}
	}
	dev, err := overlap.Open(ctx, f.device, f.machine)
	if err != nil {
		status := exitDevice
		if f.device == overlap.Sim {
			status = exitUsage // the only thing that can be wrong is the machine's name
		}
		return nil, &exitError{status, err}
	}
	return dev, nil
}

// maxFile is more than any case file may have; what is longer is not read to its end.
const maxFile = 17 << 20

// readCase reads one case file. It may be a pipe.
func readCase(file string) (*overlap.Case, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	c, err := overlap.ParseCase(file, data)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return c, nil
}

// readCases reads the files, or without any the embedded reference case.
func readCases(files []string) ([]*overlap.Case, error) {
	if len(files) == 0 {
		c, err := overlap.Reference()
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		return []*overlap.Case{c}, nil
	}
	var cases []*overlap.Case
	for _, f := range files {
		c, err := readCase(f)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}
