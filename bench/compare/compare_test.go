package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/document"
)

// The test binary is the child that runs our side, as the command is.
func TestMain(m *testing.M) {
	if serving() {
		exit(lab.Try(func() { serve(os.Args[1:], os.Stdin, os.Stdout) }))
		return
	}
	os.Exit(m.Run())
}

// randomDocuments have words that the classes use in different measure.
func randomDocuments(n int) []document.Document {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	var docs []document.Document
	for i := range n {
		class := r.IntN(4)
		var text strings.Builder
		for range 5 + r.IntN(40) {
			word := int(60 * r.ExpFloat64())
			if r.IntN(3) == 0 {
				word = class*50 + r.IntN(50)
			}
			fmt.Fprintf(&text, "Word%d ", word)
		}
		docs = append(docs, document.Document{ID: fmt.Sprint("d", i), Labels: []string{fmt.Sprint("class", class)}, Text: []byte(text.String())})
	}
	return docs
}

func compareTiny(t *testing.T, tools toolchain) string {
	t.Helper()
	var out bytes.Buffer
	d := data{set: "tiny", docs: randomDocuments(400), top: 30}
	opt := options{rounds: 1, jobs: regexp.MustCompile(".")}
	r := &report{out: &out}
	r.config(opt)
	if err := errors.Join(lab.Try(func() { compare(t.Context(), opt, d, tools, r) }), r.err); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	return out.String()
}

var measurement = regexp.MustCompile(`(?m)^BenchmarkCompare(\w+)/impl=([\w-]+)/set=tiny-1\s+1\s+-?\d+ ns/op(?:\s+\d+\.\d+ MB/s)?$`)

func TestWithoutPeers(t *testing.T) {
	got := compareTiny(t, toolchain{})
	for _, want := range []string{
		"# skipped: the newest sklearn, numpy: no folder",
		"# skipped: the system's sklearn, numpy: python3-sklearn is not installed",
		"# skipped: c: gcc is not installed",
		"goos: ", "command: go run ./bench/compare -rounds 1 -jobs .\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	found := measurement.FindAllStringSubmatch(got, -1)
	if want := len(jobs) + 3; len(found) != want { // opened takes part in three
		t.Errorf("%d measurements instead of %d in\n%s", len(found), want, got)
	}
	for _, m := range found {
		if m[2] != ours && m[2] != opened {
			t.Errorf("measured %s without its program", m[2])
		}
	}
}

func TestWithPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: starts Python and compiles C")
	}
	tools := systemTools(t)
	need(t, tools.system, "python3-sklearn")
	need(t, tools.gcc, "gcc")
	got := compareTiny(t, tools)
	implementations := 0
	for _, j := range jobs {
		implementations += 1 + len(j.peers)
		for impl := range j.peers {
			if impl == "sklearn" || impl == "numpy" {
				impl += ofSystem
			}
			if !strings.Contains(got, fmt.Sprintf("# checked: %s: %s and termsift: ", j.name, impl)) {
				t.Errorf("%s of %s was not checked in\n%s", j.name, impl, got)
			}
		}
	}
	if n := len(measurement.FindAllString(got, -1)); n != implementations {
		t.Errorf("%d measurements instead of %d in\n%s", n, implementations, got)
	}
}

// systemTools are the programs that the operating system has.
func systemTools(t *testing.T) toolchain {
	t.Helper()
	return installed(t.Context(), "")
}

// need skips a test of a peer that is not there.
func need(t *testing.T, path, what string) {
	t.Helper()
	if path == "" {
		t.Skipf("%s is not installed: the peer that it runs is not tested", what)
	}
}

