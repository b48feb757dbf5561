// Command measure runs the benchmarks behind BENCHMARKS.md and writes their output
// to bench/results, with lines that say where it comes from. It fills the page from these (report.go),
// compares two revisions (gate.go), and tells what each kernel earns (rent.go).
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

	"github.com/termsift/termsift/bench/lab"
)

const usage = `usage: go run ./bench/measure [flags], then go run ./bench/measure report
       go run ./bench/measure report [flags]           fill the tables of BENCHMARKS.md
       go run ./bench/measure gate -base REV [flags]   compare two revisions
       go run ./bench/measure rent [flags]             what each kernel earns
       go run ./bench/measure shards -o DIR [flags]    shards, to try merging on

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
  -size MB       text of the stage processes (default 1000)
  -out DIR       folder of the raw files (default bench/results)
  -build DIR     measure nothing: build this command, termsift and the test binaries of
                 the stages into DIR, statically, for a machine without Go
  -from DIR      run what -build made, in a folder with the same tree

Stages:
`

// options are the flags.
type options struct {
	count, size     int
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
	name, rest := "", args
	if len(args) > 0 {
		name, rest = args[0], args[1:]
	}
	switch name {
	case "gate":
		return runGate(ctx, rest, os.Stdout, os.Stderr)
	case "report":
		return runReport(rest, os.Stderr)
	case "job":
		return lab.ExitCode(name, os.Stderr, nil, func() { serveJob(ctx, rest) })
	case "rent":
		return lab.ExitCode(name, os.Stderr, nil, func() { runRent(ctx, rest) })
	case "shards":
		return lab.ExitCode(name, os.Stderr, nil, func() { runShards(ctx, rest) })
	}
	return lab.ExitCode("measure", os.Stderr, nil, func() { measure(ctx, parse(args, os.Stderr), os.Stderr) })
}

// parse reads and checks the flags.
func parse(args []string, stderr io.Writer) *options {
	opt, only := &options{}, ""
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.IntVar(&opt.count, "count", 6, "")
	flags.StringVar(&opt.sets, "sets", "", "")
	flags.StringVar(&opt.time, "time", "", "")
	flags.StringVar(&opt.out, "out", "bench/results", "")
	flags.IntVar(&opt.size, "size", 1000, "")
	flags.StringVar(&opt.build, "build", "", "")
	flags.StringVar(&opt.from, "from", "", "")
	flags.StringVar(&only, "only", "", "")
	list := usage
	for _, s := range stageList {
		list += fmt.Sprintf("  %-10s %s\n", s.name, s.about)
	}
	lab.FlagsOnly(flags, args, list, stderr)
	if opt.build != "" && opt.from != "" {
		panic(lab.Errorf("-build and -from are for two machines; see -h"))
	}
	if opt.count < 1 || opt.size < 1 {
		panic(lab.Errorf("-count and -size must be at least 1, not %d and %d", opt.count, opt.size))
	}
	lab.In("-only", func() { opt.only = lab.Need(regexp.Compile(only)) })
	return opt
}

// measure runs the stages. One that fails does not stop the others.
func measure(ctx context.Context, opt *options, stderr io.Writer) {
	lab.InTemporary("termsift-measure-", func(temp string) {
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
	lab.In("the folder of the raw files", func() { lab.Check(os.MkdirAll(s.opt.out, 0o777)) })
	s.header = s.origin(ctx).Lines()
	var failures []error
	ran := 0
	for _, stage := range stageList {
		if !stage.asked(s.opt) {
			continue
		}
		ran++
		if n := runtime.NumCPU(); n < stage.least {
			fmt.Fprintf(s.stderr, "measure: %s is left out: it needs %d processors, this machine has %d\n", stage.name, stage.least, n)
			continue
		}
		if err := lab.Try(func() { s.stage(ctx, stage) }); err != nil {
			failures = append(failures, fmt.Errorf("stage %s: %w", stage.name, err))
		}
		if ctx.Err() != nil {
			panic(lab.Errorf("interrupted in stage %s", stage.name))
		}
	}
	if ran == 0 {
		panic(lab.Errorf("no stage matches -only %q and -sets %q; see -h", s.opt.only, s.opt.sets))
	}
	lab.Check(errors.Join(failures...))
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
