package sim

import "testing"

// Rows are named after what they show. A call without a row in shows may give anything.
var threadRows = []traceRow{
	{"a thread has its mode",
		"exchange thread-local; exchange relaxed; exchange 3; exchange -1; exchange global; thread 1; exchange global",
		`exchange thread-local => 0 was global
		exchange relaxed => 0 was thread-local
		exchange 3 => 0 was relaxed
		exchange -1 => 0 was 3
		exchange global => 0 was -1
		thread 1 exchange global => 0 was global`},
	{"a relaxed thread may", "stream s0 s9; s0: begin capture; exchange relaxed; s9: query; call mem-alloc; exchange thread-local; s9: query; s0: end capture g",
		`s9: query => 0
		call mem-alloc => 0
		s9: query => 900 main none, s0 invalidated, s9 none
		s0: end capture g => 901 no graph; main none, s0 none, s9 none`},
	{"another thread is not bothered unless both are global",
		"stream s0 s9; s0: begin capture; thread 1; exchange thread-local; s9: query; exchange global; s9: query",
		`thread 1 s9: query => 0
		thread 1 s9: query => 900 main none, s0 invalidated, s9 none`},
	{"a relaxed thread still may not ask the context",
		"stream s0; s0: begin capture relaxed; exchange relaxed; sync context; s0: capturing",
		`sync context => 900 main none, s0 invalidated
		s0: capturing => 0 invalidated`},
	{"two captures: each costs what it costs",
		"stream s0 s1 s9; thread 1; s1: begin capture relaxed; thread 0; s0: begin capture; s9: query; s0: capturing; s1: capturing",
		`s9: query => 900 main none, s0 invalidated, s1 active, s9 none
		s0: capturing => 0 invalidated
		s1: capturing => 0 active`},
	{"default stream of a thread",
		"stream s0; thread 1; per-thread: computation A 2ms; legacy: computation B 2ms; thread 2; per-thread: computation C 2ms; per-thread: computation D 2ms; thread 1; s0: computation E 8ms; per-thread: flags",
		`order A B => <
		order B C => <
		order C D => <
		order C E => |
		thread 1 per-thread: flags => 0 0`},
	{"default streams of two threads",
		"thread 1; per-thread: computation A 2ms; thread 2; per-thread: computation B 2ms; per-thread: query; thread 3; per-thread: query",
		`order A B => |
		thread 2 per-thread: query => 600
		thread 3 per-thread: query => 0`},
	{"default stream captures, of one thread",
		"per-thread: begin capture; thread 1; per-thread: capturing; legacy: capturing; legacy: call launch-empty; thread 0; per-thread: capturing",
		`thread 1 per-thread: capturing => 0 none
		thread 1 legacy: capturing => 906 main 906, legacy 906, per-thread none
		thread 1 legacy: call launch-empty => 906 main 906, legacy 906, per-thread none
		per-thread: capturing => 0 invalidated`},
	{"fork across threads", "stream s0 s1; s0: begin capture; s0: computation A 2ms; s0: record e; thread 1; s1: wait e; s1: computation B 2ms; s1: record f; thread 0; s0: wait f; s0: end capture g",
		`s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 / 1 kernel B after 0 / edges 0>1; roots 0`},
}

func TestThreads(t *testing.T) { checkTraces(t, threadRows) }

