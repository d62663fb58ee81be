package schedule

import "strings"

// form is how a call of a probe is spelled. Words in capitals stand for operands; the last three take as many words as
// there are up to the next word of the form, or to the end.
//
//	STREAM EVENT GRAPH      of the Instr; EVENT2 and GRAPH2 of its Args; an event or a graph may be null
//	NEWGRAPH NEWNODE        named here
//	NODE NODES              ops, or nodes that were named before
//	MODE NUMBER NUMBER2 API DURATION
//	AFTER                   nothing, or `after` and nodes
//	OP                      an op, as everywhere
type form struct {
	verb   Verb
	number int32 // Args.Number, where the form has no operand for it
	text   string
}

var forms = []form{
	{ExchangeMode, 0, "exchange MODE"},
	{CaptureInfo, 0, "STREAM : info"},
	{CaptureInfo, 1, "STREAM : info without data"},
	{CaptureInfo, 2, "STREAM : info null"},
	{IsCapturing, 0, "STREAM : capturing"},
	{IsCapturing, 1, "STREAM : capturing null"},
	{Depend, DependAdd, "STREAM : depend add NODES"},
	{Depend, DependSet, "STREAM : depend set NODES"},
	{Depend, DependNull, "STREAM : depend null"},
	{Depend, 0, "STREAM : depend flags NUMBER NODES"},
	{BeginCaptureTo, 0, "STREAM : begin capture into GRAPH AFTER"},
	{BeginCaptureTo, 0, "STREAM : begin capture MODE into GRAPH AFTER"},
	{RecordExternal, 1, "STREAM : record EVENT external"},
	{WaitExternal, 1, "STREAM : wait EVENT external"},
	{RecordExternal, 0, "STREAM : record EVENT flags NUMBER"},
	{WaitExternal, 0, "STREAM : wait EVENT flags NUMBER"},
	{Elapsed, 0, "elapsed EVENT EVENT2"},
	{Elapsed, 1, "elapsed EVENT EVENT2 into null"},
	{StreamPriority, 0, "STREAM : priority"},
	{StreamFlags, 0, "STREAM : flags"},
	{CreateStream, 0, "create stream STREAM flags NUMBER priority NUMBER2"},
	{CreateStream, 0, "create stream STREAM flags NUMBER"},
	{CreateEvent, 0, "create event EVENT flags NUMBER"},
	{Invoke, 0, "STREAM : call API"},
	{Invoke, 0, "STREAM : call API as NEWNODE"},
	{Invoke, 0, "call API"},
	{LaunchWith, AfterTrigger, "STREAM : programmatic OP"},
	{LaunchWith, TriggerAtEnd, "STREAM : triggering EVENT OP"},
	{LaunchWith, TriggerAtStart, "STREAM : triggering EVENT at start OP"},
	{LaunchWith, CompletesLaunch, "STREAM : completing EVENT OP"},
	{CreateGraph, 0, "create graph NEWGRAPH"},
	{AddNode, AddOp, "add to GRAPH OP"},
	{AddNode, AddEmpty, "add to GRAPH empty NEWNODE AFTER"},
	{AddNode, AddChild, "add to GRAPH child NEWNODE GRAPH2 AFTER"},
	{AddNode, AddRecord, "add to GRAPH record NEWNODE EVENT AFTER"},
	{AddNode, AddWait, "add to GRAPH wait NEWNODE EVENT AFTER"},
	{AddNode, AddMemset, "add to GRAPH memset NEWNODE AFTER"},
	{AddNode, AddMemcpy, "add to GRAPH memcpy NEWNODE AFTER"},
	{AddEdges, 0, "add edges NODES to GRAPH"},
	{RemoveEdges, 0, "remove edges NODES from GRAPH"},
	{DestroyNode, 0, "destroy node NODE"},
	{DestroyGraph, 0, "destroy graph GRAPH"},
	{DestroyExec, 0, "destroy exec GRAPH"},
	{EnableNode, 0, "disable NODE in GRAPH"},
	{EnableNode, 1, "enable NODE in GRAPH"},
	{InstantiateWith, 0, "instantiate GRAPH flags NUMBER"},
	{InstantiateWith, 0, "instantiate NEWGRAPH from GRAPH2"},
	{UpdateExec, 0, "update GRAPH from GRAPH2"},
	{ListGraph, 0, "list GRAPH"},
	{ListGraph, 1, "list GRAPH without data"},
	{PrintGraph, 0, "print GRAPH"},
	{Burst, 0, "STREAM : burst NUMBER"},
	{Pause, 0, "pause DURATION"},
}

// operands are the words of a form that stand for something.
var operands = map[string]bool{"STREAM": true, "EVENT": true, "EVENT2": true, "GRAPH": true, "GRAPH2": true, "NEWGRAPH": true,
	"NEWNODE": true, "NODE": true, "NODES": true, "MODE": true, "NUMBER": true, "NUMBER2": true, "API": true, "DURATION": true,
	"AFTER": true, "OP": true}

// words are those of the form, split once.
var words = func() [][]string {
	list := make([][]string, len(forms))
	for i, f := range forms {
		list[i] = strings.Fields(f.text)
	}
	return list
}()

// nullName is how a handle that is NULL is spelled.
const nullName = "null"
