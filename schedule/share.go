package schedule

// Share is the part of its hardware that an op holds, in per cent: a copy its whole copy engine, a kernel its SMs, one
// of a single block little.
func (o *Op) Share() int32 {
	if o.Kind.Copies() {
		return 100
	}
	return max(o.SMs, 1)
}

// Rivals says whether ops of two kinds use hardware that they cannot share at will: the same copy engine, or SMs.
func Rivals(a, b Kind) bool {
	if a.Copies() || b.Copies() {
		return a == b
	}
	return a != Host && b != Host
}
