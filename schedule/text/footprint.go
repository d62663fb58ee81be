package text

import (
	"fmt"

	"github.com/gpu-overlap/overlap/schedule"
)

// footprint is what an op takes beside its duration.
type footprint struct {
	SMs, Bandwidth int32
	Waves          int32
	Bytes          int64
	Pageable       bool
}

// copied reads the size of a copy, and whose memory it is.
func (f *footprint) copied(l *line) (err error) {
	if f.Bytes, err = l.size(); err != nil {
		return err
	}
	if l.peek() == "pinned" || l.peek() == "pageable" {
		f.Pageable = l.peek() == "pageable"
		l.at++
	}
	return nil
}

// mostWaves is the largest grid, in waves.
const mostWaves = schedule.MaxWaves

// clause reads the value of `sms`, `waves` or `bandwidth`, t, which only a kernel has.
func (f *footprint) clause(l *line, t token, kind schedule.Kind) (err error) {
	if kind != schedule.Computation && kind != schedule.Communication {
		return l.errorf(t, "it only on computation and communication", "%s of a %s", t.text, kind)
	}
	switch t.text {
	case "sms":
		f.SMs, err = l.share()
	case "waves":
		var n int
		n, err = l.count("a number of waves", 1, mostWaves)
		f.Waves = int32(n)
	default:
		f.Bandwidth, err = l.share()
	}
	return err
}

// text prints it: what stands after the duration.
func (f footprint) text() string {
	text := ""
	if f.Bytes > 0 {
		text = " " + formatSize(f.Bytes) + " pinned"
		if f.Pageable {
			text = " " + formatSize(f.Bytes) + " pageable"
		}
	}
	if f.SMs > 0 {
		text += fmt.Sprintf(" sms %d%%", f.SMs)
	}
	if f.Waves > 0 {
		text += fmt.Sprintf(" waves %d", f.Waves)
	}
	if f.Bandwidth > 0 {
		text += fmt.Sprintf(" bandwidth %d%%", f.Bandwidth)
	}
	return text
}

// footprintOf is that of an op.
func footprintOf(op *schedule.Op) footprint {
	return footprint{op.SMs, op.Bandwidth, op.Waves, op.Bytes, op.Pageable}
}

// give says of an op what it takes.
func (f footprint) give(op *schedule.Op) {
	op.SMs, op.Bandwidth, op.Waves, op.Bytes, op.Pageable = f.SMs, f.Bandwidth, f.Waves, f.Bytes, f.Pageable
}

// footprintOfStage is that of each op of a stage.
func footprintOfStage(st *schedule.Stage) footprint {
	return footprint{SMs: st.SMs, Bandwidth: st.Bandwidth, Bytes: st.Bytes, Pageable: st.Pageable}
}
