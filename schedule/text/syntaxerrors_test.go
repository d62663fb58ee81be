package text

import "strings"

// moreSyntaxErrors goes on with syntaxErrors.
var moreSyntaxErrors = map[string][2]string{
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
x.txtar:3: unexpected "compute"; want one of computation, communication, host, h2d, d2h
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
x.txtar:4: unknown expectation "idael"; want ideal (one of serial, giant, ideal, optimal, scheduled, eager, replay, hides, beats, graph, verdict)
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
x.txtar:4: unknown engine or op "communicatoin"; want communication (one of computation, communication, host, h2d, d2h, compute, link)
    hides communicatoin 1%
          ^`},
	"unknown cause": {expectText("verdict over wide wait: A"), `
x.txtar:4: unknown cause "over wide wait"; want over-wide wait (one of met, bad code, vacuous, wrong graph, missing order, engine clash, over-wide wait, serial by stream, legacy barrier, host sync, order-sensitive, shared exec, environment, launch-bound, engine full, false dependency, contention, hand-off, unprofitable, lost in graph, …)
    verdict over wide wait: A
            ^`},
	"far cause": {expectText("eager verdict slow"), `
x.txtar:4: unknown cause "slow"; want one of met, bad code, vacuous, wrong graph, missing order, engine clash, over-wide wait, serial by stream, legacy barrier, host sync, order-sensitive, shared exec, environment, launch-bound, engine full, false dependency, contention, hand-off, unprofitable, lost in graph, …
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
