// Package layout holds the tree to its plan, in tests alone: which package may import which (packages.txt), that the C
// files of the driver take part in no circle, that each public package shows itself in an example, and that what the
// pages name is there. It is where to look for the place of a new package.
package layout
