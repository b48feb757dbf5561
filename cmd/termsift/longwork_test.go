package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/rank"
)

// An interrupter is a stream that interrupts the run when it is told a text.
type interrupter struct {
	mu        sync.Mutex
	said      bytes.Buffer
	text      string
	interrupt func()
}

// Write implements [io.Writer].
func (w *interrupter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said.Write(p)
	if strings.Contains(w.said.String(), w.text) {
		w.interrupt()
	}
	return len(p), nil
}

// Work of a hundred million values is announced before it begins: each document here has a class and a
// term of its own. The run is interrupted at the announcement.
func TestLongWorkIsAnnounced(t *testing.T) {
	dir := t.TempDir()
	input, index, model := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "x.idx"), filepath.Join(dir, "x.model")
	var lines bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&lines, "{\"text\":\"w%d\",\"label\":\"c%d\"}\n", i, i)
	}
	testkit.Write(input, lines.Bytes())
	termsift(t, exitOK, "index", input, "-o", index)
	for announced, args := range map[string][]string{
		"writes 100000000 lines, one for each of 10000 terms and 10000 classes; --class": {"score", "--combine", "class", "--all", index},
		"ranks 10000 terms for each of 10000 classes; --class":                           {"score", "--combine", "class", index},
		"svm trains 10000 classifiers, one for each class; centroid":                     {"train", "-k", "10000", index, "-o", model},
		"svm trains 10000 classifiers, one for each class; centroid and":                 {"evaluate", "--folds", "2", "-k", "10", index},
		"svm trains 10000 classifiers, one for each class; centroid and nb":              {"select", "-k", "auto", index},
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		stderr := &interrupter{text: announced, interrupt: interrupt}
		code := run(ctx, args, strings.NewReader(""), io.Discard, stderr)
		stderr.mu.Lock()
		testkit.Equal(t, code, exitInterrupted, args, "exit code", stderr.said.String())
		stderr.mu.Unlock()
		interrupt()
	}
}

// sized are counts of which only the size is known.
type sized struct {
	rank.Counted
	terms, classes int
}

func (s sized) Terms() int        { return s.terms }
func (s sized) Classes() []string { return make([]string, s.classes) }

// Announcements begin at a hundred million; what writes or trains less says nothing.
func TestShortWorkIsNotAnnounced(t *testing.T) {
	svm, nb := learn.Learner{Kind: "svm"}, learn.Learner{Kind: "nb"}
	for _, of := range []struct {
		flags    scoreFlags
		measures int
		terms    int
		learner  learn.Learner
		said     int
	}{
		{scoreFlags{all: true}, 1, 99_999, svm, 0},
		{scoreFlags{all: true}, 1, 100_000, nb, 1},
		{scoreFlags{}, 1, 100_000, svm, 2},
		{scoreFlags{all: true}, 2, 50_000, svm, 1},
		{scoreFlags{class: "c"}, 1, 100_000, nb, 0},
	} {
		var stderr bytes.Buffer
		a := newApp(strings.NewReader(""), io.Discard, &stderr)
		of.flags.app = a
		s := &scorer{scoreFlags: &of.flags, of: sized{terms: of.terms, classes: 1000}}
		s.announce(of.measures)
		a.announceTraining([]learn.Learner{of.learner}, 1000, of.terms)
		testkit.Equal(t, strings.Count(stderr.String(), "\n"), of.said, of, "notes", stderr.String())
	}
}
