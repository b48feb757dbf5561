package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// This file makes the Python of the newest peers: exact versions, in a folder of their own.

//go:embed peers/requirements.txt
var requirements []byte

// installedList is the file of a virtual environment that says what was installed into it.
const installedList = "requirements.txt"

// environment returns the Python of a virtual environment with the packages that
// peers/requirements.txt lists. It makes it, by the first python3 of the path, if the folder is
// missing or has another list.
func environment(ctx context.Context, dir string) (python string) {
	dir = lab.Need(filepath.Abs(dir)) // peers run elsewhere
	python, list := filepath.Join(dir, "bin", "python3"), filepath.Join(dir, installedList)
	have, err := os.ReadFile(list)
	if err == nil && bytes.Equal(have, requirements) {
		return python
	}
	if !errors.Is(err, os.ErrNotExist) {
		lab.Check(err)
	}
	lab.Check(os.MkdirAll(dir, 0o755))
	wanted := filepath.Join(dir, "wanted.txt")
	lab.Check(os.WriteFile(wanted, requirements, 0o644))
	for _, command := range [][]string{{"python3", "-m", "venv", dir}, {python, "-m", "pip", "install", "--quiet", "--requirement", wanted}} {
		if output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			panic(lab.Errorf("the newest peers cannot be installed into %s: %s: %w\n%s", dir, strings.Join(command, " "), err, output))
		}
	}
	lab.Check(os.Rename(wanted, list))
	return python
}

// withoutKernel returns an environment in which OpenBLAS chooses its kernels itself: the variables
// help old versions that do not know a CPU, and slow newer ones down.
func withoutKernel(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(v string) bool {
		return strings.HasPrefix(v, "OPENBLAS_CORETYPE=") || strings.HasPrefix(v, "OPENBLAS_L2_SIZE=")
	})
}
