package overlap

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
)

// moreConnections is how many hardware queues the twin of a schedule that streams may hold up by sharing them has: the most
// that CUDA_DEVICE_MAX_CONNECTIONS can ask for.
const moreConnections = 32

// withTwins judges again for as long as there is a twin that would say more.
func (r *runner) withTwins(res *Result) (*Result, error) {
	for {
		ran, err := r.twins(res.Eager.Verdict.Cause)
		if err != nil || !ran {
			return res, err
		}
		res = r.result()
	}
}

// twins runs, for a verdict that a twin of the schedule would confirm or refute, that twin, and says whether it did: then
// the judgement has more to go by. A mode that replays has none: its graph is issued at once, through no queue of a stream.
func (r *runner) twins(cause Cause) (ran bool, err error) {
	switch {
	case cause == LaunchBound && r.gated == nil:
		if r.gate == nil {
			p, ok := r.c.Schedule.Gated()
			if !ok {
				return false, nil
			}
			if r.gate, err = r.add(p); err != nil {
				return false, err
			}
		}
		err = r.sample([]*sampled{r.gate}, r.twinReps())
		r.gated = sinceOpen(r.gate)
		return len(r.gated) > 0, err
	case cause == FalseDep && r.wide == nil && r.info.Connections < moreConnections:
		r.wide, err = r.withConnections()
		return len(r.wide) > 0, err
	}
	return false, nil
}

// twinReps is as many repetitions as an interval needs.
func (r *runner) twinReps() int {
	if r.info.Simulated && !r.info.Noisy {
		return 1
	}
	return 15
}

// sinceOpen gives the wall times of a gated program from the opening of its gate.
func sinceOpen(s *sampled) (walls []time.Duration) {
	if s == nil {
		return nil
	}
	last := len(s.run.Program().Body) - 1 // the call after the one that opens
	for i := range s.reps {
		walls = append(walls, s.reps[i].Wall-s.reps[i].Issued[last])
	}
	return walls
}

// withConnections gives the wall times of the eager program in a process that asked for more connections.
func (r *runner) withConnections() (walls []time.Duration, err error) {
	if r.wider == nil {
		env := append(slices.Clone(r.c.Env), fmt.Sprintf("CUDA_DEVICE_MAX_CONNECTIONS=%d", moreConnections))
		if r.wider, err = r.dev.WithEnv(r.ctx, env); err != nil {
			return nil, err
		}
		if r.widerRun, err = r.wider.Prepare(r.ctx, r.c.Schedule.Eager()); err != nil {
			return nil, err
		}
	}
	p := r.widerRun.Program()
	if gpu.Check(p, p.Setup, r.widerRun.Setup().Codes) != nil {
		return nil, nil
	}
	got, err := r.wider.Sample(r.ctx, []gpu.Run{r.widerRun}, r.twinReps())
	if err != nil {
		return nil, err
	}
	for i := range got[0] {
		walls = append(walls, got[0][i].Wall)
	}
	return walls, nil
}
