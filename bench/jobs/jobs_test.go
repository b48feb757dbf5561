package main

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A job fails if it takes longer than its limit, and only then.
func TestJudge(t *testing.T) {
	base := []float64{100, 101, 99, 100, 102, 98, 100, 101, 99}
	for _, c := range []struct {
		factor, limit float64
		slower        bool
		says          string
	}{
		{1.2, 1.15, true, "SLOWER"},
		{1.2, 1.5, false, "1.200"},
		{1.1, 1.15, false, "1.100"},
		{0.5, 1.15, false, "0.500"},
		{1, 0.9, false, "no difference"},
	} {
		head := slices.Clone(base)
		for i := range head {
			head[i] *= c.factor
		}
		var out strings.Builder
		err := judge([]times{{job: job{name: "work", limit: c.limit}, of: [2][]float64{base, head}}}, &out)
		if errors.Is(err, errSlower) != c.slower || !strings.Contains(out.String(), c.says) {
			t.Errorf("%+v: %v\n%s", c, err, out.String())
		}
	}
}

// Every job has a name of its own, a limit, and something to check.
func TestJobs(t *testing.T) {
	seen := map[string]bool{}
	for _, j := range jobs {
		if seen[j.name] || j.limit < usual || (j.args == "") == (j.python == "") || j.want == "" && j.lines == nil {
			t.Errorf("%+v", j)
		}
		regexp.MustCompile(j.want)
		seen[j.name] = true
	}
	testkit.Equal(t, len(chosenJobs(regexp.MustCompile("^page$"), io.Discard)), 1)
}
