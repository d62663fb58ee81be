//go:build !linux

package main

import "errors"

var errPlace = errors.New("processes cannot be put on a processor on this system")

func places() ([]int, error) { return nil, errPlace }

func place(int, int) error { return errPlace }
