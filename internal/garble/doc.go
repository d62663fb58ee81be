// Package garble holds the public functions of this module, in tests alone, to this: whatever values they get, they give an
// error or an answer. None panics, none takes a second, none goes on when its context ends.
//
// The values are random: made from nothing, or copies of sound ones in which a few fields are spoilt. Pointers are nil,
// references point to nothing, lists have the wrong lengths, numbers are huge, negative or none, ops are after themselves. A
// test holds the list of what is called against the doc comments of the public packages: what is new must be called, or
// stand among what is left out, with the reason.
//
//	go test ./internal/garble -garble.n 100000 -garble.seed 7
package garble