// C counts documents in 32 bits where a class is large; the answers are the
// same.
func TestBaselineWithWideCells(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: compiles C")
	}
	tools := systemTools(t)
	need(t, tools.gcc, "gcc")
	dir := t.TempDir()
	shape, err := lab.TryOf(func() shape { return data{docs: randomDocuments(300), top: 20}.export(t.Context(), dir) })
	if err != nil {
		t.Fatal(err)
	}
	shape.largest = 1 << 16
	team, err := lab.TryOf(func() *team { return startAll(t.Context(), toolchain{gcc: tools.gcc}, dir, shape) })
	if err != nil {
		t.Fatal(err)
	}
	defer team.close()
	report := &report{out: io.Discard}
	for _, j := range jobs {
		if err := lab.Try(func() { measureJob(t.Context(), j, 1, team, dir, report) }); err != nil {
			t.Error(err)
		}
	}
}

// The peer in C counts every word of a text: those that begin or end a block of 64 bytes, that are
// longer than a slot holds, of bytes above 127, and of documents without any. It does so by either
// way to tell bytes apart, and as often as it is asked.
func TestWordsInC(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: compiles C")
	}
	tools := systemTools(t)
	need(t, tools.gcc, "gcc")
	long := strings.Repeat("Long_word9", 30)
	texts := []string{"", "a", "ab", " ab", "é", "ça va, naïve Ångström ÅNGSTRÖM «quoted» £5", long, long + "x " + long, "sixteen_letters_ seventeen_letters", "\x00\x01[a`{@zZ9_/:"}
	for n := 58; n < 70; n++ {
		texts = append(texts, strings.Repeat("x", n), strings.Repeat(" ", n)+"end", strings.Repeat("ab ", n), strings.Repeat(".", n-1)+"Ab")
	}
	docs := randomDocuments(3000)
	for i, text := range texts {
		docs = append(docs, document.Document{ID: fmt.Sprint("t", i), Labels: []string{"class0"}, Text: []byte(text)})
	}
	dir := t.TempDir()
	if err := lab.Try(func() { (data{docs: docs, top: 5}).export(t.Context(), dir) }); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{nil, {"-mno-avx2"}} {
		if flags != nil && runtime.GOARCH != "amd64" {
			continue
		}
		team := &team{by: map[string]*child{}}
		defer team.close()
		if err := lab.Try(func() {
			program := compile(t.Context(), tools.gcc, dir, []string{"baseline.c", "words.h"}, flags...)
			team.startEngine(t.Context(), []string{dir, "5"})
			team.enlist(exec.CommandContext(t.Context(), program, dir, "5"), "c")
		}); err != nil {
			t.Fatal(err)
		}
		count := jobs[slices.IndexFunc(jobs, func(j job) bool { return j.name == "Count" })]
		for range 3 {
			if err := lab.Try(func() { measureJob(t.Context(), count, 1, team, dir, &report{out: io.Discard}) }); err != nil {
				t.Errorf("%v: %v", flags, err)
			}
		}
	}
}

// What begins with the same matrix and what begins with an opened index are rows of their own.
func TestOpenedIsAnotherImplementation(t *testing.T) {
	for _, name := range []string{"Chi", "IG", "Moments"} {
		j := jobs[slices.IndexFunc(jobs, func(j job) bool { return j.name == name })]
		if j.check("opened") == nil {
			t.Errorf("%s has no check of the opened index", name)
		}
		if j.check("numpy"+ofSystem) == nil {
			t.Errorf("%s has no check of the system's numpy", name)
		}
	}
	if got := withoutKernel([]string{"A=1", "OPENBLAS_CORETYPE=Haswell", "OPENBLAS_L2_SIZE=512", "B=2"}); !slices.Equal(got, []string{"A=1", "B=2"}) {
		t.Error(got)
	}
}

