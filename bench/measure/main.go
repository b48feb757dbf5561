// Command measure runs the benchmarks behind BENCHMARKS.md and writes their output
// to bench/results, with lines that say where it comes from.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

const usage = `usage: go run ./bench/measure [flags], then go run ./bench/report

It runs one stage of benchmarks after the other, each into a raw file of its own.
Where the kernels matter, the paths that this CPU has (generic, avx2, avx512 or
neon) take turns, one process each a round: what else the machine does meets all
of them. It takes about 45 minutes; the real collections are found by
TERMSIFT_DATA, and scikit-learn, numpy and gcc are those of the system.

Flags:
  -count N       measurements of each benchmark (default 6)
  -sets LIST     only these sets, with commas (default those of each stage)
  -only REGEX    only the stages whose names match
  -time DURATION another -benchtime than that of the stages, for a trial
  -out DIR       folder of the raw files (default bench/results)
  -build DIR     measure nothing: build this command and the test binaries of the
                 stages into DIR, statically, for a machine without Go
  -from DIR      run what -build made, in a folder with the same tree

Stages:
`

// options are the flags.
type options struct {
	count           int
	sets, time, out string
	build, from     string
	only            *regexp.Regexp
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	opt, err := parse(os.Args[1:], os.Stderr)
	if err == nil {
		err = measure(ctx, opt, os.Stderr)
	}
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// parse reads and checks the flags.
func parse(args []string, stderr io.Writer) (*options, error) {
	opt, only := &options{}, ""
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&opt.count, "count", 6, "")
	flags.StringVar(&opt.sets, "sets", "", "")
	flags.StringVar(&opt.time, "time", "", "")
	flags.StringVar(&opt.out, "out", "bench/results", "")
	flags.StringVar(&opt.build, "build", "", "")
	flags.StringVar(&opt.from, "from", "", "")
	flags.StringVar(&only, "only", "", "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		printUsage(stderr)
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%w; see -h", err)
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("it takes no arguments, got %q; see -h", flags.Arg(0))
	}
	if opt.build != "" && opt.from != "" {
		return nil, errors.New("-build and -from are for two machines; see -h")
	}
	if opt.count < 1 {
		return nil, fmt.Errorf("-count must be at least 1, not %d", opt.count)
	}
	var err error
	if opt.only, err = regexp.Compile(only); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	return opt, nil
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, usage)
	for _, s := range stages {
		fmt.Fprintf(w, "  %-10s %s\n", s.name, s.about)
	}
}

// measure runs the stages. One that fails does not stop the others.
func measure(ctx context.Context, opt *options, stderr io.Writer) (err error) {
	temp, err := os.MkdirTemp("", "termsift-measure-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	s := &session{opt: opt, temp: temp, stderr: stderr, binaries: map[string]binary{}}
	if opt.build != "" {
		return s.pack(ctx)
	}
	if err := os.MkdirAll(opt.out, 0o777); err != nil {
		return fmt.Errorf("the folder of the raw files: %w", err)
	}
	here, err := s.origin(ctx)
	if err != nil {
		return err
	}
	s.header = here.Lines()
	var failures []error
	ran := 0
	for _, stage := range stages {
		if !stage.asked(opt) {
			continue
		}
		ran++
		if n := runtime.NumCPU(); n < stage.least {
			fmt.Fprintf(stderr, "measure: %s is left out: it needs %d processors, this machine has %d\n", stage.name, stage.least, n)
			continue
		}
		if err := s.stage(ctx, stage); err != nil {
			failures = append(failures, fmt.Errorf("stage %s: %w", stage.name, err))
		}
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted in stage %s", stage.name)
		}
	}
	if ran == 0 {
		return fmt.Errorf("no stage matches -only %q and -sets %q; see -h", opt.only, opt.sets)
	}
	return errors.Join(failures...)
}

// asked says whether the flags choose the stage.
func (s stage) asked(opt *options) bool {
	return opt.only.MatchString(s.name) && s.restrict(opt.sets) != nothing
}

// nothing is what is left of a stage's sets if none of them is asked for.
const nothing = "none"

// restrict gives the sets of a stage that are asked for.
func (s stage) restrict(asked string) string {
	if asked == "" || s.sets == "" {
		return s.sets
	}
	var left []string
	for name := range strings.SplitSeq(s.sets, ",") {
		if strings.Contains(","+asked+",", ","+name+",") {
			left = append(left, name)
		}
	}
	if left == nil {
		return nothing
	}
	return strings.Join(left, ",")
}
