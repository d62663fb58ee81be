//go:build !gpu || !cgo

package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenCUDAWithoutTheTag(t *testing.T) {
	device, err := OpenCUDA(t.Context(), Options{})
	assert.Nil(t, device)
	var why *Unavailable
	require.ErrorAs(t, err, &why)
	assert.Equal(t, "this binary was built without the tag gpu", why.What)
}
