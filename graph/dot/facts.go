package dot

import "fmt"

// Facts is what a dump says of a node beside kind, name and numbers. What is not known is left out of it.
type Facts struct {
	Launch   string // the dimensions with which a kernel is launched, "1,1,0"
	Priority int    // of a kernel
	Copy     *Copy  // of a memcpy node
	Fill     *Fill  // of a memset node
	Bytes    int64  // that a node allocates, from the device's pool
	Write    bool   // a batch of memory operations is one write of 32 bits
}

// Copy is what a memcpy node does.
type Copy struct {
	From, To Memory
	Bytes    int64
}

// Fill is what a memset node does: Height rows of Width elements of Size bytes, Pitch bytes apart, are set to Value.
type Fill struct{ Pitch, Value, Size, Width, Height int64 }

// Memory is where the bytes of a copy are.
type Memory uint8

const (
	DeviceMemory Memory = iota
	PinnedMemory
	PageableMemory
)

var memoryNames = [...]string{"DEVICE (DEVICE)", "HOST (HOST PINNED)", "HOST (HOST PAGEABLE)"}

// letter is the memory's in a word like HtoD.
func (m Memory) letter() byte { return memoryNames[m][0] }

func (c *Copy) way() string { return fmt.Sprintf("%cto%c", c.From.letter(), c.To.letter()) }
