package graph

// What the tests of the width look into.
var (
	Level  = level
	Widest = widest
)
