package sim

// recorded lets an event hold works.
func (h *host) recorded(ev int32, tips []int32) {
	e := &h.events[ev]
	*e = event{alive: true, recorded: true, untimed: e.untimed, tips: tips}
	if h.noted != nil {
		h.records++
		h.noted[ev] = note{at: h.now, order: h.records}
	}
}

// recordedIn lets an event hold nodes of a capture.
func (h *host) recordedIn(c *capture, ev int32, deps []int32, data []edgeData) {
	e := &h.events[ev]
	*e = event{alive: true, recorded: true, untimed: e.untimed, capture: c, deps: deps}
	if h.noted != nil {
		h.noted[ev] = note{data: data}
	}
}

// edgesOf is the data of the edges from what a captured event holds.
func (h *host) edgesOf(ev int32) []edgeData {
	if h.noted == nil {
		return nil
	}
	return h.noted[ev].data
}
