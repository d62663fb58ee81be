// Package match says whether two captured graphs are the same, and how they differ where they are not.
//
//   - Diff compares graphs whose nodes have names of their own, as those of one program's ops have; Summary is the same
//     in one line.
//   - Differences compares any two graphs up to the numbering of their nodes, such as two dumps of kernels.
//
// No difference means that the graphs are equal, and a difference that they are not: kind, name, edges with their data,
// and in the same way the graphs that nodes hold. What is said of graphs that differ rests on neither time nor the
// order of a map.
package match
