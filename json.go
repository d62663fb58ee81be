package overlap

import (
	"time"

	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/schedule"
)

// JSON is a result as it is printed for machines: one object a case, durations in integer nanoseconds. Fields that do not
// exist for a case (achieved, where there is nothing to gain; optimal, where it was not searched) are null.
type JSON struct {
	Case        string         `json:"case"`
	File        string         `json:"file"`
	Device      string         `json:"device"`
	DeviceName  string         `json:"device_name"` // of the machine or the GPU
	Driver      string         `json:"driver,omitempty"`
	Simulated   bool           `json:"simulated"`
	SerialNS    time.Duration  `json:"serial_ns"`
	GiantNS     *time.Duration `json:"giant_ns"`
	IdealNS     time.Duration  `json:"ideal_ns"`
	OptimalNS   *time.Duration `json:"optimal_ns"`
	ScheduledNS time.Duration  `json:"scheduled_ns"`
	Eager       JSONMode       `json:"eager"`
	Replay      JSONMode       `json:"replay"`
	Graph       *JSONGraph     `json:"graph"`
	Verdict     string         `json:"verdict"` // the cause and its detail in one line
	Cause       string         `json:"cause"`
	Where       string         `json:"where"`            // file:line of what is guilty; empty when there is none
	SavesNS     time.Duration  `json:"saves_ns"`         // what mending it would save, at nominal durations
	TookNS      time.Duration  `json:"took_ns"`          // what it took in the repetition that is accounted for
	Change      string         `json:"change,omitempty"` // how to mend it
	Evidence    string         `json:"evidence,omitempty"`
	Guilty      []string       `json:"guilty"` // the op that is late, and what it waits for or what gets in its way
	GraphDiff   []string       `json:"graph_diff,omitempty"`
	Preflight   []string       `json:"preflight"` // what stands out about the environment, the worst first
	Notes       []string       `json:"notes"`
	Expected    bool           `json:"expected"` // the case gave what it expects
	Failures    []string       `json:"failures"`
}

// JSONMode is one mode: wall and issue times by repetition, medians of the rest.
type JSONMode struct {
	WallNS   []time.Duration `json:"wall_ns"`
	IssueNS  []time.Duration `json:"issue_ns"`
	SpanNS   time.Duration   `json:"span_ns"`
	LimitNS  time.Duration   `json:"limit_ns"`
	Achieved *float64        `json:"achieved"`
	Verdict  *string         `json:"verdict"` // null when the mode did not run
	Hidden   []JSONHidden    `json:"hidden"`
	Account  *JSONAccount    `json:"account"`
}

// JSONAccount says where the wall time of one repetition went.
type JSONAccount struct {
	Rep     int                      `json:"rep"` // index into wall_ns
	ErrorNS time.Duration            `json:"error_ns"`
	SumNS   map[string]time.Duration `json:"sum_ns"` // by what it went into; they add up to the wall time
	Steps   []JSONStep               `json:"steps"`
}

// JSONStep is a piece of it, in host time from the start of the body.
type JSONStep struct {
	Spent  string        `json:"spent"`
	Op     string        `json:"op,omitempty"`
	With   string        `json:"with,omitempty"`
	FromNS time.Duration `json:"from_ns"`
	ToNS   time.Duration `json:"to_ns"`
}

// JSONHidden is, of the first repetition, how much of the time of some ops lies under others.
type JSONHidden struct {
	What     string        `json:"what"`
	Under    string        `json:"under,omitempty"`
	HiddenNS time.Duration `json:"hidden_ns"`
	TotalNS  time.Duration `json:"total_ns"`
}

// JSONGraph is the captured graph by op names.
type JSONGraph struct {
	Nodes []string    `json:"nodes"`
	Edges [][2]string `json:"edges"`
}

// JSON gives the result for machines. Of a result that Run did not make it says what there is.
func (r *Result) JSON() JSON {
	r = r.whole()
	j := JSON{Case: r.Case.Name, File: r.Case.File, Device: r.Info.Device, DeviceName: r.Info.Name, Driver: r.Info.Driver,
		Simulated: r.Info.Simulated, SerialNS: r.Times.Serial, IdealNS: r.Times.Ideal, ScheduledNS: r.Times.Scheduled,
		Eager: r.jsonMode(&r.Eager), Replay: r.jsonMode(&r.Replay), Verdict: r.Verdict.String(),
		Cause: r.Verdict.Cause.String(), Where: r.Verdict.Where,
		SavesNS: r.Verdict.Saves, TookNS: r.Verdict.Took, Change: string(r.Verdict.Change), Evidence: r.Verdict.Evidence,
		Guilty: []string{}, Preflight: append([]string{}, r.Environment...), Notes: append([]string{}, r.notes()...),
		Expected: len(r.Failures) == 0, Failures: []string{}}
	for _, f := range r.Failures {
		j.Failures = append(j.Failures, f.String())
	}
	for _, op := range r.Verdict.Guilty {
		j.Guilty = append(j.Guilty, r.Case.Schedule.Intent.Ops[op].Name)
	}
	_, _, j.GraphDiff = r.graphDiff()
	if len(r.Giant.Reps) > 0 {
		giant := r.Giant.Wall(r.Info.Simulated).Median
		j.GiantNS = &giant
	}
	if r.Times.Optimal > 0 {
		j.OptimalNS = &r.Times.Optimal
	}
	if g := r.captured(); g != nil {
		j.Graph = &JSONGraph{Nodes: []string{}, Edges: [][2]string{}}
		for _, n := range g.Nodes {
			j.Graph.Nodes = append(j.Graph.Nodes, n.Name)
		}
		for _, e := range g.Edges {
			j.Graph.Edges = append(j.Graph.Edges, [2]string{g.Nodes[e.From].Name, g.Nodes[e.To].Name})
		}
	}
	return j
}

func jsonAccount(a *account.Account, in *schedule.Intent) *JSONAccount {
	if a == nil {
		return nil
	}
	name := func(op schedule.Ref) string {
		if !op.Some() {
			return ""
		}
		return in.NameOf(op.Index())
	}
	j := &JSONAccount{Rep: a.Rep, ErrorNS: a.Error, SumNS: map[string]time.Duration{}, Steps: []JSONStep{}}
	for _, s := range a.Steps {
		j.SumNS[s.Spent.String()] += s.Dur()
		j.Steps = append(j.Steps, JSONStep{s.Spent.String(), name(s.Op), name(s.With), s.From, s.To})
	}
	return j
}

func (r *Result) jsonMode(m *Mode) JSONMode {
	j := JSONMode{WallNS: []time.Duration{}, IssueNS: []time.Duration{}, LimitNS: m.Limit.Total(),
		Hidden: []JSONHidden{}, Account: jsonAccount(m.Account, &r.Case.Schedule.Intent)}
	if m.Verdict != nil {
		said := m.Verdict.String()
		j.Verdict = &said
	}
	for _, t := range m.Reps {
		j.WallNS, j.IssueNS = append(j.WallNS, t.Wall), append(j.IssueNS, t.Issue)
	}
	for _, h := range r.Case.Expect.Hides {
		if len(m.Reps) > 0 {
			hidden, total := judge.HiddenShare(&r.Case.Schedule.Intent, m.Reps[0].Spans, h)
			j.Hidden = append(j.Hidden, JSONHidden{h.What, h.Under, hidden, total})
		}
	}
	if len(m.Reps) > 0 {
		j.SpanNS = m.Span(r.Info.Simulated).Median
		if a, ok := r.Times.Achieved(m.Wall(r.Info.Simulated).Median); ok {
			j.Achieved = &a
		}
	}
	return j
}
