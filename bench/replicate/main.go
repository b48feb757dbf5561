// Command replicate repeats what papers report: it measures, keeps the raw results in
// bench/results, and writes REPLICATION.md from these, the papers' claims beside ours.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/termsift/termsift/bench/markdown"
)

const usage = `usage: go run ./bench/replicate -data DIR [flags]   measure, then write
       go run ./bench/replicate [-check] [flags]    write from the raw results

It measures one part after the other, each into a raw file of its own, and fills the
tables of REPLICATION.md from all raw files. No figure and no verdict in it is typed by hand.

Flags:
  -data DIR     folder of the collections (REPLICATION.md says which)
  -only REGEX   measure only the parts whose names match
  -check        write nothing; exit 1 if the file on disk differs
  -results DIR  folder of the raw files (default bench/results)
  -out FILE     the page to fill (default REPLICATION.md)

Exit codes: 0 done, 1 -check found a difference, 2 anything else. (go run
gives 1 for 2; build the command to tell them apart.)

Parts:
`

// options are the flags.
type options struct {
	data, results, out string
	only               *regexp.Regexp
	check              bool
	parts              []part
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command: arguments in, exit code out.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	opt, err := parse(args, stderr)
	if err == nil && opt.data != "" {
		err = measure(ctx, opt, stderr)
	}
	if err == nil {
		err = document(opt)
	}
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, markdown.ErrDiffers):
		fmt.Fprintln(stderr, "replicate:", err)
		return 1
	}
	fmt.Fprintln(stderr, "replicate:", err)
	return 2
}

// parse reads and checks the flags.
func parse(args []string, stderr io.Writer) (*options, error) {
	parts, err := allParts()
	if err != nil {
		return nil, err
	}
	opt, only := &options{parts: parts}, ""
	flags := flag.NewFlagSet("replicate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&opt.data, "data", "", "")
	flags.StringVar(&only, "only", "", "")
	flags.BoolVar(&opt.check, "check", false, "")
	flags.StringVar(&opt.results, "results", "bench/results", "")
	flags.StringVar(&opt.out, "out", "REPLICATION.md", "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stderr, usage)
		for _, p := range parts {
			fmt.Fprintf(stderr, "  %-18s %s\n", p.name, p.about)
		}
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%w; see -h", err)
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("it takes no arguments, got %q; see -h", flags.Arg(0))
	case opt.check && opt.data != "":
		return nil, errors.New("-check measures nothing: leave -data away")
	case only != "" && opt.data == "":
		return nil, errors.New("-only says what to measure, which needs -data")
	}
	if opt.only, err = regexp.Compile(only); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	return opt, nil
}

// measure runs the parts that are asked for and writes their raw files.
func measure(ctx context.Context, opt *options, stderr io.Writer) error {
	ran := 0
	for _, p := range opt.parts {
		if !opt.only.MatchString(p.name) {
			continue
		}
		ran++
		fmt.Fprintf(stderr, "replicate: %s\n", p.name)
		if err := p.run(ctx, opt); err != nil {
			return fmt.Errorf("part %s: %w", p.name, err)
		}
	}
	if ran == 0 {
		return fmt.Errorf("no part matches -only %q; see -h", opt.only)
	}
	return nil
}

// rawPath is the raw file of a part.
func (p part) rawPath(opt *options) string {
	return filepath.Join(opt.results, "replicate-"+p.name+".json")
}
