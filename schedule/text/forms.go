package text

import (
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// form is one way to spell a call. The table of forms parses, prints, and is what docs/language.md lists. Words in
// capitals are operands: operands.go says how each is read and printed.
type form struct {
	text   string
	verb   schedule.Verb
	number int32 // Args.Number, where the text has no operand for it
	scope  scope
	expand func(r *spelledReader, l *line, c *call) // into several calls; nil for a form of one
}

// scope says where a form may stand.
type scope uint8

const (
	everywhere scope = iota // in a schedule section, and in a program
	inProgram
	inProbe // in a program too; its calls have Args
	shown   // nowhere: it is only printed, of a call without Args
)

// several is the verb of a form that stands for several calls.
const several = schedule.NumVerbs

// forms are all of them. Where several spell the same verb, the first that says all of a call prints it: see formOf.
var forms = []form{
	{"STREAM: OP", schedule.Launch, 0, everywhere, nil},
	{"STREAM: record EVENT", schedule.Record, 0, everywhere, nil},
	{"STREAM: wait EVENT", schedule.Wait, 0, everywhere, nil},
	{text: "STREAM: fork STREAMS", verb: several, expand: (*spelledReader).fork},
	{text: "STREAM: join STREAMS", verb: several, expand: (*spelledReader).join},
	{"STREAM: sync", schedule.SyncStream, 0, everywhere, nil},
	{"STREAM: query", schedule.QueryStream, 0, everywhere, nil},
	{"sync event EVENT", schedule.SyncEvent, 0, everywhere, nil},
	{"sync context", schedule.SyncContext, 0, everywhere, nil},
	{"query event EVENT", schedule.QueryEvent, 0, everywhere, nil},

	{"STREAM: begin capture", schedule.BeginCapture, 0, inProgram, nil},
	{"STREAM: begin capture MODE", schedule.BeginCapture, 0, inProgram, nil},
	{"STREAM: end capture NEWGRAPH", schedule.EndCapture, 0, inProgram, nil},
	{"STREAM: replay GRAPH", schedule.Replay, 0, inProgram, nil},
	{"instantiate GRAPH", schedule.Instantiate, 0, inProgram, nil},
	{"upload GRAPH STREAM", schedule.Upload, 0, inProgram, nil},
	{"destroy stream STREAM", schedule.DestroyStream, 0, inProgram, nil},
	{"destroy event EVENT", schedule.DestroyEvent, 0, inProgram, nil},

	{"exchange MODE", schedule.ExchangeMode, 0, inProbe, nil},
	{"STREAM: info", schedule.CaptureInfo, 0, inProbe, nil},
	{"STREAM: info without data", schedule.CaptureInfo, 1, inProbe, nil},
	{"STREAM: info null", schedule.CaptureInfo, 2, inProbe, nil},
	{"STREAM: capturing", schedule.IsCapturing, 0, inProbe, nil},
	{"STREAM: capturing null", schedule.IsCapturing, 1, inProbe, nil},
	{"STREAM: depend add NODES", schedule.Depend, schedule.DependAdd, inProbe, nil},
	{"STREAM: depend set NODES", schedule.Depend, schedule.DependSet, inProbe, nil},
	{"STREAM: depend null", schedule.Depend, schedule.DependNull, inProbe, nil},
	{"STREAM: depend flags NUMBER NODES", schedule.Depend, 0, inProbe, nil},
	{"STREAM: begin capture into NEWGRAPH AFTER", schedule.BeginCaptureTo, 0, inProbe, nil},
	{"STREAM: begin capture MODE into NEWGRAPH AFTER", schedule.BeginCaptureTo, 0, inProbe, nil},
	{"STREAM: record EVENT external", schedule.RecordExternal, 1, inProbe, nil},
	{"STREAM: wait EVENT external", schedule.WaitExternal, 1, inProbe, nil},
	{"STREAM: record EVENT flags NUMBER", schedule.RecordExternal, 0, inProbe, nil},
	{"STREAM: wait EVENT flags NUMBER", schedule.WaitExternal, 0, inProbe, nil},
	{"elapsed EVENT EVENT2", schedule.Elapsed, 0, inProbe, nil},
	{"elapsed EVENT EVENT2 into null", schedule.Elapsed, 1, inProbe, nil},
	{"STREAM: priority", schedule.StreamPriority, 0, inProbe, nil},
	{"STREAM: flags", schedule.StreamFlags, 0, inProbe, nil},
	{"create stream STREAM flags NUMBER", schedule.CreateStream, 0, inProbe, nil},
	{"create stream STREAM flags NUMBER priority NUMBER2", schedule.CreateStream, 0, inProbe, nil},
	{"create event EVENT flags NUMBER", schedule.CreateEvent, 0, inProbe, nil},
	{"call API", schedule.Invoke, 0, inProbe, nil},
	{"STREAM: call API", schedule.Invoke, 0, inProbe, nil},
	{"STREAM: call API as NEWNODE", schedule.Invoke, 0, inProbe, nil},
	{"STREAM: programmatic OP", schedule.LaunchWith, schedule.AfterTrigger, inProbe, nil},
	{"STREAM: triggering EVENT OP", schedule.LaunchWith, schedule.TriggerAtEnd, inProbe, nil},
	{"STREAM: triggering EVENT at start OP", schedule.LaunchWith, schedule.TriggerAtStart, inProbe, nil},
	{"STREAM: completing EVENT OP", schedule.LaunchWith, schedule.CompletesLaunch, inProbe, nil},
	{"create graph NEWGRAPH", schedule.CreateGraph, 0, inProbe, nil},
	{"add to GRAPH OP", schedule.AddNode, schedule.AddOp, inProbe, nil},
	{"add to GRAPH empty NEWNODE AFTER", schedule.AddNode, schedule.AddEmpty, inProbe, nil},
	{"add to GRAPH child NEWNODE GRAPH2 AFTER", schedule.AddNode, schedule.AddChild, inProbe, nil},
	{"add to GRAPH record NEWNODE EVENT AFTER", schedule.AddNode, schedule.AddRecord, inProbe, nil},
	{"add to GRAPH wait NEWNODE EVENT AFTER", schedule.AddNode, schedule.AddWait, inProbe, nil},
	{"add to GRAPH memset NEWNODE AFTER", schedule.AddNode, schedule.AddMemset, inProbe, nil},
	{"add to GRAPH memcpy NEWNODE AFTER", schedule.AddNode, schedule.AddMemcpy, inProbe, nil},
	{"add edges NODES to GRAPH", schedule.AddEdges, 0, inProbe, nil},
	{"remove edges NODES from GRAPH", schedule.RemoveEdges, 0, inProbe, nil},
	{"destroy node NODE", schedule.DestroyNode, 0, inProbe, nil},
	{"destroy graph GRAPH", schedule.DestroyGraph, 0, inProbe, nil},
	{"destroy exec GRAPH", schedule.DestroyExec, 0, inProbe, nil},
	{"disable NODE in GRAPH", schedule.EnableNode, 0, inProbe, nil},
	{"enable NODE in GRAPH", schedule.EnableNode, 1, inProbe, nil},
	{"instantiate GRAPH flags NUMBER", schedule.InstantiateWith, 0, inProbe, nil},
	{"instantiate NEWGRAPH from GRAPH2", schedule.InstantiateWith, 0, inProbe, nil},
	{"update GRAPH from GRAPH2", schedule.UpdateExec, 0, inProbe, nil},
	{"list GRAPH", schedule.ListGraph, 0, inProbe, nil},
	{"list GRAPH without data", schedule.ListGraph, 1, inProbe, nil},
	{"print GRAPH", schedule.PrintGraph, 0, inProbe, nil},
	{"STREAM: burst NUMBER", schedule.Burst, 0, inProbe, nil},
	{"pause DURATION", schedule.Pause, 0, inProbe, nil},

	{"create stream NEWSTREAM", schedule.CreateStream, 0, shown, nil},
	{"create event EVENT", schedule.CreateEvent, 0, shown, nil},
	{"STREAM: gate", schedule.Gate, 0, shown, nil},
	{"open gate", schedule.OpenGate, 0, shown, nil},
}

// word is one of a form: an operand, or else what must stand there.
type word struct {
	literal string
	operand *operand
}

// words are those of the forms, split once.
var words = func() [][]word {
	list := make([][]word, len(forms))
	for i, f := range forms {
		for _, w := range strings.Fields(strings.Replace(f.text, ":", " :", 1)) {
			if op, ok := operands[w]; ok {
				list[i] = append(list[i], word{operand: op})
			} else {
				list[i] = append(list[i], word{literal: w})
			}
		}
	}
	return list
}()

// has says whether a form has an operand.
func has(form int, operand *operand) bool {
	for _, w := range words[form] {
		if w.operand == operand {
			return true
		}
	}
	return false
}

// head is how a line begins: its first word, behind the stream if it has one.
type head struct {
	onStream bool
	word     string
}

// The forms that a line may have by its head, and those that print a call.
var (
	onStream = map[string][]int{}
	bare     = map[string][]int{}
	byVerb   [schedule.NumVerbs][]int
)

// formsOf are the forms with a head.
func formsOf(h head) []int {
	if h.onStream {
		return onStream[h.word]
	}
	return bare[h.word]
}

func init() {
	for i, f := range forms {
		if f.scope == shown {
			byVerb[f.verb] = append([]int{i}, byVerb[f.verb]...)
			continue
		}
		if f.verb != several {
			byVerb[f.verb] = append(byVerb[f.verb], i)
		}
		for _, h := range headsOf(i) {
			if h.onStream {
				onStream[h.word] = append(onStream[h.word], i)
			} else {
				bare[h.word] = append(bare[h.word], i)
			}
		}
	}
	byVerb[schedule.HostFunc], byVerb[schedule.Copy] = byVerb[schedule.Launch], byVerb[schedule.Launch]
}

// headsOf are the heads of a form: of an op, each kind.
func headsOf(form int) (list []head) {
	w := words[form]
	first, behind := w[0], len(w) > 1 && w[1].literal == ":"
	if behind {
		first = w[2]
	}
	if first.operand == nil {
		return []head{{behind, first.literal}}
	}
	for _, kind := range kindNames {
		list = append(list, head{behind, kind})
	}
	return list
}

// standsIn says whether the form may stand in a section: raw is a program.
func (f *form) standsIn(raw bool) bool { return f.scope == everywhere || raw && f.scope != shown }
