package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// recipe writes the n-th block of shell of a page of recipes to a file: recipe slurm.md 1 count.sbatch.
func recipe(ts *testscript.TestScript, args []string) {
	if len(args) != 3 {
		ts.Fatalf("recipe takes a page, the number of a block, and a file")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	block, err := shellBlockOf(ts.Getenv("RECIPES"), args[0], n)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), block, 0o644))
}

// shellBlockOf returns the n-th block of shell of a page in a folder.
func shellBlockOf(dir, page string, n int) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, page))
	if err != nil {
		return nil, err
	}
	blocks := shellBlock.FindAllSubmatch(text, -1)
	if n < 1 || n > len(blocks) {
		return nil, fmt.Errorf("%s has %d blocks of shell, not %d", page, len(blocks), n)
	}
	return blocks[n-1][1], nil
}

// setUp tells a script where files are that are no text, the pages of recipes, and the cluster of .ci/slurm.
func setUp(e *testscript.Env) error {
	for name, path := range map[string]string{"PARQUET": "testdata/parquet", "RECIPES": "recipes"} {
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		e.Setenv(name, path)
	}
	e.Setenv("SLURM_CONF", os.Getenv("SLURM_CONF"))
	return nil
}

// condition is that of [slurm]: there is a cluster to try.
func condition(name string) (bool, error) {
	if name != "slurm" {
		return false, fmt.Errorf("there is no condition %q", name)
	}
	return os.Getenv("TERMSIFT_SLURM") == "1", nil
}
