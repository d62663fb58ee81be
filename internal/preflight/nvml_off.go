//go:build !gpu || !cgo

package preflight

func look(string) (*GPU, []string) {
	return nil, []string{"the GPU: this binary was built without the tag gpu"}
}
