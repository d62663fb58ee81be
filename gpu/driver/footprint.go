//go:build gpu && cgo

package driver

import (
	"fmt"

	"github.com/gpu-overlap/overlap/kernels"
)

// bufferWords is the size of what kernels read to use bandwidth, in words of 16 bytes: 1 GiB, far more than caches hold.
const bufferWords = 1 << 26

// Grid holds a share of the SMs, in per cent: as many blocks, each with so much shared memory that no two of ours fit on an
// SM. With 100, two blocks on each SM take all of its threads, so that nothing else finds room until one retires. 0 is one
// thread.
func (d *Device) Grid(percent int) Grid {
	half := min(max(d.threads/2, 1), 1024)
	switch {
	case percent <= 0:
		return One
	case percent >= 100:
		return Grid{Blocks: 2 * d.SMs, Threads: half}
	}
	return Grid{Blocks: max(1, (percent*d.SMs+50)/100), Threads: half, Shared: d.shared}
}

// Memory is a launch that reads memory for about ns nanoseconds when it runs alone, on a share of the SMs, 0 being all. How
// fast a grid reads is measured at its first use.
func (d *Device) Memory(kernel Func, percent int, ns int64) (Launch, error) {
	if percent <= 0 {
		percent = 100
	}
	l := Launch{Kernel: kernel, Grid: d.Grid(percent), Mask: bufferWords - 1}
	if d.buffer == 0 {
		at, err := d.Alloc(bufferWords * 16)
		if err != nil {
			return l, err
		}
		d.buffer = at
	}
	l.Buffer = d.buffer
	rate, err := d.rate(l)
	l.NS = int64(rate * float64(ns))
	return l, err
}

// rate is how many words a nanosecond a grid reads.
func (d *Device) rate(l Launch) (float64, error) {
	if r, ok := d.rates[l.Grid.Blocks]; ok {
		return r, nil
	}
	p, err := newProbe(d.scrap)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	l.NS = bufferWords / 4
	p.SetOp(0, l)
	var best uint64
	for range 4 { // the first warms
		slot, err := p.Once(0)
		if err != nil {
			return 0, err
		}
		s, ok := kernels.ReadStamp(slot)
		if !ok || s.End <= s.Start {
			return 0, fmt.Errorf("a kernel that reads memory left no stamp")
		}
		if took := s.End - s.Start; best == 0 || took < best {
			best = took
		}
	}
	d.rates[l.Grid.Blocks] = float64(l.NS) / float64(best)
	return d.rates[l.Grid.Blocks], nil
}
