package hardware

// line is a resource that serves one work at a time, in the order in which they become ready: the thread that runs host
// functions (S16), or the copy engine of one direction (L15). Ties go to what was issued first, whatever the streams'
// priorities.
type line struct {
	busy    bool
	waiting heap // by the time at which they became ready
}

// reset makes the line free and empty.
func (l *line) reset() { *l = line{waiting: l.waiting[:0]} }

// next takes the work that is served now; None when the line is busy, or empty.
func (l *line) next() int32 {
	if l.busy || len(l.waiting) == 0 {
		return None
	}
	l.busy = true
	return l.waiting.pop().work
}
