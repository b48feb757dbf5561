package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
)

// largeNumbers returns values that nobody means, in the forms that a flag takes.
func largeNumbers(kind string) []string {
	switch kind {
	case "float", "float64":
		return []string{"1e18", "1e308"}
	case "uint64":
		return []string{"9223372036854775807", "18446744073709551615"}
	case "string":
		return []string{"2147483648", "9223372036854775807", "1e18"}
	}
	return []string{"2147483648", "1000000000000000000", "9223372036854775807"}
}

// numberFlags are the flags of text that have a number in them, with the text around it.
var numberFlags = map[string][]string{
	"by":         {"best-terms:p=%s", "project:alpha=%s", "project:base=%s"},
	"classifier": {"svm:sweeps=%s", "svm:c=%s", "svm:positive=%s", "svm:eps=%s", "svm:bias=%s", "knn:k=%s", "knn:folds=%s", "centroid:folds=%s", "nb:alpha=%s"},
	"max-df":     {"%s"},
	"max-memory": {"%sMiB"},
	"min-df":     {"%s"},
	"ngrams":     {"%s", "1-%s", "%s-%[1]s"},
	"number":     {"%s", "3,%s"},
	"try":        {"3,%s"},
}

// numberLines are command lines that run on a small corpus, to which a flag is added: those
// of a command, or of a flag of a command that needs others.
var numberLines = map[string]string{
	"bench":                       "bench INDEX --rounds 1 --threads 1",
	"check":                       "check RAW",
	"collocates":                  "collocates RAW one --min-freq 1",
	"collocations":                "collocations RAW --min-freq 1",
	"collocations.left":           "collocations RAW --node one --min-freq 1",
	"collocations.right":          "collocations RAW --node one --min-freq 1",
	"collocations.window":         "collocations RAW --node one --min-freq 1",
	"compare":                     "compare RAW --by chi,ig",
	"evaluate":                    "evaluate --folds 2 --classifier nb RAW --no-times",
	"evaluate.repeat":             "evaluate --classifier nb RAW --no-times",
	"evaluate.share":              "evaluate --repeat 2 --classifier nb RAW --no-times",
	"explain":                     "explain RAW one",
	"explore":                     "explore RAW -o OUT",
	"kwic":                        "kwic RAW one",
	"index":                       "index RAW -o OUT",
	"index.local-min-df":          "index RAW --stats-only -o OUT",
	"info":                        "info RAW",
	"keyness":                     "keyness RAW OTHER --max-p 1 --min-freq 1",
	"keyness.reference-total":     "keyness RAW --reference-list LIST --reference-documents 4 --max-p 1 --min-freq 1",
	"keyness.seed":                "keyness RAW OTHER --permutations 2 --min-freq 1",
	"keyness.reference-documents": "keyness RAW --reference-list LIST --reference-total 4 --max-p 1 --min-freq 1",
	"merge":                       "merge INDEX -o OUT",
	"predict":                     "predict --model MODEL RAW",
	"project":                     "project RAW",
	"score":                       "score RAW",
	"score.seed":                  "score RAW --permutations 2",
	"select":                      "select RAW -k 3",
	"select.folds":                "select RAW -k auto --classifier nb --folds 2",
	"select.seed":                 "select RAW -k auto --classifier nb --folds 2",
	"select.try":                  "select RAW -k auto --classifier nb --folds 2",
	"select.classifier":           "select RAW -k auto --folds 2",
	"stability":                   "stability RAW -k 3 --bootstrap 2",
	"stability.folds":             "stability RAW -k 3",
	"stability.subsample":         "stability RAW -k 3",
	"stability.pfer":              "stability RAW -k 3",
	"stability.share":             "stability RAW -k 3 --subsample 2",
	"stability.threshold":         "stability RAW -k 3",
	"train":                       "train RAW -k 3 --classifier nb -o OUT",
	"transform":                   "transform RAW -k 3",
	"words":                       "words RAW",
}

// oneRule are flags that do not go with -k: the line of a selection is without it for them.
var oneRule = []string{"by", "energy", "fdr", "fpr", "fwe", "min-score", "number", "p", "per-document", "percentile"}

// numberLine returns the line to which a flag is added.
func numberLine(command, flag string) string {
	if line := numberLines[command+"."+flag]; line != "" {
		return line
	}
	line := numberLines[command]
	if slices.Contains(oneRule, flag) && slices.Contains([]string{"select", "train", "transform"}, command) {
		line = strings.Replace(line, " -k 3", "", 1)
	}
	if flag == "p" {
		line += " --by best-terms"
	}
	return line
}

// mostAllocated bounds what a run with a large number allocates on that corpus.
const mostAllocated = 200 << 20

