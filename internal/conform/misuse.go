package conform

import (
	"fmt"
	"slices"
	"strings"
)

// misuse breaks the program at up to two places: no matter how, since the devices say what comes of it.
func (g *generator) misuse() {
	for range g.r.IntN(3) {
		g.fault()
	}
}

func (g *generator) fault() {
	if len(g.calls) == 0 {
		return
	}
	at := g.r.IntN(len(g.calls))
	switch n := g.r.IntN(10); {
	case n < 5 && len(g.calls) < maxCalls:
		g.calls = slices.Insert(g.calls, at, call{g.calls[at].thread, g.stray()})
	case n < 7:
		g.calls = slices.Delete(g.calls, at, at+1)
	case n < 8:
		to := min(at+1+g.r.IntN(3), len(g.calls)-1)
		g.calls[at], g.calls[to] = g.calls[to], g.calls[at]
	case n < 9:
		g.calls[at].thread = g.r.IntN(3)
	default:
		g.elsewhere(at)
	}
}

// elsewhere makes a call on another stream.
func (g *generator) elsewhere(at int) {
	if _, rest, found := strings.Cut(g.calls[at].text, ": "); found {
		g.calls[at].text = pick(g, g.streams).name + ": " + rest
	}
}

// stray is any call at all.
func (g *generator) stray() string {
	s, e, x := pick(g, g.streams).name, g.r.IntN(len(g.events)), g.r.IntN(len(g.graphs))
	mode := pick(g, []string{"", " thread-local", " relaxed"})
	calls := []string{
		s + ": sync", s + ": query", fmt.Sprintf("sync event e%d", e), fmt.Sprintf("query event e%d", e),
		"sync context",
		s + ": begin capture" + mode, fmt.Sprintf("%s: end capture g%d", s, x),
		fmt.Sprintf("instantiate g%d", x), fmt.Sprintf("upload g%d %s", x, s), fmt.Sprintf("%s: replay g%d", s, x),
		fmt.Sprintf("%s: record e%d", s, e), fmt.Sprintf("%s: wait e%d", s, e),
		fmt.Sprintf("destroy event e%d", e), s + ": " + g.op(), "main: " + g.op(), "main: query",
	}
	if s != "main" {
		calls = append(calls, "destroy stream "+s)
	}
	return pick(g, calls)
}
