package schedule

// OpBuilder is an op that was issued: what its methods say of it belongs to the intent.
type OpBuilder struct {
	s    *Builder
	id   int32
	call int
}

// ready gives the op itself, or, of none, one of a schedule that nobody gets.
func (o *OpBuilder) ready() *OpBuilder {
	if o == nil || o.s == nil {
		return (*Builder)(nil).Main().Computation("none", 1)
	}
	return o
}

func (o *OpBuilder) op() *Op { return &o.s.b.Intent.Ops[o.id] }

// After says which ops must have ended before this one starts. That is what is wanted: it is judged, and imposes
// nothing.
func (o *OpBuilder) After(ops ...*OpBuilder) *OpBuilder {
	o = o.ready()
	for _, before := range ops {
		if before == nil || before.s != o.s {
			o.s.here()
			o.s.fail("one of this schedule", "op %s: after an op of another schedule, or none", o.op().Name)
			return o
		}
		o.op().After = append(o.op().After, before.id)
	}
	return o
}

// Reads names buffers that the op reads. Two ops that touch a buffer, one of them writing, must be ordered.
func (o *OpBuilder) Reads(buffers ...string) *OpBuilder {
	o = o.ready()
	o.op().Reads = append(o.op().Reads, o.s.bufferIDs(buffers)...)
	return o
}

// Writes names buffers that the op writes.
func (o *OpBuilder) Writes(buffers ...string) *OpBuilder {
	o = o.ready()
	o.op().Writes = append(o.op().Writes, o.s.bufferIDs(buffers)...)
	return o
}

func (s *Builder) bufferIDs(names []string) (ids []int32) {
	for _, name := range names {
		id, ok := s.buffers[name]
		if !ok {
			id = int32(len(s.b.Intent.Buffers))
			s.buffers[name] = id
			s.b.Intent.Buffers = append(s.b.Intent.Buffers, name)
		}
		ids = append(ids, id)
	}
	return ids
}

// On puts the op on another engine than its kind's: a built-in one, or one that Engine declares.
func (o *OpBuilder) On(engine string) *OpBuilder {
	o = o.ready()
	o.s.ops[o.id] = engine
	return o
}

// SMs is how many per cent of the device's SMs the grid of a kernel holds, from 1 to 100.
func (o *OpBuilder) SMs(percent int) *OpBuilder {
	o = o.ready()
	o.share("sms", percent)
	o.op().SMs = int32(percent)
	return o
}

// Bandwidth is how many per cent of the memory bandwidth a kernel needs to last no longer than it does alone, from 1 to
// 100.
func (o *OpBuilder) Bandwidth(percent int) *OpBuilder {
	o = o.ready()
	o.share("bandwidth", percent)
	o.op().Bandwidth = int32(percent)
	return o
}

func (o *OpBuilder) share(what string, percent int) {
	if percent < 1 || percent > 100 {
		o.s.here()
		o.s.fail("1 to 100", "op %s: %s %d%%", o.op().Name, what, percent)
	}
}

// Pageable makes a copy one from or to pageable memory of the host.
func (o *OpBuilder) Pageable() *OpBuilder {
	o = o.ready()
	o.op().Pageable = true
	return o
}

// Want is the code that the call which issues the op must give; without it, success.
func (o *OpBuilder) Want(code Code) *OpBuilder {
	o = o.ready()
	o.s.b.Issue[o.call].Want = code
	return o
}
