package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/document"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		documents   int
		taken, size int64
		took        time.Duration
		want        string
	}{
		{1000, 0, 0, 2 * time.Second, "1000 documents, 500 a second"},
		{1000, 30e6, 0, 2 * time.Second, "1000 documents, 30.0 MB, 15.0 MB/s"},
		{1000, 30e6, 120e6, 2 * time.Second, "1000 documents, 30.0 of 120.0 MB, 25 %, 15.0 MB/s, about 6s left"},
		{1000, 120e6, 120e6, 8 * time.Second, "1000 documents, 120.0 of 120.0 MB, 100 %, 15.0 MB/s"},
		{1000, 130e6, 120e6, 10 * time.Second, "1000 documents, 130.0 of 120.0 MB, 100 %, 13.0 MB/s"}, // a file that grew
		{1, 1e6, 7200e6, time.Second, "1 documents, 1.0 of 7200.0 MB, 0 %, 1.0 MB/s, about 1h59m59s left"},
	} {
		testkit.Equal(t, progressText(c.documents, c.taken, c.size, c.took), c.want)
	}
}

// A line is there from the first second on, for a fifth of a second at least, replaces the one
// before it to the last column, fits the terminal, and can be taken away.
func TestStatusLine(t *testing.T) { synctest.Test(t, statusLineTest) }

func statusLineTest(t *testing.T) {
	var out bytes.Buffer
	line := &statusLine{w: &out, screen: tables.Screen{Terminal: true, Moves: true, Width: 12}, begun: time.Now()}
	for _, c := range []struct {
		at   time.Duration
		text string
		want string
	}{
		{0, "early", ""},
		{999 * time.Millisecond, "early", ""},
		{time.Second, "some \x1b[1mtext that is long", "\rsome .[1mte"},
		{1100 * time.Millisecond, "soon", ""},
		{1200 * time.Millisecond, "short", "\rshort      "},
		{2 * time.Second, "文字", "\r文字   "},
	} {
		time.Sleep(c.at - time.Since(line.begun))
		out.Reset()
		line.tell(func(took time.Duration) string {
			testkit.Equal(t, took, c.at)
			return c.text
		})
		testkit.Equal(t, out.String(), c.want, "at", c.at)
	}
	out.Reset()
	line.end()
	line.end()
	testkit.Equal(t, out.String(), "\r  \r", "at the end")
	out.Reset()
	line.screen.Styled = true
	line.write("dim")
	testkit.Equal(t, out.String(), "\r\x1b[2mdim\x1b[0m")
	var none *statusLine
	none.tell(func(time.Duration) string { t.Error("told"); return "" })
	none.end()
}

// There is a line on a terminal whose cursor goes back, and nowhere else; a message takes it
// away first.
func TestWhereProgressIsShown(t *testing.T) { synctest.Test(t, progressTest) }

func progressTest(t *testing.T) {
	for _, c := range []struct {
		on   tables.Screen
		want bool
	}{
		{tables.Screen{Width: 80}, false},
		{tables.Screen{Terminal: true, Width: 80}, false}, // TERM=dumb
		{tables.Screen{Terminal: true, Moves: true, Width: 80}, true},
	} {
		var errs bytes.Buffer
		a := &talk{stderr: &errs, errScreen: c.on}
		line := a.statusLine()
		testkit.Equal(t, line != nil, c.want, c.on, line)
		tell, end := a.countdown()
		if !c.want {
			tell(1, 4, "a step")
			if end(); errs.Len() > 0 {
				t.Errorf("%+v: a countdown says %q", c.on, errs.String())
			}
			continue
		}
		time.Sleep(3 * time.Second)
		tell(1, 4, "a step")
		a.note("a message")
		end()
		testkit.Equal(t, errs.String(),
			"\r1 of 4, about 9s left: a step\r                             \rtermsift: a message\n")
	}
}

// What is watched passes through, with its errors.
func TestWatch(t *testing.T) { synctest.Test(t, watchTest) }

func watchTest(t *testing.T) {
	var errs bytes.Buffer
	a := &talk{stderr: &errs, errScreen: tables.Screen{Terminal: true, Moves: true, Width: 80}}
	failure := errors.New("a failure")
	docs := func(yield func(document.Document, error) bool) {
		time.Sleep(2 * time.Second)
		_ = yield(document.Document{ID: "1"}, nil) && yield(document.Document{ID: "2"}, nil) && yield(document.Document{}, failure)
	}
	var got []string
	for d, err := range a.watch(docs, nil) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, d.ID)
	}
	testkit.Equal(t, strings.Join(got, " "), "1 2 a failure")
	if text := errs.String(); !strings.HasPrefix(text, "\r1 documents, 0 a second") && !strings.HasPrefix(text, "\r1 documents, 1 a second") {
		t.Errorf("%q", text)
	}
}
