package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
)

const gateUsage = `usage: go run ./bench/measure gate -base REV [flags]

It builds the test binaries of two revisions and runs their benchmarks in turn
(base, head, head, base, ...), so that what else the machine does meets both.
Of each pair of runs it takes the ratio of their times. It fails if the 95 %
interval of a median ratio, by order statistics, lies above the limit as a whole;
where the limit is within the interval nothing is judged. Where a benchmark
reports cpu-ns/op, that decides, and ns/op is only printed.

With -jobs it compares what users do, from text to classifiers, in a short form:
the CPU time of processes, the command among them.

Flags:
  -base REV       revision to compare with; must be given
  -head REV       revision to judge, or "worktree" for the files as they are
                  (default worktree)
  -jobs REGEX     run the jobs that this matches, and no benchmarks
  -bench REGEX    benchmarks to run, as for go test (default .)
  -package LIST   packages, with commas (default ./...)
  -count N        runs of each revision, at least 6 (default 9)
  -limit PERCENT  how much slower is too slow (default 10)
  -time DURATION  time or iterations of a run, as for go test -benchtime
                  (default 200ms)

Exit codes: 0 nothing is slower, 1 something is slower, 2 it could not judge:
wrong flags, a build that fails, an interrupt. (go run gives 1 for 2; build the
command to tell them apart.)
`

// gateOptions are the flags of gate.
type gateOptions struct {
	base, head, bench, jobs, benchtime string
	packages                           []string
	count                              int
	limit                              float64 // percent
}

// runGate compares the benchmarks of two revisions; its exit code is 1 if one has become slower.
func runGate(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return lab.ExitCode("gate", stderr, errSlower, func() {
		opt := parseGate(args, stderr)
		failed, err := lab.TryOf(func() bool { return gate(ctx, opt, stdout, stderr) })
		if ctx.Err() != nil {
			panic(lab.Errorf("interrupted, nothing is judged"))
		}
		lab.Check(err)
		if failed {
			lab.Check(errSlower)
		}
	})
}

// errSlower says what the table has shown.
var errSlower = errors.New("something has become slower")

// parseGate reads and checks the flags.
func parseGate(args []string, stderr io.Writer) *gateOptions {
	opt, packages := &gateOptions{}, ""
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.StringVar(&opt.base, "base", "", "")
	flags.StringVar(&opt.head, "head", worktree, "")
	flags.StringVar(&opt.bench, "bench", ".", "")
	flags.StringVar(&opt.jobs, "jobs", "", "")
	flags.StringVar(&packages, "package", "./...", "")
	flags.IntVar(&opt.count, "count", 9, "")
	flags.Float64Var(&opt.limit, "limit", 10, "")
	flags.StringVar(&opt.benchtime, "time", "200ms", "")
	lab.FlagsOnly(flags, args, gateUsage, stderr)
	opt.packages = strings.Split(packages, ",")
	lab.Check(opt.validate())
	return opt
}

var iterations = regexp.MustCompile(`^[1-9][0-9]*x$`)

// validate says what is wrong with the flags.
func (opt *gateOptions) validate() error {
	if opt.base == "" {
		return errors.New("say with -base which revision to compare with, for example -base main")
	}
	if opt.count < enoughPairs {
		return fmt.Errorf("-count %d is too few: less than %d runs have no interval", opt.count, enoughPairs)
	}
	if !(opt.limit > 0) {
		return fmt.Errorf("-limit %v: it must be a number of percent above 0", opt.limit)
	}
	for name, pattern := range map[string]string{"bench": opt.bench, "jobs": opt.jobs} {
		if _, err := regexp.Compile(pattern); err != nil {
			return fmt.Errorf("-%s: %w", name, err)
		}
	}
	if d, err := time.ParseDuration(opt.benchtime); !iterations.MatchString(opt.benchtime) && (err != nil || d <= 0) {
		return fmt.Errorf("-time %s: it must be a duration such as 200ms or a number of iterations such as 100x", opt.benchtime)
	}
	return nil
}

// gate measures both revisions and prints the verdicts.
func gate(ctx context.Context, opt *gateOptions, stdout, stderr io.Writer) (failed bool) {
	r := &revisions{}
	defer func() {
		if left := r.close(ctx); left != nil {
			fmt.Fprintln(stderr, "gate: not all temporary files are removed:", left)
		}
	}()
	r.open(ctx, opt)
	fmt.Fprintln(stderr, "gate: building")
	measure, none := r.measureBenchmarks, fmt.Sprintf("no benchmark matches -bench %q in %s", opt.bench, strings.Join(opt.packages, " "))
	if opt.jobs != "" {
		measure, none = r.measureJobs, fmt.Sprintf("no job matches -jobs %q", opt.jobs)
	}
	judged := measure(ctx, opt, stderr).judge(opt.limit)
	if len(judged) == 0 {
		panic(lab.Errorf("%s", none))
	}
	return printTable(stdout, judged, opt.limit)
}
