package schedule

import "fmt"

// builder appends calls to a schedule. Pipelines, chains and Builder issue through it.
type builder struct {
	Schedule
	done         map[int32]int32 // the event recorded after an op
	forks, joins int
	line         int32 // of the calls that are added; 0: that of the op
	kernel       Kernel
}

// begin makes a builder of a schedule of that name, with main as its only stream.
func begin(name, file string) builder {
	return builder{Schedule: Schedule{Name: name, File: file, Streams: []Stream{{Name: mainName, Kind: Legacy}}}}
}

func (b *builder) stream(name string) int32 {
	b.Streams = append(b.Streams, Stream{Name: name, Kind: NonBlocking})
	return int32(len(b.Streams) - 1)
}

func (b *builder) event(name string) int32 {
	b.Events = append(b.Events, name)
	return int32(len(b.Events) - 1)
}

func (b *builder) add(v Verb, stream, event, op int32) {
	in := Instr{Verb: v, Stream: At(stream), Event: At(event), Op: At(op), Line: b.line}
	if op != None && b.line == 0 {
		in.Line = b.Intent.Ops[op].Line
	}
	b.Issue = append(b.Issue, in)
}

func (b *builder) fork(origin int32, streams []int32) (event int32) {
	b.forks++
	e := b.event(fmt.Sprintf("fork%d", b.forks))
	b.add(Record, origin, e, None)
	for _, s := range streams {
		b.add(Wait, s, e, None)
	}
	return e
}

func (b *builder) join(origin int32, streams []int32) {
	for _, s := range streams {
		b.joins++
		e := b.event(fmt.Sprintf("join%d", b.joins))
		b.add(Record, s, e, None)
		b.add(Wait, origin, e, None)
	}
}

func (b *builder) launch(stream, op int32) {
	b.add(b.Intent.Ops[op].Kind.Verb(), stream, None, op)
}

func (b *builder) record(stream, op int32) {
	if b.done == nil {
		b.done = map[int32]int32{}
	}
	e := b.event(b.Intent.Ops[op].Name + ".done")
	b.done[op] = e
	b.add(Record, stream, e, None)
}

func (b *builder) wait(stream, op int32) { b.add(Wait, stream, b.done[op], None) }