var captureRows = []traceRow{
	{"info", "stream s0 s1 s2; s0: info; s0: begin capture; s2: begin capture; s2: info; s0: computation A 2ms; s0: record e; s1: wait e; s1: computation B 2ms; s1: info; s1: record f; s0: wait f; s0: info; s0: info null; s0: capturing null; s0: info without data; s0: sync; s0: info",
		`s0: info => 0 none
		s2: info => 0 active, capture 1, after nothing
		s1: info => 0 active, capture 2, after B
		s0: info => 0 active, capture 2, after A B
		s0: info null => 1 main none, s0 active, s1 active, s2 active
		s0: capturing null => 1 main none, s0 active, s1 active, s2 active
		s0: info without data => 0 active, capture 2, after A B
		s0: info => 0 invalidated, after nothing`},
	{"end into null", "stream s0; s0: end capture null; s0: begin capture; s0: end capture null; s0: end capture g",
		`s0: end capture null => 401 no graph; main none, s0 none
		s0: end capture null => 0 main none, s0 none
		s0: end capture g => 401 no graph; main none, s0 none`},
	{"depend", "stream s0; s0: depend set; s0: begin capture; s0: computation A 2ms; s0: depend add A; s0: info; s0: depend null; s0: depend flags 2 A; s0: depend set null; s0: depend set; s0: info; s0: computation B 2ms; s0: end capture g",
		`s0: depend set => 401 main none, s0 none
		s0: depend add A => 0
		s0: info => 0 active, capture 1, after A
		s0: depend null => 1 main none, s0 active
		s0: depend flags 2 A => 1 main none, s0 active
		s0: depend set null => 1 main none, s0 active
		s0: info => 0 active, capture 1, after nothing
		s0: end capture g => 0 main none, s0 none / 0 kernel A / 1 kernel B / edges; roots 1 0`},
	{"what is dropped need not be joined",
		"stream s0 s1; s0: begin capture; s0: computation A 2ms; s0: record e; s1: wait e; s1: computation B 2ms; s1: depend set; s0: end capture g",
		`s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 / 1 kernel B after 0 / edges 0>1; roots 0`},
	{"what is not dropped must be",
		"stream s0 s1; s0: begin capture; s0: computation A 2ms; s0: record e; s1: wait e; s1: computation B 2ms; s1: depend set A; s1: computation C 2ms; s0: end capture g; create graph h; add to h empty M after C",
		`s0: end capture g => 904 no graph; main none, s0 none, s1 none
		add to h empty M after C => 400 main none, s0 none, s1 none`},
	{"a node of another graph",
		"stream s0 s1; s1: begin capture; s1: computation Z 2ms; s1: end capture h; s0: begin capture; s0: depend add Z; destroy graph h; s0: depend add Z",
		`s0: depend add Z => 1 main none, s0 active, s1 none
		s0: depend add Z => 400 main none, s0 active, s1 none`},
	{"into a graph", "stream s0 s1; create graph g; add to g empty A; add to g empty B; s0: begin capture into g after A B; s0: info; s0: computation C 2ms; s1: begin capture into g; instantiate g; destroy graph g; add to g empty D after C; s0: capturing; s0: end capture h",
		`s0: info => 0 active, capture 1, after A B
		s1: begin capture into g => 401 main none, s0 active, s1 none
		destroy graph g => 401 main none, s0 invalidated, s1 none
		s0: capturing => 0 invalidated`},
	{"into a graph that is instantiated meanwhile",
		"stream s0; create graph g; s0: begin capture relaxed into g; s0: computation C 2ms; instantiate g; s0: computation D 2ms; s0: end capture h; s0: replay g",
		"instantiate g => 0\nran D => no"},
	{"into a graph, behind a node twice",
		"stream s0; create graph g; add to g empty A; s0: begin capture into g after A A; s0: info",
		"s0: info => 0 active, capture 1, after A"},
	{"into a graph, to its end",
		"stream s0; create graph g; add to g empty A; add to g empty B; s0: begin capture into g after A; s0: computation C 2ms; add to g empty D after C; s0: end capture h; list g",
		`s0: end capture h => 0 main none, s0 none / 0 empty A before 2 / 1 empty B / 2 kernel C after 0 before 3 / 3 empty D after 2 / edges 0>2 2>3; roots 1 0
		list g => 0 / 0 empty A before 2 / 1 empty B / 2 kernel C after 0 before 3 / 3 empty D after 2 / edges 0>2 2>3; roots 1 0`},
	{"into a graph, unjoined: it goes",
		"stream s0 s1; create graph g; s0: begin capture into g; s0: record e; s1: wait e; s1: computation B 2ms; s0: end capture h; list g; list h",
		`s0: end capture h => 904 no graph; main none, s0 none, s1 none
		list g => 1
		list h => 1`},
	{"into what", "stream s0; create graph g; create graph h; add to h empty B; s0: begin capture into g after B; s0: begin capture into g after null; s0: begin capture into null; s0: begin capture 3 into g; legacy: begin capture into g; legacy: begin capture 3; destroy graph h; s0: begin capture into h; s0: begin capture into g; s0: begin capture into g",
		`s0: begin capture into g after B => 1 main none, s0 none, legacy none
		s0: begin capture into g after null => 1 main none, s0 none, legacy none
		s0: begin capture into null => 1 main none, s0 none, legacy none
		s0: begin capture 3 into g => 1 main none, s0 none, legacy none
		legacy: begin capture into g => 900 main none, s0 none, legacy none
		legacy: begin capture 3 => 1 main none, s0 none, legacy none
		s0: begin capture into h => 400 main none, s0 none, legacy none
		s0: begin capture into g => 0
		s0: begin capture into g => 401 main none, s0 active, legacy none`},
	{"properties of streams",
		"stream s0; stream b0 blocking; stream p0 priority -2; stream c d f; create stream c flags 2; create stream d flags 1 priority -9; create stream f flags 0 priority 9; s0: flags; b0: flags; p0: priority; d: priority; d: flags; f: flags; f: priority; c: flags",
		`create stream c flags 2 => 1 main none, s0 none, b0 none, p0 none
		s0: flags => 0 1
		b0: flags => 0 0
		p0: priority => 0 -2
		d: priority => 0 -5
		d: flags => 0 1
		f: flags => 0 0
		f: priority => 0 0
		c: flags => 400 main none, s0 none, b0 none, p0 none, d none, f none`},
	{"flags make a stream blocking",
		"stream c d; create stream c flags 0; c: computation A 2ms; legacy: computation B 2ms; create stream d flags 1; d: computation C 6ms", "order A B => <\norder B C => |"},
}

