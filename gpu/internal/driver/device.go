//go:build gpu && cgo

package driver

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/gpu-overlap/overlap/kernels"
	"github.com/gpu-overlap/overlap/schedule"
)

// Device is one GPU. Find names it, Start makes its context.
type Device struct {
	Name   string
	UUID   string // hex
	SMs    int
	Driver string // "580.159.04 (CUDA 13.0)"

	dev     cu.Device
	context cu.CUContext
	kernels map[string]Func
	scrap   Address // the slot that warming stamps

	shared, threads int                // the most of a block, and of an SM
	buffer          Address            // that kernels read to use bandwidth; 0 until one does
	rates           map[reader]float64 // words a nanosecond
}

// Find loads the driver and finds a device by ordinal; it makes no context. The error says whether there is no driver,
// an old one, or no such device.
func Find(ordinal int) (*Device, error) {
	if err := Load(); err != nil {
		return nil, err
	}
	if code := Init(); code != schedule.Success {
		return nil, fmt.Errorf("%w: cuInit gave %s", ErrNoDevice, code)
	}
	n, err := cu.NumDevices()
	if err != nil || ordinal < 0 || ordinal >= n {
		return nil, fmt.Errorf("%w %d: the driver shows %d", ErrNoDevice, ordinal, n)
	}
	d := &Device{Driver: driverVersion()}
	if d.dev, err = cu.GetDevice(ordinal); err != nil {
		return nil, failure("cuDeviceGet", err)
	}
	if d.Name, err = d.dev.Name(); err != nil {
		return nil, failure("cuDeviceGetName", err)
	}
	if d.SMs, err = d.dev.Attribute(cu.MultiprocessorCount); err != nil {
		return nil, failure("cuDeviceGetAttribute", err)
	}
	id, err := d.dev.UUID()
	d.UUID = hex.EncodeToString(id[:])
	return d, failure("cuDeviceGetUuid", err)
}

// Start makes a context on the calling thread, and loads and launches every kernel once.
func (d *Device) Start() (err error) {
	if d.context, err = d.dev.MakeContext(cu.SchedSpin); err != nil {
		return failure("cuCtxCreate", err)
	}
	module, err := cu.LoadData(kernels.PTX)
	if err != nil {
		return failure("cuModuleLoadData", err)
	}
	if d.scrap, err = d.Alloc(kernels.SlotSize); err != nil {
		return err
	}
	d.kernels, d.rates = map[string]Func{}, map[reader]float64{}
	if d.shared, d.threads, err = limits(int(d.dev)); err != nil {
		return err
	}
	for _, name := range kernels.Entries {
		f, err := module.Function(name)
		if err != nil {
			return failure("cuModuleGetFunction", err)
		}
		d.kernels[name] = Func(*(*unsafe.Pointer)(unsafe.Pointer(&f))) // cu.Function is its handle, unexported
		if err := allowShared(d.kernels[name], d.shared); err != nil {
			return err
		}
		if err := d.Warm(d.kernels[name], nil); err != nil {
			return err
		}
	}
	return nil
}

// Kernel gives a kernel by its name in package kernels.
func (d *Device) Kernel(name string) Func { return d.kernels[name] }

// Warm runs a kernel of 0 ns on a stream, nil being the legacy stream, and waits for it.
func (d *Device) Warm(f Func, stream unsafe.Pointer) error {
	return check("a first launch", warm(f, d.scrap, stream))
}

// WarmStream does so on a stream of a program.
func (d *Device) WarmStream(p *Program, stream int32) error {
	return d.Warm(d.kernels[kernels.Entries[0]], unsafe.Pointer(p.stream(stream)))
}

// Alloc allocates device memory.
func (d *Device) Alloc(bytes int) (Address, error) {
	at, err := cu.MemAlloc(int64(bytes))
	return Address(at), failure("cuMemAlloc", err)
}

// Free frees device memory.
func (d *Device) Free(at Address) error { return failure("cuMemFree", cu.MemFree(cu.DevicePtr(at))) }

// Close destroys the context and all that lives in it.
func (d *Device) Close() error { return failure("cuCtxDestroy", d.context.Destroy()) }

// failure turns an error of cu, whose type is unexported but is the code, into a Failure.
func failure(call string, err error) error {
	if err == nil {
		return nil
	}
	if v := reflect.ValueOf(err); v.Kind() == reflect.Int {
		return &Failure{call, schedule.Code(v.Int())}
	}
	return errors.New(call + ": " + err.Error())
}

var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// driverVersion is the kernel module's version, where it tells, and the version of CUDA that the driver speaks.
func driverVersion() string {
	v := cu.Version()
	api := fmt.Sprintf("CUDA %d.%d", v/1000, v%1000/10)
	text, err := os.ReadFile("/proc/driver/nvidia/version")
	if number := versionNumber.Find(text); err == nil && number != nil {
		return fmt.Sprintf("%s (%s)", number, api)
	}
	return api
}
