package garble

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/schedule"
)

// maker makes random values of any type.
type maker struct {
	*rand.Rand
	seeds map[reflect.Type][]reflect.Value // sound values, to spoil copies of
	ctx   context.Context
}

// mostDepth is how deep values are that are made from nothing.
const mostDepth = 6

// sealed are types whose sound values only their packages make; a copy of one is never spoilt, but made from nothing.
var sealed = map[reflect.Type]bool{reflect.TypeFor[calls.View](): true, reflect.TypeFor[*calls.View](): true}

// chance is true once in n.
func (m *maker) chance(n int) bool { return m.IntN(n) == 0 }

// of makes a value.
func (m *maker) of(t reflect.Type, depth int) reflect.Value {
	if seeds := m.seeds[t]; len(seeds) > 0 && !m.chance(3) {
		v := reflect.New(t).Elem()
		if sealed[t] || t.Kind() == reflect.Interface {
			v.Set(seeds[m.IntN(len(seeds))])
			return v
		}
		v.Set(clone(seeds[m.IntN(len(seeds))], 0))
		for range m.IntN(4) {
			m.spoil(v, depth)
		}
		return v
	}
	v := reflect.New(t).Elem()
	if depth <= 0 && t.Kind() != reflect.Interface && t.Kind() != reflect.Func {
		return v
	}
	if special := m.special(t); special.IsValid() {
		v.Set(special)
		return v
	}
	m.fill(v, depth)
	return v
}

// special makes what has no public fields, or stands for the outside.
func (m *maker) special(t reflect.Type) reflect.Value {
	switch t {
	case reflect.TypeFor[schedule.Ref]():
		return reflect.ValueOf([]schedule.Ref{{}, schedule.Null, schedule.At(0), schedule.At(1), schedule.At(2), schedule.At(7),
			schedule.At(math.MaxInt32), schedule.At(math.MaxInt32 - 1)}[m.IntN(8)])
	case reflect.TypeFor[time.Duration]():
		return reflect.ValueOf([]time.Duration{0, 1, -1, time.Microsecond, time.Millisecond, time.Hour, 25 * time.Hour, math.MaxInt64,
			math.MinInt64, math.MaxInt64 / 2, time.Duration(m.IntN(1000))}[m.IntN(11)])
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(&m.ctx).Elem()
	case reflect.TypeFor[io.Writer]():
		return reflect.ValueOf([]io.Writer{io.Discard, failing{}}[m.IntN(2)])
	case reflect.TypeFor[io.Reader]():
		return reflect.ValueOf([]io.Reader{strings.NewReader(m.text()), failing{}}[m.IntN(2)])
	case reflect.TypeFor[error]():
		return reflect.ValueOf(errors.New("garbled"))
	}
	return reflect.Value{}
}

// failing is a file that cannot be read or written.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("garbled") }
func (failing) Read([]byte) (int, error)  { return 0, errors.New("garbled") }

var words = []string{"", "A", "B", "a", "e", "main", "compute", "link", "x\ny", "\x00", "é→", "none", "null", "0", "-1", "2147483647",
	strings.Repeat("long", 40), "computation", "met", "CUDA_SUCCESS", "CUDA_DEVICE_MAX_CONNECTIONS=1", "ideal", "h200", "kernel"}

func (m *maker) text() string {
	if m.chance(4) {
		return words[m.IntN(len(words))] + " " + words[m.IntN(len(words))]
	}
	return words[m.IntN(len(words))]
}

func (m *maker) integer(bits int) int64 {
	switch m.IntN(8) {
	case 0:
		return 1<<(bits-1) - 1
	case 1:
		return -1 << (bits - 1)
	case 2:
		return -int64(m.IntN(5))
	case 3:
		return int64(m.IntN(300))
	}
	return int64(m.IntN(5))
}

// fill makes a value by its kind.
func (m *maker) fill(v reflect.Value, depth int) {
	switch t := v.Type(); t.Kind() {
	case reflect.Bool:
		v.SetBool(m.chance(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(m.integer(t.Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(m.integer(t.Bits())))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1, -1, 2, 50, 101, math.NaN(), math.Inf(1), math.Inf(-1), 1e300}[m.IntN(10)])
	case reflect.String:
		v.SetString(m.text())
	case reflect.Slice:
		if m.chance(3) {
			return
		}
		v.Set(reflect.MakeSlice(t, 0, 0))
		for range m.IntN(4) {
			v.Set(reflect.Append(v, m.of(t.Elem(), depth-1)))
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(m.of(t.Elem(), depth-1))
		}
	case reflect.Map:
		if m.chance(3) {
			return
		}
		v.Set(reflect.MakeMap(t))
		for range m.IntN(3) {
			v.SetMapIndex(m.of(t.Key(), depth-1), m.of(t.Elem(), depth-1))
		}
	case reflect.Pointer:
		if m.chance(5) {
			return
		}
		p := reflect.New(t.Elem())
		p.Elem().Set(m.of(t.Elem(), depth-1))
		v.Set(p)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() && !m.chance(4) {
				v.Field(i).Set(m.of(t.Field(i).Type, depth-1))
			}
		}
	case reflect.Func:
		if m.chance(6) {
			return
		}
		seed := m.Uint64()
		v.Set(reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
			inner := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), ctx: m.ctx}
			for i := range t.NumOut() {
				out = append(out, inner.of(t.Out(i), 2))
			}
			return out
		}))
	}
}

// spoil makes one place of a value anew: somewhere along a random way into it.
func (m *maker) spoil(v reflect.Value, depth int) {
	for range 12 {
		if sealed[v.Type()] {
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || m.chance(12) {
				v.Set(m.of(v.Type(), min(depth, 2)))
				return
			}
			v = v.Elem()
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[schedule.Ref]() || v.NumField() == 0 {
				v.Set(m.of(v.Type(), 1))
				return
			}
			f := v.Field(m.IntN(v.NumField()))
			if !f.CanSet() {
				continue
			}
			v = f
		case reflect.Slice:
			switch {
			case v.Len() == 0 || m.chance(8):
				v.Set(m.of(v.Type(), min(depth, 2)))
				return
			case m.chance(6): // another length
				v.Set(v.Slice(0, m.IntN(v.Len())))
				return
			}
			v = v.Index(m.IntN(v.Len()))
		default:
			if v.CanSet() {
				v.Set(m.of(v.Type(), min(depth, 2)))
			}
			return
		}
	}
}

// clone copies a value as far as its public fields go.
func clone(v reflect.Value, depth int) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	if depth > 12 {
		return out
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(clone(v.Elem(), depth+1))
			out.Set(p)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(clone(v.Field(i), depth+1))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(clone(v.Index(i), depth+1))
			}
		}
	}
	return out
}
