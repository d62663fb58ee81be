package timeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestWriteText(t *testing.T) {
	dense := Timeline{Lanes: []Lane{{Name: "main"}}}
	for i := range mostLabelled + 1 {
		at := time.Duration(i) * 10 * ms
		dense.Lanes[0].Bars = append(dense.Lanes[0].Bars, Bar{Name: "x", Kind: schedule.Kind(i / 20 % 2), Start: at,
			End: at + 10*ms})
	}
	for _, c := range []struct {
		name  string
		tl    Timeline
		width int
		want  string
	}{
		{"the reference", reference(100 * ms), 0, `
mb0 |##A0##|==B0==|##C0##|==D0==|
mb1        |##A1##|==B1==|##C1##|==D1==|
    0ms    100ms  200ms  300ms  400ms  500ms
`},
		{"two microseconds", reference(2 * time.Microsecond), 0, `
mb0 |##A0##|==B0==|##C0##|==D0==|
mb1        |##A1##|==B1==|##C1##|==D1==|
    0us    2us    4us    6us    8us    10us
`},
		{"narrow", reference(100 * ms), 30, `
mb0 |#A0#|=B0=|#C0#|=D0=|
mb1      |#A1#|=B1=|#C1#|=D1=|
    0ms       200ms     400ms
`},
		{"narrower than can be", reference(100 * ms), 1, `
mb0 |#A0#|=B0=|C0#|=D0=|
mb1      |#A1#|B1=|#C1#|=D1=|
    0ms       200ms    400ms
`},
		{"gaps, kinds, an op of no time, a label without room", Timeline{Lanes: []Lane{
			lane("a", "K 0 30, C 40 70, Z 80 80, K_of_a_long_name 90 91"), lane("other", "H 10 60")}}, 60, `
a     |#######K########|     |========C========|     |    ||
other       |~~~~~~~~~~~~~H~~~~~~~~~~~~~~|
      0ms   10ms  20ms 30ms  40ms  50ms  60ms  70ms  80ms
`},
		{"bars that overlap", Timeline{Lanes: []Lane{lane("link", "C1 0 20, C2 10 30, C3 20 40"), lane("compute", "")}}, 60, `
link    |====C1=====|====C3=====|
              |====C2=====|
compute
        0ms   10ms  20ms  30ms  40ms
`},
		{"no bars", Timeline{Lanes: []Lane{{Name: "mb0"}}}, 60, "\nmb0\n    nothing ran\n"},
		{"one bar of no time", Timeline{Lanes: []Lane{lane("a", "K 0 0")}}, 60, "\na |\n  0ns\n"},
		{"a long name", Timeline{Lanes: []Lane{lane(strings.Repeat("x", 30), "K 0 10")}}, 60, `
xxxxxxxxxxxxxxxxxxxxxx.. |###########K###########|
                         0ms  2ms  4ms 6ms  8ms  10ms
`},
		{"many bars", dense, 60, `
main ##########################===========================#
     0ms    50ms  100ms  150ms 200ms  250ms  300ms 350ms
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"), text(t, c.tl, c.width))
		})
	}
	assert.EqualError(t, WriteText(broken{}, reference(ms), 0), "pipe broken")
}

func TestWriteTextManyAtOnce(t *testing.T) {
	l := Lane{Name: "link"}
	for range mostRows + 3 {
		l.Bars = append(l.Bars, Bar{Name: "C", End: ms})
	}
	got := text(t, Timeline{Lanes: []Lane{l}}, 0)
	assert.Equal(t, mostRows, strings.Count(got, "C"))
	assert.Contains(t, got, "and 3 more at the same time")
}

// Whatever the times, no line is wider than asked, a label is whole, and no two labels touch.
func TestWriteTextRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		tl := Timeline{}
		unit := time.Duration(math.Pow(10, float64(r.IntN(14))))
		for l := range 1 + r.IntN(3) {
			ln := Lane{Name: fmt.Sprintf("s%d", l)}
			at := time.Duration(r.IntN(5)) * unit
			for i := range r.IntN(20) {
				end := at + time.Duration(r.IntN(4))*unit
				ln.Bars = append(ln.Bars, Bar{Name: fmt.Sprintf("op%d", i), Kind: schedule.Kind(r.IntN(3)), Start: at,
					End: end})
				at = end + time.Duration(r.IntN(2))*unit
			}
			tl.Lanes = append(tl.Lanes, ln)
		}
		width := 40 + r.IntN(100)
		got := text(t, tl, width)
		for line := range strings.Lines(got) {
			require.LessOrEqual(t, len(line)-1, width, got)
			for _, word := range strings.FieldsFunc(line,
				func(r rune) bool { return strings.ContainsRune(" |#=~\n", r) }) {
				require.Regexp(t, `^(op\d+|s\d|-?[0-9.]+(ns|us|ms|s)|nothing|ran)$`, word, got)
			}
		}
		require.Equal(t, got, text(t, tl, width))
	}
}

func TestScale(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		s := scale{first: time.Duration(r.Int64N(1000)) - 500, width: 1 + r.IntN(200)}
		s.last = s.first + 1 + time.Duration(r.Int64N(1000))
		at := s.first + time.Duration(r.Int64N(int64(s.last-s.first)+1))
		exact := float64(at-s.first) * float64(s.width) / float64(s.last-s.first)
		require.InDelta(t, exact, s.col(at), 0.5+1e-9)
		require.GreaterOrEqual(t, s.col(at+1), s.col(at))
	}
	huge := scale{first: math.MinInt64, last: math.MaxInt64, width: 1000}
	assert.Equal(t, []int{0, 500, 1000}, []int{huge.col(math.MinInt64), huge.col(0), huge.col(math.MaxInt64)})
	assert.Equal(t, 0, scale{}.col(5))

	assert.Equal(t, 50*ms, step(500*ms, 10))
	assert.Equal(t, 100*ms, step(500*ms, 9))
	assert.Equal(t, time.Duration(1), step(0, 0))
	assert.Greater(t, step(math.MaxInt64, 1), time.Duration(0))
	assert.Equal(t, []time.Duration{-5, 0, 5, 10}, []time.Duration{roundUp(-9, 5), roundUp(-4, 5), roundUp(5, 5),
		roundUp(6, 5)})

	for d, want := range map[time.Duration]string{0: "0ns", 999: "999ns", 1000: "1us", 1500: "1.5us",
		104_562_300:     "104.5623ms",
		2 * time.Second: "2s", time.Hour + 1: "3600.000000001s", -1500: "-1.5us", -1_000_500: "-1.0005ms"} {
		assert.Equal(t, want, human(d))
	}
	assert.Equal(t, "-0.5", decimal(-500, time.Microsecond))
}
