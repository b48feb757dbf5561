package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
)

// demoOutput is what the demo prints, with # for times, which differ from run to run.
func demoOutput(t *testing.T) (printed, masked string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"demo"}, strings.NewReader(""), &out, &errs); code != exitOK || errs.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	return out.String(), regexp.MustCompile(` +[0-9.]+ ms`).ReplaceAllString(out.String(), "    # ms")
}

func TestDemoPrintsWhatItAlwaysDid(t *testing.T) {
	_, got := demoOutput(t)
	golden := filepath.Join("testdata", "demo.golden")
	if *update {
		testkit.Write(golden, got)
	}
	want := testkit.Must(os.ReadFile(golden))
	testkit.Equal(testkit.Stop(t), got, string(want), "the demo prints something else (go test -update rewrites it)")
}

func TestDemoFitsATerminal(t *testing.T) {
	printed, _ := demoOutput(t)
	if n := strings.Count(printed, "\n"); n < 24 || n > 42 {
		t.Errorf("%d lines, not 24 to 42", n)
	}
	for _, took := range regexp.MustCompile(`([0-9.]+) ms`).FindAllStringSubmatch(printed, -1) {
		testkit.Equal(t, len(took[1]) <= 4, true, took[1], "is wider than its column")
	}
	for line := range strings.Lines(printed) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
