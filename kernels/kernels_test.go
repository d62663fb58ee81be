package kernels

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// holds says what a module must hold for the CUDA device to use it, and what is missing.
func holds(ptx string) (missing []string) {
	for _, line := range []string{".version 6.3", ".target sm_70"} {
		if !strings.Contains(ptx, line+"\n") {
			missing = append(missing, line)
		}
	}
	for _, name := range Entries {
		body := regexp.MustCompile(`(?s)\.entry ` + name + `\(.*?\n}`).FindString(ptx)
		uses := []string{"%globaltimer", "%smid", "red.min.u64"}
		switch {
		case name == Gate:
			uses = []string{"%globaltimer", "nanosleep.u32", "ld.volatile"}
		case name == StampEnd:
			uses = []string{"%globaltimer", "red.min.u64"}
		case strings.HasSuffix(name, "nanosleep"):
			uses = append(uses, "nanosleep.u32", "bar.sync")
		case strings.HasSuffix(name, Memory):
			uses = append(uses, "ld.global.cs.v4", "bar.sync")
		}
		for _, use := range uses {
			if !strings.Contains(body, use) {
				missing = append(missing, name+" "+use)
			}
		}
	}
	return missing
}

func TestPTX(t *testing.T) {
	assert.Empty(t, holds(PTX))
	assert.NotContains(t, strings.TrimPrefix(PTX, "//"), "//", "comments name the compiler's build")
	for _, part := range []string{".version 6.3\n", "%globaltimer", "nanosleep.u32", ".entry communication_exact(", "ld.volatile", "ld.global.cs.v4"} {
		assert.NotEmpty(t, holds(strings.ReplaceAll(PTX, part, "")), "without %s", part)
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
