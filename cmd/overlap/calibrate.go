package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	machines "github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/internal/calibrate"
)

func newCalibrate() *cobra.Command {
	var f deviceFlags
	var raw, from, out, name string
	var reps int
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "measure what a device costs beyond its ops, as a machine for the simulated device",
		Long: `Run microbenchmarks (launches, event calls, hand-offs in a stream, across streams and in a graph, graph launches …) and
print the machine that has these costs, as the Go source of package sim.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkCalibrate(name, raw, out); err != nil {
				return &exitError{exitUsage, err}
			}
			m := &calibrate.Measurements{}
			if err := measured(cmd, from, reps, m, func() (err error) {
				ctx, stop := untilSignal(cmd.Context())
				defer stop()
				dev, err := f.open(ctx, cmd)
				if err != nil {
					return err
				}
				defer dev.Close()
				if m, err = calibrate.Measure(ctx, dev, reps); err != nil {
					return &exitError{exitDevice, err}
				}
				m.Date = today()
				return nil
			}); err != nil {
				return err
			}
			if raw != "" {
				if err := writeJSON(raw, m); err != nil {
					return err
				}
			}
			if name == "" {
				name = calibrate.MachineName(m.Device)
			}
			fitted, err := calibrate.Fit(m, name)
			if err != nil {
				return &exitError{exitUsage, err}
			}
			source, err := calibrate.Source(m, fitted)
			if err == nil && out != "" {
				err = calibrate.WriteFile(out, source)
			}
			if err == nil {
				_, err = cmd.OutOrStdout().Write(source)
			}
			if err != nil {
				return &exitError{exitUsage, err}
			}
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().IntVar(&reps, "reps", 105, "repetitions of each microbenchmark")
	cmd.Flags().StringVar(&raw, "json", "", "write the raw measurements to a file")
	cmd.Flags().StringVar(&from, "from", "", "fit raw measurements of a file instead of measuring")
	cmd.Flags().StringVarP(&out, "out", "o", "",
		"write the Go source to a file that this command wrote before, or to a new one")
	cmd.Flags().StringVar(&name, "name", "", "name of the machine; the device's when empty")
	return cmd
}

// checkCalibrate refuses, before anything is measured, what could not be written afterwards.
func checkCalibrate(name, raw, out string) error {
	if !strings.EqualFold(name, calibrate.MachineName(name)) {
		return fmt.Errorf("--name %q: want letters and digits, with - between", name)
	}
	if raw != "" {
		if err := mayWriteJSON(raw); err != nil {
			return err
		}
	}
	if out != "" {
		return calibrate.MayWrite(out)
	}
	return nil
}

func newPredict() *cobra.Command {
	var f deviceFlags
	var out, from, against string
	var reps int
	var seed uint64
	cmd := &cobra.Command{
		Use:    "predict",
		Short:  "measure schedules on a device, and compare what a simulated machine predicts of them",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			machine, err := machines.MachineNamed(against)
			if err != nil {
				return &exitError{exitUsage, err}
			}
			if out != "" {
				if err := mayWriteJSON(out); err != nil {
					return &exitError{exitUsage, err}
				}
			}
			p := &calibrate.Predicted{}
			if err := measured(cmd, from, reps, p, func() (err error) {
				ctx, stop := untilSignal(cmd.Context())
				defer stop()
				dev, err := f.open(ctx, cmd)
				if err != nil {
					return err
				}
				defer dev.Close()
				if p, err = calibrate.Predict(ctx, dev, seed, reps); err != nil {
					return &exitError{exitDevice, err}
				}
				p.Date = today()
				return nil
			}); err != nil {
				return err
			}
			if out != "" {
				if err := writeJSON(out, p); err != nil {
					return err
				}
			}
			return printPredicted(cmd, p, machine)
		},
	}
	f.register(cmd)
	cmd.Flags().IntVar(&reps, "reps", 105, "repetitions of each mode of a schedule, fewer of long ones")
	cmd.Flags().Uint64Var(&seed, "seed", calibrate.Seed, "what the random pipelines follow from")
	cmd.Flags().StringVar(&out, "out", "", "write what was measured to a file")
	cmd.Flags().StringVar(&from, "from", "", "compare what a file holds instead of measuring")
	cmd.Flags().StringVar(&against, "against", "h200", "simulated machine that predicts")
	return cmd
}

// printPredicted prints the table of errors. A bar that is not met makes it fail.
func printPredicted(cmd *cobra.Command, p *calibrate.Predicted, machine machines.Machine) error {
	rows, err := calibrate.Compare(cmd.Context(), p, machine)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if _, err := fmt.Fprint(cmd.OutOrStdout(), calibrate.Markdown(rows)); err != nil {
		return &exitError{exitUsage, err}
	}
	missed := 0
	for i := range rows {
		for _, miss := range rows[i].Misses() {
			fmt.Fprintln(cmd.ErrOrStderr(), miss)
			missed++
		}
	}
	if missed > 0 {
		return &exitError{status: exitMissed}
	}
	return nil
}

// maxBenchReps keeps a mistyped number from filling the memory: every repetition of every microbenchmark is kept.
const maxBenchReps = 10_000

// measured fills what was measured: from a file, or when none is named by measuring.
func measured(cmd *cobra.Command, from string, reps int, into any, measure func() error) error {
	if from == "" {
		if reps < 1 || reps > maxBenchReps {
			return &exitError{exitUsage, fmt.Errorf("--reps %d: want 1 to %d", reps, maxBenchReps)}
		}
		return measure()
	}
	if cmd.Flags().Changed("device") || cmd.Flags().Changed("machine") || cmd.Flags().Changed("reps") {
		return &exitError{exitUsage, errors.New("--from: nothing is measured; drop --device, --machine and --reps")}
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("--from %s: %w", from, err)}
	}
	return nil
}

// writeJSON writes what was measured. It writes over what was measured before, and over nothing else.
func writeJSON(path string, v any) error {
	if err := mayWriteJSON(path); err != nil {
		return &exitError{exitUsage, err}
	}
	data, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o777)
	}
	if err == nil {
		err = os.WriteFile(path, append(data, '\n'), 0o666)
	}
	if err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

// mayWriteJSON is an error for a file that is there and was not measured by this command.
func mayWriteJSON(path string) error {
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !bytes.HasPrefix(old, []byte(`{"date":`)):
		return fmt.Errorf("%s exists and was not measured by this command; name another file", path)
	}
	return nil
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }
