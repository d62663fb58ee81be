package verdict

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestZeroValuesAreMetAndDefault(t *testing.T) {
	assert.True(t, Verdict{}.Met())
	assert.Equal(t, "met", Verdict{}.String())
	assert.Equal(t, "within 2% of ideal", Target{}.String())
	assert.True(t, Verdict{}.Matches(Outcome{}))
	assert.NoError(t, (&Expect{}).Validate(func(string) bool { return false }))
}

func TestCausesHaveWords(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Causes() {
		assert.NotEmpty(t, c.String())
		assert.False(t, seen[c.String()], "%s twice", c)
		seen[c.String()] = true
		text, err := c.MarshalText()
		require.NoError(t, err)
		var back Cause
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, c, back)
	}
	assert.Equal(t, "cause 200", Cause(200).String())
	_, ok := ParseCause("slow")
	assert.False(t, ok)
	var c Cause
	assert.Error(t, c.UnmarshalText([]byte("slow")))
	_, err := numCauses.MarshalText()
	assert.Error(t, err)
}

// The first finding that decides is the verdict; its notes come first, then those of the checks.
func TestOf(t *testing.T) {
	v := Of([]Finding{Note("a"), {Cause: HostSync, Detail: "x", Notes: []string{"own"}}, {Cause: Missed}, Note("b")})
	assert.Equal(t, "host sync: x", v.String())
	assert.Equal(t, []string{"own", "a", "b"}, v.Notes)
	assert.True(t, Of([]Finding{Note("a")}).Met())
	assert.True(t, v.Matches(Outcome{Cause: HostSync}))
	assert.False(t, v.Matches(Outcome{Cause: HostSync, Detail: "y"}))
	assert.False(t, v.Matches(Outcome{}))
}

func TestExpectIsValidated(t *testing.T) {
	for want, e := range map[string]Expect{
		"serial":   {Serial: -time.Second},
		"base":     {Eager: Target{Of: 9}},
		"within":   {Replay: Target{Of: OfIdeal, Percent: math.NaN()}},
		"kinds":    {Hides: []Hides{{What: "nothing"}}},
		"0% to":    {Hides: []Hides{{What: "known", Percent: 101}}},
		"giant by": {Beats: Beats{Percent: -1}},
		"nodes":    {Graph: Size{Nodes: -1}},
		"cause":    {EagerVerdict: &Outcome{Cause: numCauses}},
	} {
		assert.ErrorContains(t, e.Validate(func(name string) bool { return name == "known" }), want)
	}
}
