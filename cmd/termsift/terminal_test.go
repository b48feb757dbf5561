package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// hostileName would move, colour, reverse and forge what stands around it.
const hostileName = "a\r\x1b[31m\u202eb\u2028c\u009b1mtermsift\u2066"

// steering gives the characters of a text that steer a terminal, but for those to keep.
func steering(text, keep string) string {
	return strings.Map(func(r rune) rune {
		if tables.Steers(r) && !strings.ContainsRune(keep, r) {
			return r
		}
		return -1
	}, text)
}

func TestWithoutControls(t *testing.T) {
	for text, want := range map[string]string{
		hostileName:                "a..[31m.b.c.1mtermsift.",
		"one\ntwo\tthree":          "one.two.three",
		"\u0645\u06cc\u200c\u0634": "\u0645\u06cc\u200c\u0634", // Persian, with its joiner
		"👩\u200d🔬":                 "👩\u200d🔬",
		"caf\xe9\x9b":              "caf\ufffd\ufffd",
		"\ufeff\u00ad\U000e0041":   "...",
	} {
		testkit.Equal(t, tables.WithoutControls(text, ""), want, text)
	}
}

// Whatever is printed reaches a terminal without what steers it, however it is cut.
func TestTerminalWriter(t *testing.T) {
	text := "term\t" + hostileName + "\n文字 " + hostileName
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		w := &tables.TerminalWriter{W: &out}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if written, err := w.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatal(written, err)
			}
			rest = rest[n:]
		}
		if got := out.String(); got != tables.WithoutControls(text, "\n\t") || steering(got, "\n\t") != "" {
			t.Fatalf("in pieces of %d: %q", size, got)
		}
	}
}

// Messages have the lines of the program, not those of the names in them.
func TestMessagesWithHostileNames(t *testing.T) {
	const name = "x\ntermsift: all is well\u202e"
	for _, err := range []error{
		&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist},
		&reader.Error{Pos: document.Position{File: "a.tar!" + name, Line: 3}, Problem: "malformed JSON"},
		usageError("%s is an index", name),
		errors.Join(&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}, errors.New("another")),
	} {
		var out bytes.Buffer
		told := newApp(nil, nil, &out)
		told.args = []string{"score", name}
		told.tellError(err, false)
		if got := out.String(); strings.Contains(got, "\ntermsift: all") || steering(got, "\n\t") != "" || !strings.Contains(got, "x.termsift: all is well.") {
			t.Errorf("%q", got)
		}
	}
	var out bytes.Buffer
	a := talk{stderr: &out}
	a.note("%d: %s, %v, %v", 1, name, fmt.Errorf("in %s", name), document.Position{File: name})
	a.warn([]string{name})
	if got := out.String(); strings.Count(got, "\n") != 2 || steering(got, "\n\t") != "" {
		t.Errorf("%q", got)
	}
}
