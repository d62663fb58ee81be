package text

import "strings"

// oneOf lists what would be right, the nearest to word first: "record (one of fork, join, record, wait)".
func oneOf(word string, known []string) string {
	const most = 20
	list := known
	if len(list) > most {
		list = append(list[:most:most], "…")
	}
	all := "one of " + strings.Join(list, ", ")
	if len(known) == 1 {
		all = known[0]
	}
	if near := nearest(word, known); near != "" && len(known) > 1 {
		return near + " (" + all + ")"
	}
	return all
}

// nearest finds the known word that a typing error could have turned into word; "" when none is near.
func nearest(word string, known []string) string {
	if len(word) > maxName {
		return ""
	}
	best, found := min(1+len(word)/3, len(word)-1), "" // something of the word must be left
	for _, k := range known {
		if d := distance(word, k, best); d <= best && (d < best || found == "") {
			best, found = d, k
		}
	}
	return found
}

// distance counts the insertions, deletions and replacements of bytes, and the swaps of neighbours, that turn a into b.
// It gives up with limit+1 when the lengths alone differ by more than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var before []int // the row before the previous one
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			next[j] = row[j-1]
			if a[i-1] != b[j-1] {
				next[j] = 1 + min(row[j-1], row[j], next[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
