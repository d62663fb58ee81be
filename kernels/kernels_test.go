package kernels

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// needs is what a kernel must hold for the CUDA device to use it.
func needs(name string) []string {
	stamps := []string{"%globaltimer", "%smid", "red.min.u64", "st.volatile"}
	holds := append(stamps, "bar.sync", ".maxntid 1024")
	switch {
	case name == Gate:
		return []string{"%globaltimer", "nanosleep.u32", "ld.volatile"}
	case name == StampBegin:
		return stamps
	case name == StampEnd:
		return []string{"%globaltimer", "red.min.u64", "st.volatile"}
	case strings.HasSuffix(name, Memory):
		return append(holds, "ld.global.cs.v4")
	case strings.HasSuffix(name, "nanosleep"):
		return append(holds, ".minnctapersm 2", "nanosleep.u32")
	}
	return append(holds, ".minnctapersm 2")
}

// holds says what a module must hold, and what is missing.
func holds(ptx string) (missing []string) {
	for _, line := range []string{".version 6.3", ".target sm_70"} {
		if !strings.Contains(ptx, line+"\n") {
			missing = append(missing, line)
		}
	}
	for _, name := range Entries {
		for _, need := range needs(name) {
			if !strings.Contains(body(ptx, name), need) {
				missing = append(missing, name+" "+need)
			}
		}
	}
	return missing
}

// body is the text of a kernel.
func body(ptx, name string) string {
	return regexp.MustCompile(`(?s)\.entry ` + name + `\(.*?\n}`).FindString(ptx)
}

func TestPTX(t *testing.T) {
	assert.Empty(t, holds(PTX))
	assert.NotContains(t, strings.TrimPrefix(PTX, "//"), "//", "comments name the compiler's build")
	for _, line := range []string{".version 6.3", ".target sm_70"} {
		assert.Equal(t, []string{line}, holds(strings.ReplaceAll(PTX, line+"\n", "")))
	}
	for _, name := range Entries {
		whole := body(PTX, name)
		for _, need := range needs(name) {
			without := strings.Replace(PTX, whole, strings.ReplaceAll(whole, need, ""), 1)
			assert.Equal(t, []string{name + " " + need}, holds(without))
		}
	}
}

func TestReadStamp(t *testing.T) {
	poisoned := bytes.Repeat([]byte{Poison}, SlotSize)
	_, ok := ReadStamp(poisoned)
	assert.False(t, ok, "a launch that did not happen")

	started := bytes.Clone(poisoned)
	binary.LittleEndian.PutUint64(started, 1000)
	_, ok = ReadStamp(started)
	assert.False(t, ok, "a launch that did not end")

	ended := bytes.Clone(started)
	binary.LittleEndian.PutUint64(ended[8:], ^uint64(3000))
	binary.LittleEndian.PutUint32(ended[16:], 7)
	s, ok := ReadStamp(ended)
	assert.True(t, ok)
	assert.Equal(t, Stamp{Start: 1000, End: 3000, SM: 7}, s)
}
