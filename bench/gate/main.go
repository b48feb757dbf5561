// Command gate compares the benchmarks of two revisions and fails if one has
// become slower.
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
	"strings"
	"syscall"
	"time"
)

const usage = `usage: go run ./bench/gate -base REV [flags]

It builds the test binaries of two revisions and runs their benchmarks in turn
(base, head, head, base, ...), so that what else the machine does meets both.
It fails if the median of a benchmark is slower by more than the limit and a
Mann-Whitney U test gives p < 0.05. Where a benchmark reports cpu-ns/op, that
decides, and ns/op is only printed.

Flags:
  -base REV       revision to compare with; must be given
  -head REV       revision to judge, or "worktree" for the files as they are
                  (default worktree)
  -bench REGEX    benchmarks to run, as for go test (default .)
  -package LIST   packages, with commas (default ./...)
  -count N        runs of each revision, at least 4 (default 8)
  -limit PERCENT  how much slower is too slow (default 10)
  -time DURATION  time or iterations of a run, as for go test -benchtime
                  (default 200ms)

Exit codes: 0 nothing is slower, 1 something is slower, 2 it could not judge:
wrong flags, a build that fails, an interrupt. (go run gives 1 for 2; build the
command to tell them apart.)
`

// options are the flags.
type options struct {
	base, head, bench, benchtime string
	packages                     []string
	count                        int
	limit                        float64 // percent
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command: arguments in, exit code out.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opt, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	failed := false
	if err == nil {
		failed, err = gate(ctx, opt, stdout, stderr)
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "gate: interrupted, nothing is judged")
		return 2
	case err != nil:
		fmt.Fprintln(stderr, "gate:", err)
		return 2
	case failed:
		return 1
	}
	return 0
}

// parseFlags reads and checks the flags.
func parseFlags(args []string, stderr io.Writer) (*options, error) {
	opt, packages := &options{}, ""
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&opt.base, "base", "", "")
	flags.StringVar(&opt.head, "head", worktree, "")
	flags.StringVar(&opt.bench, "bench", ".", "")
	flags.StringVar(&packages, "package", "./...", "")
	flags.IntVar(&opt.count, "count", 8, "")
	flags.Float64Var(&opt.limit, "limit", 10, "")
	flags.StringVar(&opt.benchtime, "time", "200ms", "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stderr, usage)
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%w; see -h", err)
	}
	opt.packages = strings.Split(packages, ",")
	return opt, opt.validate(flags.Args())
}

var iterations = regexp.MustCompile(`^[1-9][0-9]*x$`)

// validate says what is wrong with the flags.
func (opt *options) validate(rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("it takes no arguments, got %q; see -h", rest[0])
	}
	if opt.base == "" {
		return errors.New("say with -base which revision to compare with, for example -base main")
	}
	if opt.count < enoughRuns {
		return fmt.Errorf("-count %d is too few: with less than %d runs no difference is significant", opt.count, enoughRuns)
	}
	if !(opt.limit > 0) {
		return fmt.Errorf("-limit %v: it must be a number of percent above 0", opt.limit)
	}
	if _, err := regexp.Compile(opt.bench); err != nil {
		return fmt.Errorf("-bench: %w", err)
	}
	if d, err := time.ParseDuration(opt.benchtime); !iterations.MatchString(opt.benchtime) && (err != nil || d <= 0) {
		return fmt.Errorf("-time %s: it must be a duration such as 200ms or a number of iterations such as 100x", opt.benchtime)
	}
	return nil
}

// gate measures both revisions and prints the verdicts.
func gate(ctx context.Context, opt *options, stdout, stderr io.Writer) (failed bool, _ error) {
	s := &session{}
	defer func() {
		if left := s.close(ctx); left != nil {
			fmt.Fprintln(stderr, "gate: not all temporary files are removed:", left)
		}
	}()
	if err := s.open(ctx, opt); err != nil {
		return false, err
	}
	fmt.Fprintln(stderr, "gate: building")
	if err := s.build(ctx, opt.packages); err != nil {
		return false, err
	}
	results, err := s.measure(ctx, opt, stderr)
	if err != nil {
		return false, err
	}
	judged := results.judge(opt.limit)
	if len(judged) == 0 {
		return false, fmt.Errorf("no benchmark matches -bench %q in %s", opt.bench, strings.Join(opt.packages, " "))
	}
	return printTable(stdout, judged, opt.limit), nil
}
