package reader

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// xs is a line without an end, of x, behind a text; it counts the bytes that were taken.
type xs struct {
	begin string
	taken atomic.Int64
}

func (e *xs) Read(p []byte) (int, error) {
	n := copy(p, e.begin)
	e.begin = e.begin[n:]
	for i := n; i < len(p); i++ {
		p[i] = 'x'
	}
	e.taken.Add(int64(len(p)))
	return len(p), nil
}

// lineFormats begin an input whose third line is long, in every format whose lines are bounded.
var lineFormats = map[string]string{
	JSONL:    "{\"id\":\"1\",\"text\":\"one\"}\n{\"id\":\"2\",\"text\":\"two\"}\n{\"id\":\"3\",\"text\":\"",
	CSV:      "label,text\na,one\nb,",
	TSV:      "label\ttext\na\tone\nb\t",
	FastText: "__label__a one\n__label__b two\n__label__c ",
	SVMLight: "1 1:1\n2 2:1\n3 ",
	Lines:    "one\ntwo\n",
}

// A line that is too long is refused with its number, when little more than the limit was read of it, on
// any number of threads.
func TestLongLineIsRefusedEarly(t *testing.T) {
	const limit = 1 << 20
	for format, begin := range lineFormats {
		in := &xs{begin: begin}
		s, err := Read(t.Context(), []string{"-"}, Options{Format: format, Stdin: in, MaxLine: limit})
		testkit.OK(err)
		for _, e := range s.Documents() {
			err = e
		}
		testkit.Refused(t, err, ErrBadInput,
			"stdin:3: the line has more than 1048576 bytes; raise the limit with --max-line", format)
		if taken := in.taken.Load(); taken > 4*limit {
			t.Errorf("%s: %d bytes were read", format, taken)
		}
	}
}

// Where longer lines are allowed the text of a document has its own limit.
func TestLongTextOfALine(t *testing.T) {
	for format, begin := range lineFormats {
		if format == SVMLight {
			continue // it has no texts
		}
		end := "\n"
		if format == JSONL {
			end = "\"}\n"
		}
		long := begin + strings.Repeat("x", 2000) + end
		_, err := collect(t, long, Options{Format: format, MaxLine: 10_000, MaxDocument: 1000})
		if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "stdin:3: ") || !strings.Contains(err.Error(), "text has more than 1000 bytes; raise the limit with --max-document") {
			t.Errorf("%s: %v", format, err)
		}
		docs, err := collect(t, long, Options{Format: format, MaxLine: 10_000, MaxDocument: 1000, SkipBad: true})
		if err != nil || len(docs) != strings.Count(begin, "one")+strings.Count(begin, "two") {
			t.Errorf("%s, skipped: %d documents, %v", format, len(docs), err)
		}
		testkit.Is(t, testkit.Err(collect(t, long, Options{Format: format, MaxLine: 10_000, MaxDocument: 2000})), nil,
			format, "as long as may be")
	}
}

// Lines of any length are those that a plain division gives, wherever frames end.
func TestLinesAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, letters := range []string{"some words ", "größer als ", "na\xefve "} {
		var text bytes.Buffer
		for text.Len() < 5*frameBytes {
			n := []int{r.IntN(3000), r.IntN(3000), 0, frameBytes, r.IntN(3 * frameBytes)}[r.IntN(5)]
			text.WriteString(strings.Repeat(letters, n/len(letters)+1)[:n])
			text.WriteString([]string{"\n", "\r\n", "\n\n"}[r.IntN(3)])
		}
		text.WriteString("the last")
		var want []string
		for i, line := range strings.Split(text.String(), "\n") {
			if line = strings.TrimRight(line, "\r"); strings.TrimSpace(line) != "" {
				want = append(want, fmt.Sprintf("%d: %q", i+1, line))
			}
		}
		var got []string
		charset := "auto"
		if letters[2] == 0xef {
			charset = "latin-1"
			for i := range want {
				want[i] = strings.ReplaceAll(want[i], `\xef`, "ï")
			}
		}
		path := writeFile(t, text.Bytes())
		for d := range testkit.All(testkit.Must(Read(t.Context(), []string{path}, Options{Format: Lines, Charset: charset})).Documents()) {
			got = append(got, fmt.Sprintf("%d: %q", d.Source.Line, d.Text))
		}
		testkit.EqualSlices(t, got, want, letters)
	}
}
