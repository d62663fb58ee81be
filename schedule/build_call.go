package schedule

// CallBuilder is a call that was made.
type CallBuilder struct {
	s  *Builder
	at int
}

// Intended says of a call in which the host waits that the intent wants it to: it is not blamed, and a replay is cut
// there into two graphs.
func (c *CallBuilder) Intended() *CallBuilder {
	c = c.ready()
	c.s.here()
	in := &c.s.b.Issue[c.at]
	if !in.Verb.Blocks() {
		c.s.fail("it only of calls in which the host waits", "%s is intended", in.Verb.Call())
	}
	in.Intended = true
	return c
}

// Want is the code that the call must give; without it, success.
func (c *CallBuilder) Want(code Code) *CallBuilder {
	c = c.ready()
	c.s.b.Issue[c.at].Want = code
	return c
}

// ready gives the call itself, or, of none, one of a schedule that nobody gets.
func (c *CallBuilder) ready() *CallBuilder {
	if c == nil || c.s == nil {
		return (*Builder)(nil).SyncContext()
	}
	return c
}
