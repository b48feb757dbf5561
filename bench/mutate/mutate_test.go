package main

import (
	"bytes"
	"strings"
	"testing"
)

// What the calls of a file look like: lines stay, constants do not change.
func TestRewrite(t *testing.T) {
	s, err := load(t.Context(), "./testdata/sample")
	if err != nil {
		t.Fatal(err)
	}
	r := &rewriter{source: s}
	got := r.rewrite(s.files[0], s.texts[0])
	for _, want := range []string{
		"const limit = 2 + 1\n",
		"for i := 0; mutantAtMost(2, i , n); i++ {\n",
		"if mutantAnd(4, skip != nil , func() bool { return ( skip(i)) }) {\n",
		"if mutantDo(5) { continue }\n",
		"if mutantDo(3) { sum += mutantTimes(6, i , limit) }\n",
		"if mutantDo(1) { *calls++ }\n",
		"return mutantNot(7, (mutantMore(8, x , 1))) }\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Count(got, "\n") != bytes.Count(s.texts[0], []byte("\n")) {
		t.Error("lines moved")
	}
	r = &rewriter{source: s, skipped: map[string]bool{lineOf(r.changes[0].place): true}}
	if got := r.rewrite(s.files[0], s.texts[0]); !strings.Contains(got, "\t*calls++\n") || len(r.changes) != 7 {
		t.Errorf("a line that is skipped: %d changes\n%s", len(r.changes), got)
	}
}

// A campaign lists the changes that the sample's test does not notice.
func TestMutate(t *testing.T) {
	var out bytes.Buffer
	if err := mutate(t.Context(), &out, "./testdata/sample", options{}); err != nil {
		t.Fatal(err)
	}
	const path = "github.com/termsift/termsift/bench/mutate/testdata/sample"
	want := strings.ReplaceAll(`PATH sample.go:14:2: *calls++: taken out: no test notices
PATH sample.go:19:38: !(x > 1): without !: no test comes here
PATH sample.go:19:40: x > 1: > is >=: no test comes here
PATH: 8 of 8 changes tried: 5 noticed, 1 survived, 2 where no test comes
`, "PATH", path)
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
