//go:build gpu && cgo

package driver

import (
	"errors"
	"sort"

	"github.com/gpu-overlap/overlap/kernels"
)

// What kernels read to use bandwidth, in words of 16 bytes: 1 GiB, far more than caches hold.
const (
	bufferWords = 1 << 26
	wordSize    = 16
)

// step is how many words a thread that reads has on their way; the kernel's.
const step = 8

// warp is the number of threads that the hardware runs as one.
const warp = 32

// block is the most threads of a block of which an SM runs two at once.
func (d *Device) block() int { return min(max(d.threads/2, warp), 1024) }

// Grid holds a share of the SMs, in per cent; 0 is one thread.
//
// With 100, two blocks on each SM take all of its threads, so that nothing else finds room until one retires. A smaller
// share is one block on each of so many SMs, rounded down, so that shares of up to 100 % together find room side by
// side. Such a block has all the shared memory that a block may have, so that no two fit on one SM. From compute
// capability 8.0 on, where every block needs 1 KiB of it for itself, nothing else fits there either; before, a kernel
// of one thread does.
func (d *Device) Grid(percent int) Grid {
	switch {
	case percent <= 0:
		return One
	case percent >= 100:
		return Grid{Blocks: 2 * d.SMs, Threads: d.block()}
	}
	return d.spread(percent)
}

func (d *Device) spread(percent int) Grid {
	return Grid{Blocks: max(1, percent*d.SMs/100), Threads: d.block(), Shared: d.shared}
}

// reader is a grid of which so many threads of each block read memory.
type reader struct {
	Grid
	readers int
}

// Memory is a launch that reads memory for about ns nanoseconds when it runs alone, at a share of the bandwidth, in per
// cent, or as fast as its share of the SMs can when that is less. Of each block so many threads read as come closest
// from above: each has so much on its way, and next to another such kernel, it gets its part of what there is. Without
// a share of the SMs, 0, it runs on as large a part of them as of the bandwidth, and leaves room beside. How fast a
// grid reads is measured at its first use.
func (d *Device) Memory(kernel Func, sms, bandwidth int, ns int64) (Launch, error) {
	if err := d.makeBuffer(); err != nil {
		return Launch{}, err
	}
	r := reader{Grid: d.spread(min(sms, 100))}
	if sms <= 0 {
		r.Grid = Grid{Blocks: max(1, bandwidth*d.SMs/100), Threads: max(d.block()/2, warp)}
	}
	all := reader{Grid: d.spread(100), readers: d.block()}
	peak, err := d.rate(kernel, all)
	if err != nil {
		return Launch{}, err
	}
	fast := func(warps int) bool {
		r.readers = warps * warp
		got, failed := d.rate(kernel, r)
		err = errors.Join(err, failed)
		return got*100 >= peak*float64(bandwidth)
	}
	most := r.Threads / warp
	r.readers = warp * min(most, 1+sort.Search(most, func(i int) bool { return fast(i + 1) }))
	rate, failed := d.rate(kernel, r)
	return Launch{Kernel: kernel, Grid: r.Grid, Buffer: d.buffer, Readers: r.readers, NS: int64(rate * float64(ns))},
		errors.Join(err, failed)
}

// makeBuffer makes what all kernels read: a power of two of words, and what the largest grid reads in one step.
func (d *Device) makeBuffer() (err error) {
	if d.buffer != 0 {
		return nil
	}
	bytes := (bufferWords + step*d.SMs*d.block()) * wordSize
	if d.buffer, err = d.Alloc(bytes); err != nil {
		return err
	}
	return zero(d.buffer, bytes)
}

// rate is how many words a nanosecond so many readers read, each for so many steps that neither the beginning nor the
// end matters.
func (d *Device) rate(kernel Func, r reader) (float64, error) {
	if known, ok := d.rates[r]; ok {
		return known, nil
	}
	const steps, tries = 128, 4
	warming := 0
	if len(d.rates) == 0 {
		warming = 50 // an idle GPU's clock is low
	}
	p, err := newProbe(d.scrap)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	words := int64(steps * step * r.Blocks * r.readers)
	p.SetOp(0, Launch{Kernel: kernel, NS: words, Grid: r.Grid, Buffer: d.buffer, Readers: r.readers})
	var best uint64
	for range warming + tries {
		slot, err := p.Once(0)
		if err != nil {
			return 0, err
		}
		s, ok := kernels.ReadStamp(slot)
		if !ok || s.End <= s.Start {
			return 0, errors.New("a kernel that reads memory left no stamp")
		}
		if took := s.End - s.Start; best == 0 || took < best {
			best = took
		}
	}
	d.rates[r] = float64(words) / float64(best)
	return d.rates[r], nil
}