// No number of any flag makes a run allocate, start goroutines or count without a bound: it
// is refused, or the run ends as it should.
func TestLargeNumbersAreRefusedOrHarmless(t *testing.T) {
	places := placesForNumbers(t)
	tried := 0
	for _, c := range (&app{}).tree().Commands() {
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			forms := numberFlags[flag.Name]
			f := flags.Of(flag)
			if flag.Value.Type() == "int" {
				overMost(t, c.Name(), f)
			}
			if c.Name() == "bench" && f.Applies&flags.OfRaw != 0 {
				return // it is slow, and others have these flags
			}
			switch flag.Value.Type() {
			case "int", "int64", "uint64", "float", "float64", "intSlice":
				forms = []string{"%s"}
			case "bool":
				return
			}
			asked := 0
			for _, form := range forms {
				line := places(numberLine(c.Name(), flag.Name)) + " --" + flag.Name + " " + form
				if !takesOrdinary(t, line) {
					continue
				}
				asked++
				for _, number := range largeNumbers(flag.Value.Type()) {
					withinBounds(t, fmt.Sprintf(line, number))
					tried++
				}
			}
			if len(forms) > 0 && asked == 0 && flag.Name != "by" {
				t.Errorf("%s --%s: no ordinary number is taken: is another flag needed?", c.Name(), flag.Name)
			}
		})
	}
	testkit.TriedCases(t, tried)
}

// overMost demands that a flag of a whole number has a largest value and refuses more, unless what it counts takes no
// memory.
func overMost(t *testing.T, command string, f *flags.Flag) {
	t.Helper()
	if f.Most == 0 {
		t.Errorf("%s --%s has no largest value", command, f.Name)
	}
	if f.Most == 0 || f.Most == flags.Unlimited {
		return
	}
	for _, value := range []string{strconv.Itoa(f.Most + 1), "99999999999999999999"} {
		said := termsift(t, exitUsage, command, "--"+f.Name, value, "one", "two")
		testkit.Contains(t, said, fmt.Sprintf("--%s can be %d at most, not %s", f.Name, f.Most, value), command)
	}
}

// takesOrdinary reports whether a flag takes a number that people mean.
func takesOrdinary(t *testing.T, line string) bool {
	t.Helper()
	for _, number := range []string{"4", "1000", "1", "0.5", "100"} {
		code, said, _ := runNumber(t, fmt.Sprintf(line, number))
		if code == exitOK || strings.Contains(said, "contradict") || strings.Contains(said, "--max-memory bounds the building") {
			return true
		}
	}
	return false
}

// withinBounds runs a command line, and demands that it allocates little and ends well.
func withinBounds(t *testing.T, line string) {
	t.Helper()
	code, said, allocated := runNumber(t, line)
	if allocated > mostAllocated && !strings.HasPrefix(line, "bench") { // which repeats its work
		t.Errorf("%s: allocates %d MiB", line, allocated>>20)
	}
	nothing := code == exitData && strings.Contains(said, "nothing to count") // with --min-df
	if !slices.Contains([]int{exitOK, exitNothing, exitUsage}, code) && !nothing {
		t.Errorf("%s: exit code %d, %s", line, code, said)
	}
}

// runNumber runs a command line and returns what it allocates, too.
func runNumber(t *testing.T, line string) (code int, stderr string, allocated uint64) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := strings.Fields(line)
	if at := slices.Index(args, "-o") + 1; at > 0 {
		testkit.OK(os.RemoveAll(args[at]))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out, errs bytes.Buffer
	code = run(ctx, args, strings.NewReader(""), &out, &errs)
	runtime.ReadMemStats(&after)
	return code, errs.String(), after.TotalAlloc - before.TotalAlloc
}

// placesForNumbers makes a small corpus and returns what puts its files into a command line.
func placesForNumbers(t *testing.T) func(line string) string {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, `{"id":"d%d","label":"%c","text":"one two t%d u%d v%d one"}`+"\n", i, 'a'+i%3, i%3, i%5, i)
	}
	other := strings.ReplaceAll(strings.ReplaceAll(text.String(), "one", "other"), `"d`, `"e`)
	testkit.OK(errors.Join(os.WriteFile(at("raw.jsonl"), []byte(text.String()), 0o600), os.WriteFile(at("other.jsonl"), []byte(other), 0o600), os.WriteFile(at("list"), []byte("one\t1\t1\n"), 0o600)))
	termsift(t, exitOK, "index", at("raw.jsonl"), "-o", at("x.idx"))
	termsift(t, exitOK, "index", at("raw.jsonl"), "-o", at("copy.idx"))
	termsift(t, exitOK, "index", "--stats-only", at("raw.jsonl"), "-o", at("x.stats"))
	termsift(t, exitOK, "train", "-k", "3", "--classifier", "nb", at("raw.jsonl"), "-o", at("x.model"))
	return strings.NewReplacer("RAW", at("raw.jsonl"), "INDEX", at("x.idx"), "COPY", at("copy.idx"), "STATS", at("x.stats"),
		"MODEL", at("x.model"), "OTHER", at("other.jsonl"), "OUT", at("out"), "PARTS", at("parts"), "LIST", at("list")).Replace
}

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
