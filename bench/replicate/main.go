package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/termsift/termsift/bench/lab"
)

const help = `usage: go run ./bench/replicate [-check]                 fill the tables of REPLICATION.md
       go run ./bench/replicate NAME [-html FILE]       print an experiment in full
       go run ./bench/replicate NAME -data DIR          run it, and print that
       go run ./bench/replicate -data DIR [-only REGEX] run all, keep the results, fill the tables
       go run ./bench/replicate -list                   name the experiments

An experiment in full is the protocol, the paper's claims beside what was measured, the
rule that decides each, which choices matter, and all figures. Without -data the figures are
those of the raw results. No figure and no verdict is typed by hand.

Flags:
  -data DIR     folder of the collections (REPLICATION.md says which)
  -html FILE    also write a page with the results of NAME, verdicts first
  -only REGEX   run only the experiments whose names match
  -check        write nothing; exit 1 if a table of the page differs
  -results DIR  folder of the raw files (default bench/results)
  -out FILE     the page to fill (default REPLICATION.md)

Exit codes: 0 done, 1 -check found a difference, 2 anything else. (go run
gives 1 for 2; build the command to tell them apart.)

Experiments:
`

// options are the flags.
type options struct {
	name, html         string // of one experiment
	list               bool
	data, results, out string
	only               *regexp.Regexp
	check              bool
	protocols          []*Protocol
	progress           func(step string)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command: arguments in, exit code out.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return lab.ExitCode("replicate", stderr, lab.ErrDiffers, func() {
		switch opt := parse(args, stderr); {
		case opt.list:
			list(stdout, opt.protocols)
		case opt.name != "":
			experiment(ctx, opt, stdout, stderr)
		default:
			refresh(ctx, opt, stderr)
		}
	})
}

// refresh runs the experiments, if the collections are named, and fills the page.
func refresh(ctx context.Context, opt *options, stderr io.Writer) {
	if opt.data != "" {
		measure(ctx, opt, stderr)
	}
	updatePage(opt)
}

// parse reads and checks the flags.
func parse(args []string, stderr io.Writer) *options {
	opt, only := &options{protocols: All(), progress: func(step string) { fmt.Fprintf(stderr, "replicate: %s\n", step) }}, ""
	flags := flag.NewFlagSet("replicate", flag.ContinueOnError)
	flags.StringVar(&opt.data, "data", "", "")
	flags.StringVar(&opt.html, "html", "", "")
	flags.BoolVar(&opt.list, "list", false, "")
	flags.StringVar(&only, "only", "", "")
	flags.BoolVar(&opt.check, "check", false, "")
	flags.StringVar(&opt.results, "results", "bench/results", "")
	flags.StringVar(&opt.out, "out", "REPLICATION.md", "")
	var names strings.Builder
	list(&names, opt.protocols)
	others := lab.ParseFlags(flags, args, help+names.String(), stderr)
	switch {
	case len(others) > 1:
		panic(lab.Errorf("it runs one experiment at a time, got %q; see -h", others))
	case len(others) == 1 && (opt.check || only != ""):
		panic(lab.Errorf("-check and -only go without a NAME; see -h"))
	case len(others) == 1:
		opt.name = others[0]
	case opt.html != "":
		panic(lab.Errorf("-html goes with the NAME of an experiment; -list has them"))
	case opt.check && opt.data != "":
		panic(lab.Errorf("-check measures nothing: leave -data away"))
	case only != "" && opt.data == "":
		panic(lab.Errorf("-only says what to measure, which needs -data"))
	}
	lab.In("-only", func() { opt.only = lab.Need(regexp.Compile(only)) })
	return opt
}

// measure runs the experiments that are asked for and writes their raw files.
func measure(ctx context.Context, opt *options, stderr io.Writer) {
	ran := 0
	for _, p := range opt.protocols {
		if !opt.only.MatchString(p.Name) {
			continue
		}
		ran++
		fmt.Fprintf(stderr, "replicate: %s\n", p.Name)
		lab.In("part "+p.Name, func() { p.record(ctx, opt) })
	}
	if ran == 0 {
		panic(lab.Errorf("no part matches -only %q; see -h", opt.only))
	}
}
