package sim

import "github.com/gpu-overlap/overlap/schedule"

// look waits for works, or says whether they have ended.
func (h *host) look(ids []int32, block bool) schedule.Code {
	if block {
		h.waitFor(ids)
		return schedule.Success
	}
	if h.chip.Finished(ids, h.now) {
		return schedule.Success
	}
	return schedule.NotReady
}

// waitFor holds the host until works have ended.
func (h *host) waitFor(ids []int32) {
	if len(ids) > 0 {
		h.now = max(h.now, h.chip.Wait(ids)+h.m.EndToReturn)
	}
}

// waitForAll lets the device become idle.
func (h *host) waitForAll() {
	if h.chip.Len() > 0 {
		h.now = max(h.now, h.chip.Drain()+h.m.EndToReturn)
	}
}

// behindLegacy is what must have ended for the legacy stream to be idle: its own works and those of all blocking
// streams. To look at it orders nothing: its next work will wait for these, but not what a blocking stream is given
// before.
func (h *host) behindLegacy() []int32 {
	tips := h.works.union(shared(h.streams[h.legacy].tips), h.orphaned)
	for _, b := range h.dirty {
		if s := &h.streams[b]; s.dirty {
			tips = h.works.union(tips, s.tips)
		}
	}
	return tips
}
