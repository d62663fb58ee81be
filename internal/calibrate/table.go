package calibrate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
)

// Row is one schedule: what was measured and what is predicted.
type Row struct {
	Name          string
	Shortest      time.Duration // its shortest op
	Ops           int
	Eager, Replay Error
}

// Error is the difference of a prediction from the measured median.
type Error struct {
	Predicted, Median time.Duration
	Min, Max          time.Duration // of what was measured
	Low, High         time.Duration // the fifth and the ninety-fifth of a hundred
	InRange           bool          // the prediction is between Min and Max
	Percent           float64       // of the median; negative: predicted too short
}

// Compare predicts what was measured on a machine.
func Compare(ctx context.Context, p *Predicted, m sim.Machine) ([]Row, error) {
	if len(p.Schedules) == 0 {
		return nil, errors.New("no schedule was measured; want what `overlap predict --out` writes")
	}
	dev := sim.Open(m)
	var rows []Row
	for i := range p.Schedules {
		r := &p.Schedules[i]
		s, err := r.Schedule()
		if err != nil {
			return nil, err
		}
		row := Row{Name: r.Name, Shortest: r.Shortest(), Ops: len(s.Intent.Ops)}
		for _, mode := range []struct {
			program *schedule.Program
			times   *Times
			into    *Error
		}{{s.Eager(), &r.Eager, &row.Eager}, {s.Replay(), &r.Replay, &row.Replay}} {
			if len(mode.times.Wall) == 0 {
				return nil, fmt.Errorf("%s, %s: nothing was measured", r.Name, mode.program.Name)
			}
			wall, err := predict(ctx, dev, mode.program)
			if err != nil {
				return nil, err
			}
			*mode.into = errorOf(wall, mode.times.Wall)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func predict(ctx context.Context, dev gpu.Device, p *schedule.Program) (time.Duration, error) {
	run, err := dev.Prepare(ctx, p)
	if err != nil {
		return 0, err
	}
	defer run.Close()
	t, err := run.Rep(ctx)
	return t.Wall, err
}

func errorOf(predicted time.Duration, walls []time.Duration) Error {
	e := Error{Predicted: predicted, Median: median(walls), Min: quantile(walls, 0), Max: quantile(walls, 1),
		Low: quantile(walls, 0.05), High: quantile(walls, 0.95)}
	e.InRange = e.Min <= predicted && predicted <= e.Max
	e.Percent = 100 * float64(predicted-e.Median) / float64(e.Median)
	return e
}

// The bars: how far a prediction may be off, in per cent of the median.
const (
	LongOp     = 50 * time.Microsecond // from this shortest op on the stricter bars hold
	ReplayAny  = 5.0
	ReplayLong = 2.0
	EagerLong  = 5.0
)

// Misses are the bars that a row does not meet, in words.
func (r *Row) Misses() []string {
	var list []string
	miss := func(mode string, e *Error, bar float64) {
		if e.Percent > bar || e.Percent < -bar {
			list = append(list, fmt.Sprintf("%s: %s: predicted %v, measured %v: %+.1f %%; at most %v %%", r.Name, mode,
				e.Predicted, e.Median, e.Percent, bar))
		}
	}
	if r.Shortest < LongOp {
		miss(schedule.ReplayName, &r.Replay, ReplayAny)
		if e := &r.Eager; !e.InRange {
			list = append(list, fmt.Sprintf("%s: eager: predicted %v is outside of what was measured, %v to %v", r.Name,
				e.Predicted, e.Min, e.Max))
		}
		return list
	}
	miss(schedule.ReplayName, &r.Replay, ReplayLong)
	miss(schedule.EagerName, &r.Eager, EagerLong)
	return list
}

// Markdown is the table of errors.
func Markdown(rows []Row) string {
	var b strings.Builder
	b.WriteString("| schedule | ops | shortest | replay: measured | predicted | error | eager: measured | 5th to 95th of 100 | predicted | error |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "| %s | %d | %v | %s | %s | %s | %s | %s to %s | %s | %s |\n", r.Name, r.Ops, r.Shortest,
			us(r.Replay.Median), us(r.Replay.Predicted), share(r.Replay.Percent),
			us(r.Eager.Median), us(r.Eager.Low), us(r.Eager.High), us(r.Eager.Predicted), share(r.Eager.Percent))
	}
	return b.String()
}

// share is a percentage with its sign; of what rounds to none, without.
func share(percent float64) string {
	if text := fmt.Sprintf("%+.1f %%", percent); text != "-0.0 %" && text != "+0.0 %" {
		return text
	}
	return "0.0 %"
}

// us is a duration in microseconds, to a tenth.
func us(d time.Duration) string { return fmt.Sprintf("%.1f µs", float64(d)/1000) }
