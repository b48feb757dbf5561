// Command measure runs the benchmarks behind BENCHMARKS.md and writes their output
// to bench/results, with lines that say where it comes from. It compares two revisions, too (gate.go),
// and tells what each kernel earns (rent.go).
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

	"github.com/termsift/termsift/bench/host"
)

const usage = `usage: go run ./bench/measure [flags], then go run ./bench/report
       go run ./bench/measure gate -base REV [flags]   compare two revisions
       go run ./bench/measure rent [flags]             what each kernel earns

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
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// run is the whole command: arguments in, exit code out.
func run(ctx context.Context, args []string) int {
	name, work := "measure", func() { measure(ctx, host.Need(parse(args, os.Stderr)), os.Stderr) }
	switch {
	case len(args) > 0 && args[0] == "gate":
		return runGate(ctx, args[1:], os.Stdout, os.Stderr)
	case len(args) > 0 && args[0] == "rent":
		name, work = "rent", func() { runRent(ctx, args[1:]) }
	}
	err := host.Try(work)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	return 1
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
func measure(ctx context.Context, opt *options, stderr io.Writer) {
	host.InTemporary("termsift-measure-", func(temp string) {
		s := &session{opt: opt, temp: temp, stderr: stderr, binaries: map[string]binary{}}
		if opt.build != "" {
			s.pack(ctx)
		} else {
			s.stages(ctx)
		}
	})
}

// stages runs the stages that the flags choose.
func (s *session) stages(ctx context.Context) {
	host.In("the folder of the raw files", func() { host.Check(os.MkdirAll(s.opt.out, 0o777)) })
	s.header = s.origin(ctx).Lines()
	var failures []error
	ran := 0
	for _, stage := range stages {
		if !stage.asked(s.opt) {
			continue
		}
		ran++
		if n := runtime.NumCPU(); n < stage.least {
			fmt.Fprintf(s.stderr, "measure: %s is left out: it needs %d processors, this machine has %d\n", stage.name, stage.least, n)
			continue
		}
		if err := host.Try(func() { s.stage(ctx, stage) }); err != nil {
			failures = append(failures, fmt.Errorf("stage %s: %w", stage.name, err))
		}
		if ctx.Err() != nil {
			panic(host.Errorf("interrupted in stage %s", stage.name))
		}
	}
	if ran == 0 {
		panic(host.Errorf("no stage matches -only %q and -sets %q; see -h", s.opt.only, s.opt.sets))
	}
	host.Check(errors.Join(failures...))
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
