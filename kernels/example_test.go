package kernels_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/kernels"
)

// A kernel leaves a stamp in its slot. A launch that did not happen leaves the slot as it was.
func Example() {
	name := kernels.Name("computation", "exact")
	fmt.Println(name, strings.Contains(kernels.PTX, ".entry "+name+"("))

	slot := bytes.Repeat([]byte{kernels.Poison}, kernels.SlotSize)
	_, ran := kernels.ReadStamp(slot)
	fmt.Println("ran:", ran)

	binary.LittleEndian.PutUint64(slot, 1000)              // as the first block that starts does,
	binary.LittleEndian.PutUint64(slot[8:], ^uint64(3000)) // and the last that ends
	stamp, ran := kernels.ReadStamp(slot)
	fmt.Println("ran:", ran, "from", stamp.Start, "to", stamp.End)
	// Output:
	// computation_exact true
	// ran: false
	// ran: true from 1000 to 3000
}
