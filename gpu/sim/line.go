package sim

// line is a resource that serves one work at a time, in the order in which they become ready: the thread that runs host
// functions, or the copy engine of one direction. Ties go to what was issued first, whatever the streams' priorities.
type line struct {
	busy    bool
	waiting heap // by the time at which they became ready
}

// serveLines lets the next work of each free line start.
func (e *engine) serveLines() {
	for i := range e.lines {
		if l := &e.lines[i]; !l.busy && len(l.waiting) > 0 {
			l.busy = true
			e.start(l.waiting.pop().work, e.now)
		}
	}
}
