// Package text is the language of cases: it reads a case file into a Case (what must happen, how a host issues it, what
// must come of it) and prints one, so that parsing what is printed gives the same case.
//
// docs/language.md describes the language. Calls are read and printed by one table, forms: each row says of which verb
// it is, where it may stand, and the words of the line. Statements (what is no call) and expectations have rules of
// their own; fork, join, starts and repeat each stand for several calls, and are spelled out.
//
// Mistakes are a *SyntaxError: file, line, what is wrong and what would be right, with a caret under the place.
// Durations are exact; files are at most 16 MiB.
package text
