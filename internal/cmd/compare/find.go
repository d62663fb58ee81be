package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// buildCpp compiles the C++ peer for the GPU in hand and gives the path of the program.
func buildCpp(ctx context.Context, source, dir string) (string, error) {
	nvcc, err := findNvcc()
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "peer")
	out, err := exec.CommandContext(ctx, nvcc, "-arch=native", "-O3", "-std=c++17", "-o", program,
		source).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s does not build: %w: %s", source, err, strings.TrimSpace(string(out)))
	}
	return program, nil
}

// errNoNvcc is a reason to leave the C++ peer out; a peer that does not build is an error.
var errNoNvcc = errors.New("no nvcc on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin: install the CUDA toolkit")

func findNvcc() (string, error) {
	if path, err := exec.LookPath("nvcc"); err == nil {
		return path, nil
	}
	for _, home := range []string{os.Getenv("CUDA_HOME"), "/usr/local/cuda"} {
		if home == "" {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(home, "bin", "nvcc")); err == nil {
			return path, nil
		}
	}
	return "", errNoNvcc
}

// errNoTorch is a reason to leave the PyTorch peer out.
var errNoTorch = errors.New("no PyTorch with CUDA")

// checkTorch says whether python can import PyTorch and PyTorch sees a GPU.
func checkTorch(ctx context.Context, python string) error {
	const question = "import torch, sys; sys.exit(0 if torch.cuda.is_available() else 'torch sees no CUDA device')"
	out, err := exec.CommandContext(ctx, python, "-c", question).CombinedOutput()
	if err == nil {
		return nil
	}
	words := lastLine(string(out))
	if words == "" {
		words = err.Error()
	}
	return fmt.Errorf("%w: %s -c 'import torch': %s", errNoTorch, python, words)
}
