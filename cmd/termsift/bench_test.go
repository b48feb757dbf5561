package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/usage"
)

func TestBenchThreads(t *testing.T) {
	for _, c := range []struct {
		asked []int
		isSet bool
		procs int
		want  []int
	}{
		{nil, false, 1, []int{1}},
		{nil, false, 2, []int{1, 2}},
		{nil, false, 6, []int{1, 2, 4, 6}},
		{nil, false, 8, []int{1, 2, 4, 8}},
		{[]int{4, 1, 4, 2}, true, 8, []int{1, 2, 4}},
		{[]int{3}, true, 2, []int{3}},
		{[]int{1024}, true, 2, []int{1024}},
		{[]int{}, true, 2, nil},
		{[]int{1, 0}, true, 2, nil},
		{[]int{-2}, true, 2, nil},
		{[]int{1025}, true, 2, nil},
	} {
		got, err := benchThreads(c.asked, c.isSet, c.procs)
		if !slices.Equal(got, c.want) || (err != nil) != (c.want == nil) || err != nil && usage.ExitCode(err) != exitUsage {
			t.Errorf("%v of %d: %v, %v; want %v", c.asked, c.procs, got, err, c.want)
		}
	}
}

const benchText = `{"labels":["a"],"text":"one two three"}
{"labels":["b"],"text":"one four five"}
`

// benchFile returns the path of a small file.
func benchFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.jsonl")
	testkit.OK(os.WriteFile(path, []byte(benchText), 0o600))
	return path
}

// The JSON has the facts, and the rows of all stages with their numbers.
func TestBenchJSON(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"bench", benchFile(t), "--rounds", "1", "--threads", "1,2", "--format", "json"}
	testkit.Equal(testkit.Stop(t), run(t.Context(), args, nil, &out, &errs), exitOK, "exit code", errs.String())
	var object struct {
		Schema, Documents, Terms, Rounds int
		Kernels                          string
		Longest                          *float64 `json:"longest_of_all"`
		Rows                             []struct {
			Stage   string
			Threads int
			Seconds float64
		}
	}
	testkit.Is(testkit.Stop(t), json.Unmarshal(out.Bytes(), &object), nil, out.String())
	if object.Schema != tables.Schema || object.Documents != 2 || object.Terms != 5 || object.Rounds != 1 ||
		object.Kernels == "" || object.Longest == nil {
		t.Errorf("%+v", object)
	}
	var names []string
	for _, r := range object.Rows {
		names = append(names, r.Stage)
		if r.Threads < 1 || r.Threads > 2 || r.Seconds <= 0 {
			t.Errorf("%+v", r)
		}
	}
	want := "read read build build count count score chi score chi score ig score ig score ttest score ttest select select svmlight svmlight all all"
	testkit.Equal(t, strings.Join(names, " "), want, "stages")
}

// A measurement of many rounds can be interrupted.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"bench", benchFile(t), "--rounds", "1000"}, nil, &out, &errs)
	if code != exitInterrupted || out.Len() > 0 {
		t.Errorf("exit code %d: %s%s", code, out.String(), errs.String())
	}
}
