package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// More threads than documents: every command that counts gives what it gives on one, and takes no more than
// threads take that have nothing to do.
func TestMoreThreadsThanDocuments(t *testing.T) {
	const most = 1 << 30
	places := placesForNumbers(t)
	tried := 0
	for _, c := range (&app{}).tree().Commands() {
		if c.LocalFlags().Lookup("threads") == nil || c.Name() == "bench" {
			continue
		}
		tried++
		line := places(numberLine(c.Name(), "threads")) + " --threads "
		alone, many := printedOrWritten(t, line+"1"), printedOrWritten(t, line+"1000")
		if !bytes.Equal(many, alone) {
			t.Errorf("%s1000: %d bytes that differ from the %d on one thread", line, len(many), len(alone))
		}
		if code, said, allocated := runNumber(t, line+"1000"); code != exitOK || allocated > most {
			t.Errorf("%s: exit code %d, %d MiB are allocated\n%s", line, code, allocated>>20, said)
		}
		for _, number := range []string{"-1", "1025", "1000000000", "1e9", "many"} {
			if code, said, _ := runNumber(t, line+number); code != exitUsage || !strings.Contains(said, "--threads") {
				t.Errorf("%s%s: exit code %d, %s", line, number, code, said)
			}
		}
	}
	if tried < 15 {
		t.Errorf("only %d commands were tried", tried)
	}
}

// printedOrWritten runs a command line and returns what it prints or writes.
func printedOrWritten(t *testing.T, line string) []byte {
	t.Helper()
	args := strings.Fields(line)
	at := slices.Index(args, "-o") + 1
	if at > 0 {
		testkit.OK(os.RemoveAll(args[at]))
	}
	var out, errs bytes.Buffer
	testkit.Equal(testkit.Stop(t), run(t.Context(), args, strings.NewReader(""), &out, &errs), exitOK, line,
		"exit code", &errs)
	if at == 0 {
		return out.Bytes()
	}
	return testkit.Must(os.ReadFile(args[at]))
}
