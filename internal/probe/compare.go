package probe

import (
	"fmt"
	"slices"
	"strings"
)

// Count counts rows: All are Equal, Free or Unmodelled, or differ. A row is free or unmodelled when it is marked so; no
// such row counts as equal, though it may be.
type Count struct{ All, Equal, Free, Unmodelled int }

// Plus adds two counts.
func (c Count) Plus(o Count) Count {
	return Count{c.All + o.All, c.Equal + o.Equal, c.Free + o.Free, c.Unmodelled + o.Unmodelled}
}

// Differs is how many rows differ though no mark allows it.
func (c Count) Differs() int { return c.All - c.Equal - c.Free - c.Unmodelled }

// title is that of the i-th part; "" when there are fewer.
func (l *Log) title(i int) string {
	if i < len(l.Parts) {
		return l.Parts[i].Title
	}
	return ""
}

// Compare holds what a device showed against the golden: how many rows agree, and a line or more for each that does
// not. got carries the marks.
func Compare(want, got *Log) (count Count, faults []string) {
	for i := range max(len(want.Parts), len(got.Parts)) {
		if w, g := want.title(i), got.title(i); w != g {
			return count, []string{fmt.Sprintf("part %d is %q in the golden, and %q in the probe: take the golden anew",
				i+1, w, g)}
		}
	}
	for i := range got.Parts {
		c, f := comparePart(&want.Parts[i], &got.Parts[i])
		count = count.Plus(c)
		faults = append(faults, f...)
	}
	return count, faults
}

func comparePart(want, got *PartLog) (count Count, faults []string) {
	byWhat := map[string][]Row{}
	for _, r := range want.Rows {
		byWhat[r.What] = append(byWhat[r.What], r)
	}
	for _, r := range got.Rows {
		count.All++
		list := byWhat[r.What]
		if len(list) == 0 {
			if r.Unmodelled {
				count.Unmodelled++
				continue
			}
			faults = append(faults, fmt.Sprintf("%s: %s: shown, but not in the golden", got.Title, r.What))
			continue
		}
		w := list[0]
		byWhat[r.What] = list[1:]
		switch equal := slices.Equal(w.Saw, r.Saw); {
		case r.Unmodelled:
			count.Unmodelled++
		case equal && r.Free:
			count.Free++
		case equal:
			count.Equal++
		default:
			faults = append(faults, fmt.Sprintf("%s: %s\n  golden %s\n  got    %s", got.Title, r.What,
				strings.Join(w.Saw, "\n         "), strings.Join(r.Saw, "\n         ")))
		}
	}
	for _, r := range want.Rows {
		if rest := byWhat[r.What]; len(rest) > 0 {
			byWhat[r.What] = rest[1:]
			count.All++
			faults = append(faults, fmt.Sprintf("%s: %s: in the golden, but not shown", got.Title, r.What))
		}
	}
	return count, faults
}
