package reader

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A textCase is a text and what becomes of it.
type textCase struct {
	name, text string
	opt        Options
	docs       []string
	warning    string
	refused    string // part of the error; "" = the text is read
}

// textCases reads a file of cases, between which lines are empty. A line begins with
//
//	#   the name
//	?   options
//	<   a line of the text, which has line feeds between its lines
//	<<  pieces of the text as literals of Go, repeated: "x"*100
//	=   a document as show writes it; == the same as a literal
//	~   the warning
//	!   part of the error
func textCases(file string) (cases []textCase) {
	var c *textCase
	for line := range strings.Lines(string(testkit.Must(os.ReadFile(file)))) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch mark {
		case "#":
			cases = append(cases, textCase{name: rest})
			c = &cases[len(cases)-1]
		case "?":
			testkit.OK(json.Unmarshal([]byte(rest), &c.opt))
		case "<":
			c.text += rest + "\n"
		case "<<":
			for rest != "" {
				literal := testkit.Must(strconv.QuotedPrefix(rest))
				times, more, _ := strings.Cut(rest[len(literal):], " ")
				n := 1
				if times != "" {
					n = testkit.Must(strconv.Atoi(times[1:]))
				}
				c.text += strings.Repeat(testkit.Must(strconv.Unquote(literal)), n)
				rest = more
			}
			c.text += "\n"
		case "=":
			c.docs = append(c.docs, rest)
		case "==":
			c.docs = append(c.docs, testkit.Must(strconv.Unquote(rest)))
		case "~":
			c.warning = rest
		case "!":
			c.refused = rest
		case "":
			c.text = strings.TrimSuffix(c.text, "\n")
		default:
			panic(file + ": " + line)
		}
	}
	c.text = strings.TrimSuffix(c.text, "\n")
	return cases
}

// The texts of testdata/cases are read or refused as it stands there.
func TestCases(t *testing.T) {
	for _, file := range []string{"json.txt", "csv.txt", "lines.txt"} {
		for _, c := range textCases(filepath.Join("testdata", "cases", file)) {
			t.Run(file+"/"+c.name, func(t *testing.T) {
				docs, sum, err := shown(t, c.text, c.opt)
				if c.refused == "" {
					if err != nil || !slices.Equal(docs, c.docs) || strings.Join(sum.Warnings, " ") != c.warning {
						t.Fatalf("%q, %q, %v, want %q", docs, sum.Warnings, err, c.docs)
					}
					return
				}
				var e *Error
				if !errors.Is(err, ErrEmpty) && !(errors.As(err, &e) && errors.Is(err, ErrBadInput)) || !strings.Contains(err.Error(), c.refused) {
					t.Fatalf("got %v, want %s", err, c.refused)
				}
				if n := len(err.Error()); n > 600 && c.opt.Format != CSV || n > 1200 {
					t.Fatalf("an error of %d bytes", n)
				}
			})
		}
	}
}
