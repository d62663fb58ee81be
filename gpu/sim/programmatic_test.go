package sim

import "testing"

var programmaticRows = []traceRow{
	{"serialization", "stream s0; s0: begin capture; s0: computation A 2ms; s0: programmatic computation B 2ms; s0: computation C 2ms; s0: end capture g; list g without data; instantiate g; s0: replay g",
		`s0: end capture g => 0 main none, s0 none / 0 kernel A before 1 / 1 kernel B after 0 before 2 / 2 kernel C after 1 / edges 0>1(type 1 port 1) 1>2; roots 0
		list g without data => 0 / 0 kernel A before 1 / 1 kernel B after 0 before 2 / 2 kernel C after 1 / edges 0>1(type 1 port 1) 1>2 code 402; roots 0
		order A B => <`},
	{"trigger", "stream s0 s1; s0: begin capture; s0: triggering e computation A 4ms; s1: wait e; s1: info without data; s1: info; s1: computation B 4ms; s1: record f; s0: wait f; s0: end capture g; instantiate g; s0: replay g",
		`s1: info without data => 402 main none, s0 active, s1 active
		s1: info => 0 active, capture 1, after A
		s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 / 1 kernel B after 0 / edges 0>1(type 1 port 1); roots 0
		order A B => <`},
	{"trigger at start", "stream s0 s1; s0: begin capture; s0: triggering e at start computation A 4ms; s1: wait e; s1: computation B 4ms; s0: computation C 2ms; s1: record f; s0: wait f; s0: end capture g; instantiate g; s0: replay g",
		`s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 2 / 1 kernel B after 0 / 2 kernel C after 0 / edges 0>1(type 1 port 2) 0>2; roots 0
		order A B => |
		order A C => <`},
	{"eager", "stream s0 s1 s2; s0: triggering e computation A 4ms; s1: wait e; s1: computation B 4ms; s0: triggering f at start computation C 4ms; s2: wait f; s2: computation D 4ms; query event f; s0: completing h computation E 4ms",
		`order A B => <
		order A D => <
		order C D => |
		query event f => 600`},
	{"joined only by a trigger",
		"stream s0 s1; s0: begin capture; s0: record e; s1: wait e; s1: triggering f computation B 2ms; s0: wait f; s0: end capture g", "s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel B / edges; roots 0"},
	{"not joined by the completion of a launch",
		"stream s0 s1; s0: begin capture; s0: record e; s1: wait e; s1: completing f computation B 2ms; s0: wait f; s0: end capture g", "s0: end capture g => 904 no graph; main none, s0 none, s1 none"},
	{"a host function behind a trigger waits for the end",
		"stream s0 s1; s0: begin capture; s0: triggering e at start computation A 2ms; s1: wait e; s1: host H 2ms; s1: record f; s0: wait f; s0: end capture g; instantiate g; s0: replay g", "order A H => <"},
	{"and behind the completion of a launch does not",
		"stream s0 s1; s0: begin capture; s0: completing e computation A 2ms; s1: wait e; s1: host H 2ms; s1: record f; s0: wait f; s0: end capture g; instantiate g; s0: replay g", "order A H => |"},
	{"joined by a trigger and a kernel",
		"stream s0 s1; s0: begin capture; s0: record e; s1: wait e; s1: triggering f at start computation B 2ms; s0: wait f; s0: computation C 2ms; s0: end capture g", "s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel B before 1 / 1 kernel C after 0 / edges 0>1(type 1 port 2); roots 0"},
	{"a trigger and a record: the end counts",
		"stream s0 s1; s0: begin capture; s0: triggering e at start computation A 2ms; s0: record f; s1: wait e; s1: wait f; s1: computation B 2ms; s1: record j; s0: wait j; s0: end capture g", "s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 / 1 kernel B after 0 / edges 0>1; roots 0"},
	{"joined wholly, too", "stream s0 s1; s0: begin capture; s0: record e; s1: wait e; s1: triggering f at start computation B 2ms; s1: record j; s0: wait f; s0: computation C 2ms; s0: wait j; s0: end capture g",
		"s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel B before 1 / 1 kernel C after 0 / edges 0>1(type 1 port 2); roots 0"},
	{"not only kernels", "stream s0 s1; s0: begin capture; s0: triggering e computation A 2ms; s1: wait e; s1: host H 2ms; s1: record f; s0: wait f; s0: end capture g", "s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 / 1 host H after 0 / edges 0>1(type 1 port 1); roots 0"},
	{"completion of a launch",
		"stream s0 s1; s0: begin capture; s0: completing e computation A 2ms; s1: wait e; s1: computation B 2ms; s1: record f; s0: wait f; s0: end capture g; instantiate g; s0: replay g", "s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 / 1 kernel B after 0 / edges 0>1(type 0 port 2); roots 0\norder A B => |"},
	{"no timed event", "stream s0; create event e flags 0; s0: triggering e computation A 2ms; s0: triggering null computation B 2ms", "s0: triggering e computation A 2ms => 801 main none, s0 none\ns0: triggering null computation B 2ms => 400 main none, s0 none\nran A => no"},
}

func TestProgrammatic(t *testing.T) { checkTraces(t, programmaticRows) }
