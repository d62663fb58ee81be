// Package dot reads and writes captured graphs as DOT.
//
//   - Read takes the dumps of the driver (cuGraphDebugDotPrint, short and verbose, child graphs and all) and the form
//     of Write, which is canonical: equal graphs give equal bytes.
//   - WriteDump writes as the driver does, which shows nothing of what an edge waits for: a programmatic edge looks as
//     any other. Details is what such a dump says and a graph does not hold.
//   - A dump names kernels, not ops. ReadNames and Bind tie its nodes to the ops of an intent, Resolve does where the
//     names are those of ops; ShortNames calls kernels as their C++ source does.
//
// Everything is a function of values; bad input is an error in one line, which for a file gives the number of the line.
package dot
