// Command tables derives the tables that the simulated device reads from the goldens of the probes P18 and P19. It runs
// in the root of the module, after the goldens were taken.
package main

import (
	"fmt"
	"os"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/internal/probe"
)

func main() {
	for _, t := range []struct {
		probe, table string
		derive       func(*probe.Log) (string, error)
		read         func(string) error
	}{
		{"testdata/probes/P18.txtar", "gpu/sim/tables/unsafe.txt", probe.UnsafeTable, readUnsafe},
		{"testdata/probes/P19.txtar", "gpu/sim/tables/legacy.txt", probe.LegacyTable, readLegacy},
	} {
		if err := write(t.probe, t.table, t.derive, t.read); err != nil {
			fmt.Fprintf(os.Stderr, "tables: %v\n", err)
			os.Exit(1)
		}
	}
}

func readUnsafe(text string) error { _, err := tables.ParseUnsafe(text); return err }
func readLegacy(text string) error { _, err := tables.ParseLegacy(text); return err }

// write derives a table; one that the simulated device could not read is not written.
func write(from, to string, derive func(*probe.Log) (string, error), read func(string) error) error {
	f, err := probe.Read(from)
	if err != nil {
		return err
	}
	if f.Golden == nil {
		return fmt.Errorf("%s has no golden yet", from)
	}
	text, err := derive(f.Golden)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if err := read(text); err != nil {
		return fmt.Errorf("%s: its table can not be read: %w", from, err)
	}
	return os.WriteFile(to, []byte(text), 0o644)
}
