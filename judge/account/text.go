package account

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// BySum are the kinds on which time was spent, the most first.
func (a *Account) BySum() []Spent {
	var kinds []Spent
	for s := range numSpent {
		if a.Sum(s) > 0 {
			kinds = append(kinds, s)
		}
	}
	slices.SortStableFunc(kinds, func(x, y Spent) int { return cmp.Compare(a.Sum(y), a.Sum(x)) })
	return kinds
}

// Describe says what the longest step of its kind was.
func (s Step) Describe(in *schedule.Intent) string {
	if in == nil {
		in = &schedule.Intent{}
	}
	name := func(op schedule.Ref) string {
		if !op.Some() {
			return "the end"
		}
		return in.NameOf(op.Index())
	}
	text := map[Spent]string{Working: "%s", Stretched: "%s, longer than alone", Issuing: "up to the call that issues %s",
		Starting: "%s", HandingOver: "before %s", Queued: "%s", Delayed: "%s", Syncing: "for %s", Returning: "after %s"}[s.Spent]
	if text == "" {
		text = "%s"
	}
	text = fmt.Sprintf("longest %v: "+text, s.Dur(), name(s.Op))
	if s.With.Some() {
		text += map[Spent]string{Stretched: ", beside ", HandingOver: ", after ", Queued: ", for what is held by ",
			Delayed: ", until the start of ", Syncing: ", before issuing "}[s.Spent] + name(s.With)
	}
	return text
}

// Longest is the longest step on which time was spent so; ok is false when there is none.
func (a *Account) Longest(s Spent) (longest Step, ok bool) {
	for _, step := range a.Steps {
		if step.Spent == s && (!ok || step.Dur() > longest.Dur()) {
			longest, ok = step, true
		}
	}
	return longest, ok
}

// Line is the account in one line, what took most first: "issue 21µs, ops 10µs, return 5.5µs".
func (a *Account) Line() string {
	var parts []string
	for _, s := range a.BySum() {
		parts = append(parts, fmt.Sprintf("%s %v", s, a.Sum(s)))
	}
	return strings.Join(parts, ", ")
}