func TestChecks(t *testing.T) {
	base := answer{[]int32{0, 1, 2}, []float64{9, 5, 3}}
	tied := answer{[]int32{1, 0, 7}, []float64{5, 9, 3}}
	wrong := answer{[]int32{0, 7, 2}, []float64{9, 5, 3}}
	off := answer{[]int32{0, 1, 2}, []float64{9, 5.1, 3}}
	for _, c := range []struct {
		name   string
		check  check
		theirs answer
		agree  bool
	}{
		{"the same", selectsAsWell(1e-6), base, true},
		{"another of those tied at the cut", selectsAsWell(1e-6), tied, true},
		{"another above the cut", selectsAsWell(1e-6), wrong, false},
		{"another value", selectsAsWell(1e-6), off, false},
		{"another value, tolerated", selectsAsWell(0.1), off, true},
		{"fewer terms", selectsAsWell(1e-6), answer{base.ID[:2], base.Value[:2]}, false},
		{"nothing", selectsAsWell(1e-6), answer{}, false},
		{"another statistic", anotherStatistic, wrong, true},
		{"the same sum", sumsAgree(1e-6), tied, true},
		{"another sum", sumsAgree(1e-6), off, false},
		{"a part of the values", valuesAgree(1e-6), answer{base.ID[1:], base.Value[1:]}, true},
		{"another value of all", valuesAgree(1e-6), off, false},
		{"no values", valuesAgree(1e-6), answer{}, false},
		{"no counts", countsAgree(1e-6), base, false},
		{"counts by bytes", countsByBytes, base, false},
		{"the same predictions", allAgree(1e-6), base, true},
		{"another prediction", allAgree(1), wrong, false},
		{"the same predictions, another value", allAgree(1e-6), off, false},
		{"the same lines", linesAgree, base, true},
		{"fewer lines", linesAgree, answer{[]int32{0}, []float64{1}}, false},
	} {
		note, err := c.check(base, c.theirs)
		if (err == nil) != c.agree || (err == nil) == (note == "") {
			t.Errorf("%s: %q, %v", c.name, note, err)
		}
	}
}

func TestSummary(t *testing.T) {
	var out bytes.Buffer
	r := &report{out: &out, set: "s"}
	j := job{name: "Chi", peers: map[string]check{"c": nil}}
	for _, cost := range []int64{3e6, 1e6, 2e6} {
		r.line(j, "c", time.Duration(cost))
		r.line(j, ours, time.Duration(4*cost))
	}
	r.summary()
	if got := strings.Join(strings.Fields(out.String()), " "); !strings.HasSuffix(got,
		"# CompareChi/impl=c/set=s-1 2.00 ms 0.25 # CompareChi/impl=termsift/set=s-1 8.00 ms 1.00") {
		t.Error(got)
	}
}

func TestAnswerFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answer")
	want := answer{[]int32{3, 1}, []float64{0.5, 2}}
	if err := lab.Try(func() { want.write(path) }); err != nil {
		t.Fatal(err)
	}
	read := func() (answer, error) { return lab.TryOf(func() answer { return readAnswer(path) }) }
	if got, err := read(); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.Truncate(path, 20); err != nil {
		t.Fatal(err)
	}
	if got, err := read(); err == nil {
		t.Errorf("a cut file gives %v", got)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-rounds", "0"}, {"-jobs", "("}, {"-jobs", "Nothing"}, {"extra"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
	if opt, err := parse([]string{"-jobs", "IG"}); err != nil || opt.rounds != 7 || !opt.jobs.MatchString("IG") || opt.jobs.MatchString("Chi") {
		t.Errorf("%+v, %v", opt, err)
	}
	if err := lab.Try(func() { readNewsgroups(t.Context(), "") }); err == nil || !strings.Contains(err.Error(), "TERMSIFT_DATA") {
		t.Error(err)
	}
}

// Documents that the peers cannot take are refused.
func TestSeveralLabels(t *testing.T) {
	docs := []document.Document{{ID: "d", Labels: []string{"a", "b"}, Text: []byte("some words")}}
	if err := lab.Try(func() { (data{docs: docs, top: 1}).export(t.Context(), t.TempDir()) }); err == nil || !strings.Contains(err.Error(), "2 labels") {
		t.Error(err)
	}
}
