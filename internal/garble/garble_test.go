package garble

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
)

var (
	many = flag.Int("garble.n", 4000, "how many calls with random values")
	seed = flag.Uint64("garble.seed", 1, "of the random values")
	only = flag.String("garble.only", "", "call only what has this in its name")
)

// limit is how long a call may take, and how long after the end of its context.
const limit = time.Second

// target is a public function or method.
type target struct {
	name    string
	prepare func(m *maker) (call func()) // with random arguments
}

// targets are all of them, by name.
func targets() (list []target) {
	for name, f := range functions {
		fn := reflect.ValueOf(f)
		list = append(list, target{name, func(m *maker) func() {
			args := m.arguments(fn.Type(), 0)
			return func() { fn.Call(args) }
		}})
	}
	for name, t := range types {
		for i := range reflect.PointerTo(t).NumMethod() {
			method := reflect.PointerTo(t).Method(i)
			full := name + "." + method.Name
			if leftOut[full] != "" {
				continue
			}
			list = append(list, target{full, func(m *maker) func() {
				receiver := reflect.New(t)
				receiver.Elem().Set(m.of(t, mostDepth))
				args := append([]reflect.Value{receiver}, m.arguments(method.Type, 1)...)
				return func() { method.Func.Call(args) }
			}})
		}
	}
	slices.SortFunc(list, func(a, b target) int { return strings.Compare(a.name, b.name) })
	return append(list, devices...)
}

// devices are what a device does with a program: the methods of interfaces.
var devices = []target{
	{"gpu.Device", func(m *maker) func() {
		dev, p, reps := m.device(), m.program(), int(m.integer(32))
		return func() {
			run, err := dev.Prepare(m.ctx, p)
			if err != nil {
				return
			}
			run.Rep(m.ctx)
			dev.Sample(m.ctx, []gpu.Run{run, run}, reps)
			run.Close()
		}
	}},
	{"gpu.Tracer", func(m *maker) func() {
		dev, p := m.device(), m.program()
		return func() { dev.(gpu.Tracer).Trace(m.ctx, p) }
	}},
}

// device is one of the sound ones, or one of a garbled machine.
func (m *maker) device() gpu.Device {
	if m.chance(4) {
		return sim.Open(m.of(reflect.TypeFor[sim.Machine](), mostDepth).Interface().(sim.Machine))
	}
	list := m.seeds[reflect.TypeFor[gpu.Device]()]
	return list[m.IntN(len(list))].Interface().(gpu.Device)
}

func (m *maker) program() *schedule.Program {
	return m.of(reflect.TypeFor[*schedule.Program](), mostDepth).Interface().(*schedule.Program)
}

// arguments are random ones of a function, from the nth on.
func (m *maker) arguments(t reflect.Type, nth int) (args []reflect.Value) {
	for i := nth; i < t.NumIn(); i++ {
		if t.IsVariadic() && i == t.NumIn()-1 {
			for range m.IntN(3) {
				args = append(args, m.of(t.In(i).Elem(), mostDepth))
			}
			break
		}
		args = append(args, m.of(t.In(i), mostDepth))
	}
	return args
}

func TestGarbage(t *testing.T) {
	list := slices.DeleteFunc(targets(), func(x target) bool { return !strings.Contains(x.name, *only) })
	require.NotEmpty(t, list)
	sound := seeds(t)
	seen := map[string]int{}
	for i := range *many {
		x := list[i%len(list)]
		if i >= len(list) && strings.HasPrefix(x.name, "graph/draw.") && i/len(list)%20 != 0 { // a picture takes a while
			continue
		}
		fault := x.try(sound, *seed, uint64(i))
		if fault == "" {
			continue
		}
		if seen[x.name]++; seen[x.name] <= 2 {
			t.Errorf("%s: -garble.only %s -garble.seed %d, call %d: %s", x.name, x.name, *seed, i, fault)
		}
	}
}

// try makes one call, and gives what is wrong with how it ended.
func (x target) try(sound map[reflect.Type][]reflect.Value, seed, i uint64) (fault string) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if i%5 == 0 {
		cancel()
	}
	m := &maker{Rand: rand.New(rand.NewPCG(seed, i)), seeds: sound, ctx: ctx}
	hung := time.AfterFunc(20*limit, func() {
		debug.SetTraceback("all")
		panic(fmt.Sprintf("%s hangs: seed %d, call %d", x.name, seed, i))
	})
	defer hung.Stop()
	call := x.prepare(m)
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprintf("panic: %v\n%s", r, where(string(debug.Stack())))
		} else if took := time.Since(start); took > limit {
			fault = fmt.Sprintf("took %v", took)
		}
	}()
	call()
	return ""
}

// where are the lines of a stack below the panic, as far as they are this module's.
func where(stack string) string {
	_, stack, _ = strings.Cut(stack, "\npanic(")
	var lines []string
	for line := range strings.Lines(stack) {
		if strings.Contains(line, ".go:") && !strings.Contains(line, "/src/runtime/") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines[:min(len(lines), 5)], "\n")
}

// The check itself finds what it is there to find.
func TestFinds(t *testing.T) {
	panics := target{"x", func(*maker) func() { return func() { panic("garbled") } }}
	assert.Contains(t, panics.try(nil, 1, 1), "panic: garbled")
	slow := target{"x", func(*maker) func() { return func() { time.Sleep(limit + limit/100) } }}
	assert.Contains(t, slow.try(nil, 1, 1), "took 1.")
	sound := target{"x", func(*maker) func() { return func() {} }}
	assert.Empty(t, sound.try(nil, 1, 1))
}