func TestCaptureCalls(t *testing.T) { checkTraces(t, captureRows) }

var eventRows = []traceRow{
	{"flags of events", "create event a flags 4; create event b flags 6; create event c flags 8; create event d flags 1",
		`create event a flags 4 => 1 main none
		create event b flags 6 => 0
		create event c flags 8 => 1 main none
		create event d flags 1 => 0`},
	{"elapsed", "stream s0; create event e flags 0; create event f flags 0; create event u flags 2; elapsed e f; s0: record e; s0: record f; elapsed e f; elapsed f e; elapsed e e; s0: computation A 2ms; s0: record f; elapsed e f; s0: sync; elapsed e f; s0: record u; elapsed u e; elapsed null e; elapsed e null; elapsed e f into null; destroy event f; elapsed e f",
		`elapsed e f => 400 main none, s0 none
		elapsed e f => 0 positive
		elapsed f e => 0 negative
		elapsed e e => 0 zero
		elapsed e f => 600
		elapsed e f => 0 positive
		elapsed u e => 400 main none, s0 none
		elapsed null e => 400 main none, s0 none
		elapsed e null => 400 main none, s0 none
		elapsed e f into null => 400 main none, s0 none
		elapsed e f => 400 main none, s0 none`},
	{"elapsed of captured events",
		"stream s0; create event e flags 0; s0: begin capture; s0: record e; s0: end capture g; elapsed e e; s0: begin capture; s0: record e; elapsed e e; s0: capturing",
		`elapsed e e => 1 main none, s0 none
		elapsed e e => 907 main none, s0 active
		s0: capturing => 0 active`},
	{"null events", "stream s0; s0: record null; s0: wait null; query event null; sync event null; destroy event null; s0: record null external; s0: wait null external",
		`s0: record null => 400 main none, s0 none
		s0: wait null => 400 main none, s0 none
		query event null => 400 main none, s0 none
		sync event null => 400 main none, s0 none
		destroy event null => 400 main none, s0 none
		s0: record null external => 400 main none, s0 none
		s0: wait null external => 400 main none, s0 none`},
	{"external, outside", "stream s0; s0: record e external; s0: wait e external; s0: record e flags 2; s0: wait e flags 2; s0: computation A 2ms; s0: record e flags 0; query event e; s0: wait e flags 0",
		`s0: record e external => 401 main none, s0 none
		s0: wait e external => 401 main none, s0 none
		s0: record e flags 2 => 1 main none, s0 none
		s0: wait e flags 2 => 1 main none, s0 none
		s0: record e flags 0 => 0
		query event e => 600
		s0: wait e flags 0 => 0`},
	{"external nodes", "stream s0; s0: begin capture; s0: computation A 2ms; s0: record e external; s0: info; s0: wait f external; s0: computation B 2ms; query event g; s0: end capture x",
		`s0: info => 0 active, capture 1, after unnamed
		query event g => 900 main none, s0 invalidated
		s0: end capture x => 901 no graph; main none, s0 none`},
	{"external nodes of a graph",
		"stream s0; s0: begin capture; s0: computation A 2ms; s0: record e external; s0: wait f external; s0: computation B 2ms; s0: end capture x; query event e; instantiate x; s0: replay x; query event e; s0: sync; query event e",
		`s0: end capture x => 0 main none, s0 none / 0 kernel A before 1 / 1 event_record after 0 before 2 / 2 wait_event after 1 before 3 / 3 kernel B after 2 / edges 0>1 1>2 2>3; roots 0
		query event e => 0
		query event e => 600
		query event e => 0
		order A B => <`},
	{"a replayed record is waited for",
		"stream s0 s1; s0: begin capture; s0: computation A 4ms; s0: record e external; s0: computation B 4ms; s0: end capture x; instantiate x; s0: replay x; s1: wait e; s1: computation C 2ms", "order A C => <\norder B C => |"},
	{"a replayed wait waits for what the event holds at the launch",
		"stream s0 s8 s9; s0: begin capture; s0: wait f external; s0: computation A 2ms; s0: end capture x; instantiate x; s9: computation B 6ms; s9: record f; s0: replay x; s8: computation D 20ms; s8: record f; s0: computation C 2ms; s0: replay x", "order A B => >\norder B C => <\norder D C => |"},
	{"a replayed wait for nothing",
		"stream s0 s9; s0: begin capture; s0: wait f external; s0: computation A 2ms; s0: end capture x; instantiate x; s9: computation B 6ms; s0: replay x", "order A B => |"},
	{"an event that is gone",
		"stream s0; s0: begin capture; s0: record e external; s0: wait e external; s0: end capture x; destroy event e; instantiate x; s0: replay x; s0: sync", "s0: sync => 0"},
	{"an external record must be joined",
		"stream s0 s1; s0: begin capture; s0: record e; s1: wait e; s1: record f external; s0: end capture g",
		"s0: end capture g => 904 no graph; main none, s0 none, s1 none"},
}

func TestEventCalls(t *testing.T) { checkTraces(t, eventRows) }
