package measure

import (
	"strings"
	"sync"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/internal/preflight"
)

// environment is what stands out about where a case runs. A simulated device knows of the case's own variables alone.
func environment(info gpu.Info, env []string) []preflight.Finding {
	if info.Simulated {
		return preflight.Check(preflight.Facts{Start: env, Now: env})
	}
	return lookOnce(info.UUID, env)
}

// looked keeps what was found at the first look: asking a GPU takes tens of milliseconds, more than a short case. What
// changes later, the canaries see.
var looked struct {
	sync.Mutex
	found map[string][]preflight.Finding
}

func lookOnce(uuid string, env []string) []preflight.Finding {
	looked.Lock()
	defer looked.Unlock()
	key := uuid + " " + strings.Join(env, " ")
	found, ok := looked.found[key]
	if !ok {
		found = preflight.Check(preflight.Look(uuid, env))
		if looked.found == nil {
			looked.found = map[string][]preflight.Finding{}
		}
		looked.found[key] = found
	}
	return found
}
