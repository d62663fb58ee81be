package overlaptest

import (
	"fmt"
	"os"
	"testing"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// Attributes puts the verdict, the times in nanoseconds and the account of what was missed into the test's report.
func Attributes(t testing.TB, r *overlap.Result) {
	t.Attr("verdict", r.Verdict.String())
	for key, value := range map[string]string{"change": string(r.Verdict.Change), "evidence": r.Verdict.Evidence} {
		if value != "" {
			t.Attr(key, value)
		}
	}
	t.Attr("serial_ns", fmt.Sprint(r.Times.Serial.Nanoseconds()))
	t.Attr("ideal_ns", fmt.Sprint(r.Times.Ideal.Nanoseconds()))
	t.Attr("scheduled_ns", fmt.Sprint(r.Times.Scheduled.Nanoseconds()))
	for _, m := range []*overlap.Mode{&r.Giant, &r.Eager, &r.Replay} {
		if len(m.Reps) > 0 {
			t.Attr(m.Name+"_ns", fmt.Sprint(m.Wall(r.Info.Simulated).Median.Nanoseconds()))
		}
		if m.Account != nil && m.Verdict != nil && !m.Verdict.Met() {
			t.Attr(m.Name+"_account", m.Account.Line())
		}
	}
}

// rewrite puts the goldens of a result into its case file, and fails the test when that changes it.
func rewrite(t *testing.T, file string, r *overlap.Result) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dot, lanes := overlap.Golden(r)
	now := text.WithGoldens(data, dot, lanes)
	if string(now) == string(data) {
		return
	}
	if err := os.WriteFile(file, now, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s: goldens rewritten; look at the difference, then run again without -update", file)
}
