// Command report fills the tables of BENCHMARKS.md from raw benchmark output, so that no figure in
// them is typed by hand.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

const usage = `usage: go run ./bench/report [-check] [-page FILE] [-results DIR]

It fills the tables of the page, each between <!-- table NAME --> and <!-- end -->.
Their rows are in bench/report/rows.go, the figures in the raw files.

Flags:
  -check        write nothing; exit 1 if a table differs
  -page FILE    the page (default BENCHMARKS.md)
  -results DIR  the folder of the raw files (default bench/results)

Exit codes: 0 done, 1 -check found a difference, 2 anything else. (go run
gives 1 for 2; build the command to tell them apart.)

A raw file is the output of go test -bench with at least six runs of each
benchmark, after lines "key: value" that say where it comes from: commit, date,
machine, command. go run ./bench/measure writes such files.
`

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run is the whole command: arguments in, exit code out.
func run(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	page := flags.String("page", "BENCHMARKS.md", "")
	results := flags.String("results", "bench/results", "")
	check := flags.Bool("check", false, "")
	if err := flags.Parse(args); err == flag.ErrHelp {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "report: it takes no arguments, got %q; see -h\n", flags.Arg(0))
		return 2
	}
	code, err := update(*page, &report{dir: *results}, *check)
	if err != nil {
		fmt.Fprintln(stderr, "report:", err)
	}
	return code
}

// update fills the page, or tells whether that would change it.
func update(page string, r *report, check bool) (code int, err error) {
	have, err := os.ReadFile(page)
	if err != nil {
		return 2, err
	}
	text, err := r.fill(string(have))
	if err != nil {
		return 2, fmt.Errorf("%s: %w", page, err)
	}
	if text == string(have) {
		return 0, nil
	}
	if check {
		line, is, want := markdown.FirstDifference(string(have), text)
		return 1, fmt.Errorf("%s:%d differs from what the raw results give; write it again with go run ./bench/report\n  is:   %s\n  want: %s", page, line, is, want)
	}
	if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
		return 2, err
	}
	return 0, nil
}

var place = regexp.MustCompile(`(?s)<!-- table (\w+) -->\n.*?<!-- end -->`)

// fill puts the tables of the report into their places on a page.
func (r *report) fill(page string) (string, error) {
	if begun, ended := strings.Count(page, "<!-- table "), strings.Count(page, "<!-- end -->"); begun != ended {
		return "", fmt.Errorf("%d places of tables begin, and %d end", begun, ended)
	}
	var err error
	filled := place.ReplaceAllStringFunc(page, func(found string) string {
		name := place.FindStringSubmatch(found)[1]
		t, failed := r.table(name)
		if failed != nil {
			if err == nil {
				err = fmt.Errorf("table %s: %w", name, failed)
			}
			return found
		}
		return "<!-- table " + name + " -->\n\n" + t.String() + "\n\n<!-- end -->"
	})
	return filled, err
}
