package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
)

// Every flag of a whole number has a largest value, or takes no memory.
func TestCountsHaveLimits(t *testing.T) {
	tried := 0
	for _, c := range (&app{}).tree().Commands() {
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flag.Value.Type() != "int" {
				return
			}
			most := flags.Of(flag).Most
			switch most {
			case 0:
				t.Errorf("%s --%s has no largest value", c.Name(), flag.Name)
				return
			case flags.Unlimited:
				return
			}
			args := []string{"one", "two"}
			for _, value := range []string{strconv.Itoa(most + 1), "2147483647", "1000000000000000", "99999999999999999999"} {
				said := termsift(t, exitUsage, slices.Concat([]string{c.Name(), "--" + flag.Name, value}, args)...)
				testkit.Contains(t, said, fmt.Sprintf("--%s can be %d at most, not %s", flag.Name, most, value),
					c.Name(), "--", flag.Name, value)
				tried++
			}
		})
	}
	if tried < 80 {
		t.Errorf("%d were tried", tried)
	}
}

// The largest values, and numbers that are not bounded, end in little time.
func TestLargeCountsEnd(t *testing.T) {
	dir := t.TempDir()
	index := generatedIndex(t, "-documents", "50", "-length", "5", "-classes", "3")
	large := strconv.Itoa(1<<31 - 1)
	for _, line := range []string{
		"score --top " + large, "select -k " + large, "select --per-document " + large, "select --per-class -k " + large,
		"select --round-robin -k " + large, "select --by mrmr -k " + large, "compare -k " + large, "compare --only " + large,
		"project -k " + large, "project --top " + large, "stability --bootstrap 2 -k " + large,
		"evaluate --folds 2 --classifier knn:k=" + large, "evaluate --folds 2 -k " + large,
		"score --threads 1024", "select -k 5 --threads 1024", "stability -k 5 --bootstrap 100 --threads 1024",
		"score --permutations 10 --threads 1024", "evaluate --folds 2 --threads 1024", "project --threads 1024",
		"index --stats-only --threads 1024 -o " + filepath.Join(dir, "x.stats"),
	} {
		var out, errs bytes.Buffer
		testkit.Equal(t, run(t.Context(), append(strings.Fields(line), index), strings.NewReader(""), &out, &errs),
			exitOK, line, "exit code", errs.String())
	}
}
