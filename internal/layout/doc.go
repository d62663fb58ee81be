// Package layout holds the tree to its plan, in tests alone: which package may import which (packages.txt), and that
// the C files of the driver take part in no circle. It is where to look for the place of a new package.
package layout
