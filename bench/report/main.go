// Command report writes BENCHMARKS.md from raw benchmark output, so that no
// figure in it is typed by hand.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/termsift/termsift/bench/markdown"
)

const usage = `usage: go run ./bench/report [-check] [-layout FILE] [-out FILE]

It copies the prose of the layout and puts a table in place of every directive.
The figures come from the raw files, which lie beside the layout.

Flags:
  -check        write nothing; exit 1 if the file on disk differs
  -layout FILE  the layout (default bench/results/layout.md)
  -out FILE     the file to write (default BENCHMARKS.md)

Exit codes: 0 done, 1 -check found a difference, 2 anything else. (go run
gives 1 for 2; build the command to tell them apart.)

How a raw file is made: the output of go test -bench with at least six runs of
each benchmark, after lines "key: value" that say where it comes from:

  {
    echo "commit: $(git rev-parse --short HEAD)"
    echo "go: $(go env GOVERSION)"
    echo "governor: unknown"
    echo "load: $(uptime | sed 's/.*: //')"
    echo "command: go test ./engine -run '^$' -bench Pipeline -count 6 -cpu 1"
    go test ./engine -run '^$' -bench Pipeline -count 6 -cpu 1
  } > bench/results/engine.txt

A line "key: value" holds for the results below it. Several commands may follow
each other in one file, each with its own lines. Names of benchmarks are made of
keys, as in BenchmarkCounts/impl=generic/set=L; they must not end in "-" and
digits, since go test appends the number of threads like that.

A directive is one line of the layout that starts with {{ and ends with }}.
Values with spaces are put in "..." or in backquotes; lines between code fences
are never directives.

  {{table file=F match=RE rows=KEY cols=KEY unit=U}}
      rows and columns by values of the keys; median and spread in the cells
  {{list file=F match=RE unit=U}}
      a line for each benchmark: median, least, largest, runs
  {{ratio file=F match=RE key=KEY base=VALUE unit=U}}
      like table, with columns by KEY; how many times better than base. A line
      "VALUE: VERSION" of the file adds the version to the head of that column
  {{times file=F,F match=RE rows=KEY key=KEY of=VALUE base=VALUE unit=U heads="A|B"}}
      a column for each file, headed as heads= says: how many times better than
      base the benchmarks of the other value are
  {{target file=F match=RE unit=U required=X wanted=Y better=less|more}}
      a requirement; adjacent lines make one table; match finds one benchmark.
      wanted=, name= may be left out. With over=RE the value is how many times
      faster match is than over; then better=more if not given. yardstick=RE
      reference=X: the limits are those of a machine on which that benchmark
      takes X of the unit, and are scaled by what it takes here if that is more
  {{figure file=F match=RE unit=U name=N limit=TEXT}}
      what to expect of a job, and what limits it; adjacent lines make one table;
      as= is the unit as a reader knows it, over=RE as in target
  {{roofline file=F match=RE bandwidth=RE}}
      bytes and time of an operation, GB/s, and its share of what the benchmark
      found by bandwidth reads; all of them must call SetBytes
  {{machine file=F}}
      the lines "key: value" of the file; keys=KEY,KEY picks some

match is a regular expression for names without "Benchmark" and without the
number of threads. file may be several, with commas. pkg=RE and procs=N narrow
the choice. rows and cols may be several keys with commas; besides the keys of
the name there are name, pkg and procs. A unit may be a multiple of the one in
the file: ms/op of ns/op, GB/s of MB/s. absent=TEXT (table, ratio) is printed
where a combination was not measured; without it that is an error.
`

const notice = "<!-- Written by \"go run ./bench/report\" from bench/results/layout.md and the raw\nfiles beside it. Change those. -->\n\n"

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run is the whole command: arguments in, exit code out.
func run(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	layout := flags.String("layout", "bench/results/layout.md", "")
	out := flags.String("out", "BENCHMARKS.md", "")
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
	text, warnings, err := render(*layout)
	for _, w := range warnings {
		fmt.Fprintln(stderr, "report: warning:", w)
	}
	if err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return 2
	}
	if *check {
		return compare(*out, text, stderr)
	}
	if err := os.WriteFile(*out, text, 0o666); err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return 2
	}
	return 0
}

// compare says where the file on disk differs from text.
func compare(path string, text []byte, stderr io.Writer) int {
	have, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintf(stderr, "report: %v\n", err)
		return 2
	}
	if bytes.Equal(have, text) {
		return 0
	}
	line, is, want := markdown.FirstDifference(string(have), string(text))
	fmt.Fprintf(stderr, "report: %s:%d differs from what layout and raw results give; write it again with go run ./bench/report\n", path, line)
	fmt.Fprintf(stderr, "  is:   %s\n  want: %s\n", is, want)
	return 1
}
