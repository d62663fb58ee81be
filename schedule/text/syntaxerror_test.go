package text

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func schedText(lines string) string { return "-- schedule --\n" + lines + "\n-- expect --\n" }
func progText(lines string) string  { return "-- program --\n" + lines + "\n-- expect --\n" }
func expectText(lines string) string {
	return "-- schedule --\nmain: host A 1s\n-- expect --\n" + lines + "\n"
}

func TestSyntaxErrors(t *testing.T) {
	all := maps.Clone(syntaxErrors)
	maps.Copy(all, moreSyntaxErrors)
	require.Len(t, all, len(syntaxErrors)+len(moreSyntaxErrors), "a name stands in both")
	for name, tc := range all {
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
		fmt.Fprintf(&b, "main: host %s 3600s\n", schedule.StageName(i))
	}
	return b.String()
}()

// ring is n ops, each after the next, and the last after the first.
func ring(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "main: host %s 1s after %s\n", schedule.StageName(i), schedule.StageName((i+1)%n))
	}
	return b.String()
}

// The text of a case, and the whole message that it gives.
var syntaxErrors = map[string][2]string{
	"unknown verb": {schedText("main: recrod e"), `
x.txtar:2: unknown verb "recrod"; want record (one of computation, communication, host, h2d, d2h, record, wait, fork, join, sync, query)
    main: recrod e
          ^`},
	"far verb": {schedText("main: xyzzy e"), `
x.txtar:2: unknown verb "xyzzy"; want one of computation, communication, host, h2d, d2h, record, wait, fork, join, sync, query
    main: xyzzy e
          ^`},
	"no verb": {schedText("main:  # nothing"), `
x.txtar:2: the line ends too early; want one of computation, communication, host, h2d, d2h, record, wait, fork, join, sync, query
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
x.txtar:2: unexpected "aftre"; want after (one of after, reads, writes, on, sms, bandwidth, starts, want)
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
x.txtar:3: unknown engine "wier"; want wire (one of compute, link, host, h2d, d2h, wire), or ` + "`" + `engine wier` + "`" + `
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
x.txtar:2: unknown mode "locally"; want one of global, thread-local, relaxed
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
x.txtar:2: unknown statement "%&!?"; want one of pipeline, streams, exclusive, kernels, engine, stage, stream, sync, query, repeat, offset, slow, env, or an instruction as ` + "`" + `main: fork a b` + "`" + `
    %&!?
    ^`},
	"unknown statement": {schedText("pipelin 2 microbatches"), `
x.txtar:2: unknown statement "pipelin"; want pipeline (one of pipeline, streams, exclusive, kernels, engine, stage, stream, sync, query, repeat, offset, slow, env), or an instruction as ` + "`" + `main: fork a b` + "`" + `
    pipelin 2 microbatches
    ^`},
	"control character": {schedText("main: host\tA\x01 1s"), `
x.txtar:2: control character 0x1; want text
    main: host  A\x01 1s
                 ^`},
}
