package schedule

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func schedText(lines string) string { return "-- schedule --\n" + lines + "\n-- expect --\n" }
func progText(lines string) string  { return "-- program --\n" + lines + "\n-- expect --\n" }
func expectText(lines string) string {
	return "-- schedule --\nmain: host A 1s\n-- expect --\n" + lines + "\n"
}

func TestSyntaxErrors(t *testing.T) {
	for name, tc := range syntaxErrors {
		t.Run(name, func(t *testing.T) {
			c, err := ParseCase("x.txtar", []byte(tc[0]))
			require.Error(t, err)
			assert.Nil(t, c)
			var syntax *SyntaxError
			require.True(t, errors.As(err, &syntax))
			assert.Equal(t, strings.TrimPrefix(tc[1], "\n"), err.Error())
		})
	}
}

// manyHours is 30 ops of an hour.
var manyHours = func() string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "main: host %s 3600s\n", StageName(i))
	}
	return b.String()
}()

// ring is n ops, each after the next, and the last after the first.
func ring(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "main: host %s 1s after %s\n", StageName(i), StageName((i+1)%n))
	}
	return b.String()
}

// The text of a case, and the whole message that it gives.
var syntaxErrors = map[string][2]string{
	"unknown verb": {schedText("main: recrod e"), `
x.txtar:2: unknown verb "recrod"; want record (one of computation, communication, host, record, wait, fork, join, sync, query)
    main: recrod e
          ^`},
	"far verb": {schedText("main: xyzzy e"), `
x.txtar:2: unknown verb "xyzzy"; want one of computation, communication, host, record, wait, fork, join, sync, query
    main: xyzzy e
          ^`},
	"no verb": {schedText("main:  # nothing"), `
x.txtar:2: the line ends too early; want one of computation, communication, host, record, wait, fork, join, sync, query
    main:  # nothing
         ^`},
	"verb without stream": {schedText("record e"), `
x.txtar:2: record needs a stream; want the stream first, as in ` + "`" + `main: record ...` + "`" + `
    record e
    ^`},
	"unknown stream": {schedText("stream compute comm\ncmopute: record e"), `
x.txtar:3: unknown stream "cmopute"; want compute (one of main, legacy, compute, comm)
    cmopute: record e
    ^`},
	"unknown stream in join": {schedText("main: fork a\nmain: join a\tb"), `
x.txtar:3: unknown stream "b"; want one of main, legacy, a
    main: join a    b
                    ^`},
	"unrecorded event": {schedText("main: record done\nmain: wait don"), `
x.txtar:3: no instruction records event don; want done, or ` + "`" + `record don` + "`" + ` on some stream
    main: wait don
               ^`},
	"unrecorded sync": {schedText("sync event e"), `
x.txtar:2: no instruction records event e; want ` + "`" + `record e` + "`" + ` on some stream
    sync event e
               ^`},
	"duplicate op": {schedText("main: host A 1s\nmain: host A 1s"), `
x.txtar:3: op A is already on line 2; want a name for each op
    main: host A 1s
               ^`},
	"unknown op in after": {schedText("main: host A 1s\nmain: host B 1s after A C"), `
x.txtar:3: unknown op "C"; want one of A, B
    main: host B 1s after A C
                            ^`},
	"cycle in after": {schedText("main: host X 1s\nmain: host A 1s after X B\nmain: host B 1s after C\nmain: host C 1s after A"), `
x.txtar:3: a cycle: A after B after C after A; want an order that ends somewhere
    main: host A 1s after X B
                    ^`},
	"after itself": {schedText("main: host A 1s after A"), `
x.txtar:2: a cycle: A after A; want an order that ends somewhere
    main: host A 1s after A
                    ^`},
	"after twice": {schedText("main: host A 1s\nmain: host B 1s after A A"), `
x.txtar:3: a second A; want it once
    main: host B 1s after A A
                            ^`},
	"negative duration": {schedText("main: computation A -5ms"), `
x.txtar:2: "-5ms" is not a positive duration; want more than 0
    main: computation A -5ms
                        ^`},
	"zero duration": {schedText("main: computation A 0ms"), `
x.txtar:2: "0ms" is not a positive duration; want more than 0
    main: computation A 0ms
                        ^`},
	"absurd duration": {schedText("main: computation A 3601s"), `
x.txtar:2: "3601s" is too long; want at most 1h
    main: computation A 3601s
                        ^`},
	"overflowing duration": {schedText("main: computation A 99999999999999999999s"), `
x.txtar:2: "99999999999999999999s" overflows; want a duration as 100ms or 1.5us: a number and one of ns, us, ms, s
    main: computation A 99999999999999999999s
                        ^`},
	"too fine": {schedText("main: computation A 0.5ns"), `
x.txtar:2: "0.5ns" is finer than a nanosecond; want a duration as 100ms or 1.5us: a number and one of ns, us, ms, s
    main: computation A 0.5ns
                        ^`},
	"no unit": {schedText("main: computation A 100"), `
x.txtar:2: "100" is not a duration; want a duration as 100ms or 1.5us: a number and one of ns, us, ms, s
    main: computation A 100
                        ^`},
	"no duration": {schedText("main: computation A"), `
x.txtar:2: the line ends too early; want a duration as 100ms or 1.5us: a number and one of ns, us, ms, s
    main: computation A
                       ^`},
	"sum too long": {schedText(manyHours), `
x.txtar:26: up to here the durations of all ops add up to more than 24h; want a sum of at most 24h
    main: host Y 3600s
                 ^`},
	"bad op name": {schedText("main: host 1A 1s"), `
x.txtar:2: "1A" is not a name for an op; want a letter or _, then letters, digits, _ - . up to 64 bytes
    main: host 1A 1s
               ^`},
	"reserved name": {schedText("main: host after 1s"), `
x.txtar:2: "after" is a word of the language; want the name of an op
    main: host after 1s
               ^`},
	"unknown clause": {schedText("main: host A 1s aftre B"), `
x.txtar:2: unexpected "aftre"; want after (one of after, reads, writes, on, want)
    main: host A 1s aftre B
                    ^`},
	"clause twice": {schedText("main: host A 1s reads b reads c"), `
x.txtar:2: a second "reads"; want it once
    main: host A 1s reads b reads c
                            ^`},
	"empty clause": {schedText("main: host A 1s reads"), `
x.txtar:2: the line ends too early; want the name of a buffer
    main: host A 1s reads
                         ^`},
	"unknown engine": {schedText("engine wire\nmain: host A 1s on wier"), `
x.txtar:3: unknown engine "wier"; want wire (one of compute, link, host, wire), or ` + "`" + `engine wier` + "`" + `
    main: host A 1s on wier
                       ^`},
	"engine redeclared": {schedText("engine wire\nengine wire capacity 2\nmain: host A 1s"), `
x.txtar:3: engine wire is already declared; want another name
    engine wire capacity 2
           ^`},
	"engine built in": {schedText("engine link capacity 2\nmain: host A 1s"), `
x.txtar:2: engine link is built in; want another name
    engine link capacity 2
           ^`},
	"engine named as a kind": {schedText("engine computation\nmain: host A 1s"), `
x.txtar:2: computation is a kind of op; want another name
    engine computation
           ^`},
	"capacity zero": {schedText("engine wire capacity 0\nmain: host A 1s"), `
x.txtar:2: "0" is not a capacity; want a capacity from 1 to 1024
    engine wire capacity 0
                         ^`},
	"stream redeclared": {schedText("stream a\nstream b a\nmain: host A 1s"), `
x.txtar:3: stream a is already declared; want it once
    stream b a
             ^`},
	"main redeclared": {schedText("stream main\nmain: host A 1s"), `
x.txtar:2: stream main is always there; want another name
    stream main
           ^`},
	"legacy redeclared": {schedText("stream a legacy\nmain: host A 1s"), `
x.txtar:2: stream legacy is always there; want another name
    stream a legacy
             ^`},
	"stream without name": {schedText("stream blocking\nmain: host A 1s"), `
x.txtar:2: "blocking" is a word of the language; want the name of a stream
    stream blocking
           ^`},
	"absurd priority": {schedText("stream a priority 1000\nmain: host A 1s"), `
x.txtar:2: "1000" is not a priority; want a priority from -100 to 100
    stream a priority 1000
                      ^`},
	"fork by itself": {schedText("main: fork a main"), `
x.txtar:2: a fork of stream main by itself; want other streams
    main: fork a main
                 ^`},
	"fork of nothing": {schedText("main: fork"), `
x.txtar:2: the line ends too early; want a stream
    main: fork
              ^`},
	"fork twice": {schedText("main: fork a a"), `
x.txtar:2: a second stream a; want it once
    main: fork a a
                 ^`},
	"fork with want": {schedText("main: fork a want 900"), `
x.txtar:2: fork is several calls; want record and wait spelled out, each with its code
    main: fork a want 900
                 ^`},
	"unknown code": {schedText("main: record e want CUDA_ERROR_NOTREADY"), `
x.txtar:2: unknown code "CUDA_ERROR_NOTREADY"; want CUDA_ERROR_NOT_READY
    main: record e want CUDA_ERROR_NOTREADY
                        ^`},
	"absurd code": {schedText("main: record e want -1"), `
x.txtar:2: unknown code "-1"; want a code as 900 or CUDA_ERROR_NOT_READY
    main: record e want -1
                        ^`},
	"more after the end": {schedText("main: record e f"), `
x.txtar:2: unexpected "f"; want ` + "`" + `want CODE` + "`" + ` or the end of the line
    main: record e f
                   ^`},
	"capture in a schedule": {schedText("main: begin capture"), `
x.txtar:2: begin stands only in a program section; want the calls between them: giant, eager and replay are derived from these
    main: begin capture
          ^`},
	"instantiate in a schedule": {schedText("instantiate g"), `
x.txtar:2: instantiate stands only in a program section; want the calls between them: giant, eager and replay are derived from these
    instantiate g
    ^`},
	"instantiate on a stream": {progText("main: instantiate g"), `
x.txtar:2: instantiate needs no stream; want ` + "`" + `instantiate ...` + "`" + `
    main: instantiate g
          ^`},
	"unknown graph": {progText("stream a\na: begin capture\na: end capture graph\nmain: replay grahp"), `
x.txtar:5: no instruction captures graph grahp; want graph, or ` + "`" + `end capture grahp` + "`" + ` on some stream
    main: replay grahp
                 ^`},
	"bad capture mode": {progText("main: begin capture locally"), `
x.txtar:2: unexpected "locally"; want one of global, thread-local, relaxed
    main: begin capture locally
                        ^`},
	"destroy main": {progText("destroy stream main"), `
x.txtar:2: main cannot be destroyed; want a stream that was created
    destroy stream main
                   ^`},
	"pipeline in a program": {progText("pipeline 2 microbatches"), `
x.txtar:2: a pipeline stands only in a schedule section; want instructions
    pipeline 2 microbatches
    ^`},
	"empty program": {progText("# nothing"), `
x.txtar:1: the section program is empty; want instructions as ` + "`" + `main: record e` + "`" + `
    -- program --
       ^`},
	"giant of a program": {progText("main: query") + "giant 1s\n", `
x.txtar:4: a program section has no giant; want what holds for raw driver calls
    giant 1s
    ^`},
	"kernels twice": {schedText("kernels exact\nkernels exact\nmain: host A 1s"), `
x.txtar:3: kernels is already on line 2; want it once
    kernels exact
    ^`},
	"unknown kernels": {schedText("kernels exakt\nmain: host A 1s"), `
x.txtar:2: unexpected "exakt"; want exact (one of exact, nanosleep)
    kernels exakt
            ^`},
	"empty schedule": {schedText("# nothing\n\nengine wire"), `
x.txtar:1: the section schedule is empty; want ` + "`" + `pipeline N microbatches` + "`" + ` and its stages, or instructions as ` + "`" + `main: fork a b` + "`" + `
    -- schedule --
       ^`},
	"no ops": {schedText("main: fork a\nmain: join a"), `
x.txtar:1: the schedule has no ops; want at least one op, as ` + "`" + `main: computation A 1ms` + "`" + `
    -- schedule --
       ^`},
	"junk": {schedText("%&!?"), `
x.txtar:2: unknown statement "%&!?"; want one of pipeline, streams, exclusive, kernels, engine, stage, stream, sync, query, or an instruction as ` + "`" + `main: fork a b` + "`" + `
    %&!?
    ^`},
	"unknown statement": {schedText("pipelin 2 microbatches"), `
x.txtar:2: unknown statement "pipelin"; want pipeline (one of pipeline, streams, exclusive, kernels, engine, stage, stream, sync, query), or an instruction as ` + "`" + `main: fork a b` + "`" + `
    pipelin 2 microbatches
    ^`},
	"control character": {schedText("main: host\tA\x01 1s"), `
x.txtar:2: control character 0x1; want text
    main: host  A\x01 1s
                 ^`},
	"too many words": {schedText("main: host A 1s reads " + strings.Repeat("b ", 1000)), `
x.txtar:2: the line has 1006 words; want at most 1000
    …b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b
                                                                           ^`},
	"instruction in a pipeline": {schedText("pipeline 2 microbatches\nmain: record e"), `
x.txtar:3: an instruction in a pipeline; want either stages or instructions
    main: record e
    ^`},
	"stage among instructions": {schedText("main: record e\nstage host 1s"), `
x.txtar:3: stage among instructions; want either stages or instructions
    stage host 1s
    ^`},
	"exclusive per engine": {schedText("pipeline 2 microbatches\nstreams per engine\nexclusive\nstage host 1s"), `
x.txtar:4: exclusive with streams per engine; want one of the two: a stream of an engine is exclusive by itself
    exclusive
    ^`},
	"per engine after exclusive": {schedText("pipeline 2 microbatches\nexclusive\nstreams per engine\nstage host 1s"), `
x.txtar:4: exclusive with streams per engine; want one of the two: a stream of an engine is exclusive by itself
    streams per engine
    ^`},
	"streams of what": {schedText("pipeline 2 microbatches\nstreams per stage\nstage host 1s"), `
x.txtar:3: unexpected "stage"; want one of microbatch, engine
    streams per stage
                ^`},
	"pipeline twice": {schedText("pipeline 2 microbatches\npipeline 2 microbatches"), `
x.txtar:3: pipeline is already on line 2; want it once
    pipeline 2 microbatches
    ^`},
	"no pipeline": {schedText("stage host 1s"), `
x.txtar:1: a pipeline of how many micro-batches?; want ` + "`" + `pipeline N microbatches` + "`" + `
    -- schedule --
       ^`},
	"no stage": {schedText("pipeline 2 microbatches"), `
x.txtar:1: a pipeline without a stage has no ops; want ` + "`" + `stage computation 100ms` + "`" + `
    -- schedule --
       ^`},
	"no micro-batches": {schedText("pipeline 0 microbatches\nstage host 1s"), `
x.txtar:2: "0" is not a number of micro-batches; want a number of micro-batches from 1 to 1024
    pipeline 0 microbatches
             ^`},
	"negative count": {schedText("pipeline -2 microbatches\nstage host 1s"), `
x.txtar:2: "-2" is not a number of micro-batches; want a number of micro-batches from 1 to 1024
    pipeline -2 microbatches
             ^`},
	"absurd count": {schedText("pipeline 1025 microbatches\nstage host 1s"), `
x.txtar:2: "1025" is not a number of micro-batches; want a number of micro-batches from 1 to 1024
    pipeline 1025 microbatches
             ^`},
	"unknown kind": {schedText("pipeline 2 microbatches\nstage compute 1s"), `
x.txtar:3: unexpected "compute"; want one of computation, communication, host
    stage compute 1s
          ^`},
	"whole twice": {schedText("pipeline 2 microbatches\nstage host 1s whole 1s whole 1s"), `
x.txtar:3: a second "whole"; want it once
    stage host 1s whole 1s whole 1s
                           ^`},
	"pipeline too long": {schedText("pipeline 1000 microbatches\nstage host 80s\nstage computation 20s"), `
x.txtar:4: up to here the durations of all ops add up to more than 24h; want a sum of at most 24h
    stage computation 20s
                      ^`},
	"too many ops": {schedText("pipeline 1024 microbatches\n" + strings.Repeat("stage host 1ns\n", 3907)), `
x.txtar:1: 3907 stages of 1024 micro-batches are 4000768 ops; want at most 4000000 ops
    -- schedule --
       ^`},
	"too many ops for so many streams": {schedText("pipeline 1024 microbatches\n" + strings.Repeat("stage host 1ns\n", 65)), `
x.txtar:1: 66560 ops on 1024 streams; want at most 67108864 for ops times streams
    -- schedule --
       ^`},
	"empty file": {"", `
x.txtar:1: the file ends without a section schedule; want -- schedule -- (or, for raw driver calls, -- program --)
    
    ^`},
	"missing schedule": {"Why.\n-- expect --\n", `
x.txtar:2: the file ends without a section schedule; want -- schedule -- (or, for raw driver calls, -- program --)
    -- expect --
                ^`},
	"missing expect": {"-- schedule --\nmain: host A 1s\n", `
x.txtar:2: the file ends without a section expect; want -- expect --, which may be empty
    main: host A 1s
                   ^`},
	"duplicate section": {schedText("main: host A 1s") + "-- expect --\n", `
x.txtar:4: section expect is already on line 3; want each section once
    -- expect --
       ^`},
	"unknown section": {schedText("main: host A 1s") + "-- graph --\n", `
x.txtar:4: unknown section "graph"; want one of schedule, program, expect, graph.dot, lanes.txt
    -- graph --
       ^`},
	"schedule and program": {schedText("main: host A 1s") + "-- program --\n", `
x.txtar:4: a schedule and a program in one case; want one of them
    -- program --
       ^`},
	"truncated header": {"-- schedule --\nmain: host A 1s\n-- exp", `
x.txtar:3: the file ends without a section expect; want -- expect --, which may be empty
    -- exp
          ^`},
	"truncated line": {"-- schedule --\nmain: host A 1s\nmain: computation B", `
x.txtar:3: the file ends without a section expect; want -- expect --, which may be empty
    main: computation B
                       ^`},
	"spoilt header": {" -- schedule --\nmain: host A 1s\n", `
x.txtar:1: a section header with blanks around it; want -- schedule -- alone on its line
     -- schedule --
    ^`},
	"NUL": {"-- schedule --\n\x7fELF\x00\x01", `
x.txtar:2: a NUL byte: the file is binary; want text in UTF-8
    \x7fELF\x00\x01
           ^`},
	"not UTF-8": {"-- schedule --\nmain: \xff\n", `
x.txtar:2: bytes that are not UTF-8; want text in UTF-8
    main: \xff
          ^`},
	"stray carriage return": {"Why\rnot\n" + schedText("main: host A 1s"), `
x.txtar:1: a carriage return inside a line; want lines that end in LF or CR LF
    Why\rnot
       ^`},
	"stray byte order mark": {"\n\ufeffWhy\n" + schedText("main: host A 1s"), `
x.txtar:2: a byte order mark inside the text; want one at the beginning of the file, or none
    \ufeffWhy
    ^`},
	"long file": {strings.Repeat("x\n", 9<<20), `
x.txtar: the file has 18874368 bytes; want at most 16 MiB`},
	"long line": {schedText("main: host A 1s # " + strings.Repeat("é", 40000)), `
x.txtar:2: the line has 80018 bytes; want at most 64 KiB
    …éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…
                                        ^`},
	"unknown expectation": {expectText("idael 1s"), `
x.txtar:4: unknown expectation "idael"; want ideal (one of serial, giant, ideal, optimal, scheduled, eager, replay, hides, graph, verdict)
    idael 1s
    ^`},
	"duplicate expectation": {expectText("ideal 1s\nideal 1s"), `
x.txtar:5: ideal is already on line 4; want it once
    ideal 1s
    ^`},
	"duplicate target": {expectText("eager within 1% of ideal\neager within 1% of ideal"), `
x.txtar:5: eager within is already on line 4; want it once
    eager within 1% of ideal
    ^`},
	"duplicate verdict": {expectText("replay verdict missed\nreplay verdict missed"), `
x.txtar:5: replay verdict is already on line 4; want it once
    replay verdict missed
    ^`},
	"duplicate hides": {expectText("hides host 1%\nhides host 1%"), `
x.txtar:5: hides host is already on line 4; want it once
    hides host 1%
    ^`},
	"duplicate graph": {expectText("graph 1 node 0 edges\ngraph 1 node 0 edges"), `
x.txtar:5: graph is already on line 4; want it once
    graph 1 node 0 edges
    ^`},
	"percent out of range": {expectText("eager within 100.5% of ideal"), `
x.txtar:4: "100.5%" is out of range; want a percentage from 0% to 100%
    eager within 100.5% of ideal
                 ^`},
	"negative percent": {expectText("hides host -1%"), `
x.txtar:4: "-1%" is out of range; want a percentage from 0% to 100%
    hides host -1%
               ^`},
	"percent without sign": {expectText("hides host 75"), `
x.txtar:4: "75" lacks its %; want a percentage from 0% to 100%
    hides host 75
               ^`},
	"not a percentage": {expectText("hides host NaN%"), `
x.txtar:4: "NaN%" is not a percentage; want a percentage from 0% to 100%
    hides host NaN%
               ^`},
	"infinite percentage": {expectText("hides host Inf%"), `
x.txtar:4: "Inf%" is not a percentage; want a percentage from 0% to 100%
    hides host Inf%
               ^`},
	"target of what": {expectText("eager within 2% of optimal"), `
x.txtar:4: unexpected "optimal"; want one of ideal, scheduled
    eager within 2% of optimal
                       ^`},
	"hides under itself": {expectText("hides host 1% under host"), `
x.txtar:4: host under itself; want another kind of op or engine
    hides host 1% under host
                        ^`},
	"hides unknown": {expectText("hides communicatoin 1%"), `
x.txtar:4: unknown engine "communicatoin"; want communication (one of computation, communication, host, compute, link)
    hides communicatoin 1%
          ^`},
	"unknown cause": {expectText("verdict over wide wait: A"), `
x.txtar:4: unknown cause "over wide wait"; want over-wide wait (one of met, bad code, vacuous, wrong graph, missing order, engine clash, over-wide wait, serial by stream, legacy barrier, host sync, lost in graph, missed, inconclusive)
    verdict over wide wait: A
            ^`},
	"far cause": {expectText("eager verdict slow"), `
x.txtar:4: unknown cause "slow"; want one of met, bad code, vacuous, wrong graph, missing order, engine clash, over-wide wait, serial by stream, legacy barrier, host sync, lost in graph, missed, inconclusive
    eager verdict slow
                  ^`},
	"no cause": {expectText("verdict"), `
x.txtar:4: the line ends too early; want met or a cause
    verdict
           ^`},
	"met with detail": {expectText("verdict met: really"), `
x.txtar:4: met has no detail; want ` + "`" + `verdict met` + "`" + ` alone
    verdict met: really
               ^`},
	"empty detail": {expectText("verdict missed:  # why?"), `
x.txtar:4: the detail is empty; want what the verdict must say, or no colon
    verdict missed:  # why?
                  ^`},
	"long detail": {expectText("verdict missed: " + strings.Repeat("x", 5000)), `
x.txtar:4: the detail has 5000 bytes; want at most 4 KiB
    verdict missed: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
                  ^`},
	"negative nodes": {expectText("graph -1 nodes 2 edges"), `
x.txtar:4: "-1" is not a number of nodes; want a number of nodes from 0 to 100000000
    graph -1 nodes 2 edges
          ^`},
	"zero expectation": {expectText("ideal 0s"), `
x.txtar:4: "0s" is not a positive duration; want more than 0
    ideal 0s
          ^`},
	"long expectation": {expectText("ideal 86401s"), `
x.txtar:4: "86401s" is too long; want at most 24h
    ideal 86401s
          ^`},
	"unfinished header": {schedText("main: host A 1s\n-- exp"), `
x.txtar:3: an unfinished section header; want -- NAME -- alone on its line
    -- exp
    ^`},
	"junk at the end": {expectText("graph 1 node 0 edges or so"), `
x.txtar:4: unexpected "or"; want the end of the line
    graph 1 node 0 edges or so
                         ^`},
	"sync of what": {schedText("sync"), `
x.txtar:2: the line ends too early; want one of event, context
    sync
        ^`},
	"long cycle": {schedText(ring(12)), `
x.txtar:2: a cycle: A after B after C after D after E after F after G after H after (4 more) after A; want an order that ends somewhere
    main: host A 1s after B
                    ^`},
	"long word": {schedText("main: host " + strings.Repeat("x", 65) + " 1s"), `
x.txtar:2: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" is not a name for an op; want a letter or _, then letters, digits, _ - . up to 64 bytes
    main: host xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
               ^`},
}
