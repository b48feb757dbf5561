package main

import (
	"flag"
	"io"

	"github.com/termsift/termsift/bench/lab"
)

const reportUsage = `usage: go run ./bench/measure report [-check] [-page FILE] [-results DIR]

It fills the tables of the page, each between <!-- table NAME --> and <!-- end -->.
Their rows are in bench/measure/report_rows.go, the figures in the raw files.

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

// runReport fills the tables of BENCHMARKS.md from raw benchmark output, so that no figure in
// them is typed by hand.
func runReport(args []string, stderr io.Writer) int {
	return lab.ExitCode("report", stderr, lab.ErrDiffers, func() {
		flags := flag.NewFlagSet("report", flag.ContinueOnError)
		page := flags.String("page", "BENCHMARKS.md", "")
		results := flags.String("results", "bench/results", "")
		check := flags.Bool("check", false, "")
		lab.FlagsOnly(flags, args, reportUsage, stderr)
		lab.UpdatePage(*page, *check, (&report{dir: *results}).table)
	})
}
