package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A new verb must say who makes it and what it is called.
func TestVerbsHaveAnEntry(t *testing.T) {
	for v := range NumVerbs {
		assert.NotEmpty(t, v.Call(), "verb %d", v)
		assert.NotEqual(t, noRole, v.Role(), "verb %d, %s: say who makes it", v, v.Call())
		assert.False(t, v.Blocks() && !v.Asks(), "%s: a call in which the host waits looks at work", v.Call())
		assert.False(t, v.Takes() == MayBeNull, "%s: what may be NULL?", v.Call())
	}
	assert.Equal(t, "no call", NumVerbs.Call())
	assert.Equal(t, noRole, NumVerbs.Role())
	assert.True(t, SyncEvent.Blocks() && SyncEvent.Asks())
	assert.True(t, QueryEvent.Asks() && !QueryEvent.Blocks())
	assert.False(t, Launch.Asks() || Replay.Blocks())
}
