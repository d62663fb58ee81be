package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// Every form is read and printed as it was written.
const everyForm = `stream s0 s1
exchange relaxed
exchange 3
s0: info
s0: info without data
s0: info null
s0: capturing
s0: capturing null
s0: computation A 2ms
s0: depend add A
s0: depend set
s0: depend null
s0: depend flags 2 A null
create graph g
s0: begin capture into g
s0: begin capture relaxed into g after A
s0: begin capture -1
s0: begin capture want CUDA_ERROR_INVALID_VALUE
s0: end capture null
s0: end capture h
s0: record e
s0: wait e
sync event e intended
query event e
sync context
s0: query
s0: record e external
s0: wait e external
s0: record e flags 8
s0: wait null flags 9
elapsed e f
elapsed e null
elapsed e f into null
s0: priority
s0: flags
create stream s0 flags 1 priority -5
create stream s0 flags 2
create event e flags 8
s0: call memset-d8
s0: call memset-d8 as M
call mem-alloc
s0: programmatic computation B 2ms
s0: triggering e computation C 2ms sms 20% waves 4
s0: triggering e at start communication D 2ms
s0: completing e computation E 2ms
add to g computation F 2ms after A B
add to g host G 2ms
add to g empty N after F M
add to g child K h
add to g record R e after N
add to g wait W e
add to g memset S
add to g memcpy T after S R
add edges F N N K to g
add edges null F to g
remove edges F N from g
destroy node N
destroy graph g
destroy exec g
disable F in g
enable F in g
instantiate g
upload g s0
instantiate g flags 8
instantiate x from g
s0: replay null
update g from h
list g
list g without data
print g
s0: burst 3000
pause 2ms
destroy event e
destroy stream s0
thread 1
per-thread: computation H 2ms
thread 0
legacy: sync want CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
`

func TestFormsRoundTrip(t *testing.T) {
	c, err := ParseCase("forms.txtar", []byte("why\n\n-- program --\n"+everyForm+"-- expect --\n"))
	require.NoError(t, err)
	assert.Equal(t, "why\n\n-- program --\n"+everyForm+"-- expect --\n", string(c.Format()))
	said := map[string]bool{}
	for _, in := range c.Schedule.Issue {
		form, ok := formOf(&call{Instr: in, args: c.Program().ArgsOf(in)})
		require.True(t, ok)
		said[forms[form].text] = true
	}
	for _, f := range forms {
		assert.Equal(t, f.scope != shown && f.expand == nil, said[f.text], "%s: a form without a line", f.text)
	}
	again, err := ParseCase("forms.txtar", c.Format())
	require.NoError(t, err)
	assert.Equal(t, c.Schedule, again.Schedule)
}

// What the calls become: streams and events that the program creates are not created for it.
func TestFormsProgram(t *testing.T) {
	c, err := ParseCase("forms.txtar", []byte("-- program --\n"+everyForm+"-- expect --\n"))
	require.NoError(t, err)
	p := c.Program()
	var made []string
	for _, in := range p.Setup {
		made = append(made, Describe(p, in))
	}
	assert.Equal(t, []string{"create stream s1", "create event f"}, made)
	last := p.Body[len(p.Body)-1]
	assert.Equal(t, schedule.CaptureImplicit, last.Want)
	assert.Equal(t, int32(1), p.Body[len(p.Body)-2].Thread)
	assert.Equal(t, schedule.PerThread, p.Streams[p.Body[len(p.Body)-2].Stream.Index()].Kind)
}

func TestFormErrors(t *testing.T) {
	for _, row := range []struct{ line, want string }{
		{"s0: depend sat A", `unexpected "sat"; want set (one of add, set, null, flags)`},
		{"s0: call memset", `unknown call "memset"; want memset-d8`},
		{"call memset-d8", `unknown call "memset-d8"`},
		{"exchange relaxd", `unknown mode "relaxd"; want relaxed`},
		{"create graph", "the line ends too early"},
		{"list x", "no instruction captures graph x"},
		{"destroy node X", `unknown node "X"; want an op, or a node that a line above names`},
		{"s9: info", `unknown stream "s9"`},
		{"thread 9", `"9" is not a thread`},
		{"pause 0ms", "not a positive duration"},
		{"elapsed e", "the line ends too early"},
		{"s9: programmatic computation B 2ms", `unknown stream "s9"`},
		{"add to x computation B 2ms", "no instruction captures graph x"},
		{"add", "the line ends too early; want one of to, edges"},
		{"record e", "record needs a stream"},
		{"info", "info needs a stream; want the stream first, as in `main: info ...`"},
		{"s0: pause 1ms", "pause needs no stream; want `pause ...`"},
		{"s0: record e f", `unexpected "f"; want one of external, flags, or ` + "`want CODE` or the end of the line"},
		{"s0: programmatic computation B 2ms starts C 1ms", "starts in such a call; want it in `STREAM: OP`"},
		{"s0: computation B 2ms waves 4", "want it right behind `sms P%`"},
		{"s0: computation B 2ms sms 100% waves 65", "not a number of waves"},
		{"s0: info withot data", "unexpected \"withot\"; want without (one of without, null), or `want CODE` or the end of the line"},
	} {
		t.Run(row.line, func(t *testing.T) {
			_, err := ParseCase("forms.txtar",
				[]byte("-- program --\nstream s0\ns0: computation A 2ms\n"+row.line+"\n-- expect --\n"))
			require.Error(t, err)
			assert.Contains(t, err.Error(), row.want)
			assert.True(t, strings.HasPrefix(err.Error(), "forms.txtar:4:"), err.Error())
		})
	}
}
