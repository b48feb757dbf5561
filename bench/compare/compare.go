// Command compare measures what users do today with scikit-learn, with numpy by
// hand and with careful C against this engine: the same machine, the same
// data, one thread each, in turn.
//
//	go run ./bench/compare -rounds 7 -o compare.txt
//
// The output is Go benchmark text, one line for each round and implementation,
// which benchstat reads. The figures are CPU time, but of ShellWall. Every implementation lives
// in one process for the whole run, loads its data before the first
// measurement and runs each job once to warm up, so that nothing is charged for
// starting; ours collects the garbage of loading, too, without which the first thirty rankings
// touch memory that is new to the process, a page fault for every 512 values. Only the jobs whose
// names begin with Shell are a process for each run. What the implementations answer is compared; where they disagree
// the command says how and fails.
//
// The jobs whose names begin with Cells take what is counted already: the engine and a
// C program hold the same counts of terms in classes, of 20 Newsgroups and of generated
// sets, and compute a value of every term. CellsAll, every measure in one pass, is the
// engine's alone. The largest of the sets takes a minute or two to make; -sets leaves it out.
//
// A round is the mean of three repetitions: the garbage collector works in some of ours
// only, and a median would hide it. A job of seconds is repeated less often, see
// [repetitions].
//
// Peers come from the operating system (Debian: python3-sklearn, python3-scipy, gcc), and the
// newest scikit-learn, numpy and scipy from a virtual environment that -newest names and that the
// command makes, with the versions of peers/requirements.txt. One that is missing is named in the
// output and left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"

	"github.com/termsift/termsift/bench/lab"
)

// options are what the flags say.
type options struct {
	rounds int
	data   string
	jobs   *regexp.Regexp
	sets   []string // of the jobs of cells
	newest string   // folder of the virtual environment of the newest peers
	out    string
}

func main() {
	if serving() {
		exit(lab.Try(func() { serve(os.Args[1:], os.Stdin, os.Stdout) }))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	opt, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = lab.Try(func() { compareAll(ctx, opt) })
	}
	exit(err)
}

// exit reports an error to the caller of the command.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func parse(args []string) (opt options, err error) {
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.IntVar(&opt.rounds, "rounds", 7, "measurements of each job and implementation")
	f.StringVar(&opt.data, "data", os.Getenv("TERMSIFT_DATA"), "directory of "+newsgroupsArchive+"; the default is TERMSIFT_DATA")
	f.StringVar(&opt.out, "o", "", "file for the results; the default is standard output")
	pattern := f.String("jobs", ".", "run the jobs that match this regular expression: "+fmt.Sprint(jobNames()))
	sets := f.String("sets", newsgroupsSet+",M,L", "sets of the jobs of cells, with commas")
	f.StringVar(&opt.newest, "newest", "", "folder of a virtual environment with the newest peers, which is made if it is not there")
	if err := f.Parse(args); err != nil {
		return opt, err
	}
	if f.NArg() > 0 {
		return opt, fmt.Errorf("unexpected argument %q; the flags are listed by -h", f.Arg(0))
	}
	if opt.rounds < 1 {
		return opt, fmt.Errorf("-rounds must be at least 1, not %d", opt.rounds)
	}
	if opt.jobs, err = regexp.Compile(*pattern); err != nil {
		return opt, fmt.Errorf("-jobs: %w", err)
	}
	if !slices.ContainsFunc(jobNames(), opt.jobs.MatchString) {
		return opt, fmt.Errorf("-jobs %q matches none of %v", *pattern, jobNames())
	}
	opt.sets, err = parseSets(*sets)
	return opt, err
}

// wants tells whether some of the jobs are to be run.
func (opt options) wants(jobs []job) bool {
	return slices.ContainsFunc(jobs, func(j job) bool { return opt.jobs.MatchString(j.name) })
}

// compareAll runs the jobs on 20 Newsgroups, and those of cells on their sets.
func compareAll(ctx context.Context, opt options) {
	d := data{set: newsgroupsSet, top: 10_000}
	if opt.wants(jobs) {
		d.docs = readNewsgroups(ctx, opt.data)
	}
	out := os.Stdout
	if opt.out != "" {
		out = lab.Need(os.Create(opt.out))
		defer func() { lab.Check(out.Close()) }()
	}
	r := &report{out: out}
	r.config(opt)
	tools := installed(ctx, opt.newest)
	var failures []error
	if opt.wants(jobs) {
		failures = append(failures, lab.Try(func() { compare(ctx, opt, d, tools, r) }))
		d.docs = nil
	}
	if opt.wants(cellJobs) && ctx.Err() == nil {
		failures = append(failures, lab.Try(func() { compareCells(ctx, opt, tools, r) }))
	}
	r.summary()
	lab.Check(errors.Join(append(failures, r.err)...))
}

// compare prepares the data, starts the implementations, and measures the jobs.
func compare(ctx context.Context, opt options, d data, tools toolchain, r *report) {
	lab.InTemporary("termsift-compare-", func(dir string) {
		exported := d.export(ctx, dir)
		team := startAll(ctx, tools, dir, exported)
		defer team.close()
		r.set, r.lengths = d.set, exported.lengths
		measureJobs(ctx, opt, jobs, team, dir, r)
	})
}

// measureJobs measures the jobs that are asked for.
func measureJobs(ctx context.Context, opt options, jobs []job, team *team, dir string, r *report) {
	r.team(team)
	var failures []error
	for _, j := range jobs {
		if opt.jobs.MatchString(j.name) {
			failures = append(failures, lab.Try(func() { measureJob(ctx, j, opt.rounds, team, dir, r) }))
		}
		if ctx.Err() != nil {
			lab.Check(context.Cause(ctx))
		}
	}
	lab.Check(errors.Join(failures...))
}

// measureJob warms up, compares the answers, and measures round by round, the
// implementations in turn within each.
func measureJob(ctx context.Context, j job, rounds int, team *team, dir string, r *report) {
	impls := team.present(j)
	answers := map[string]answer{}
	for _, impl := range impls {
		lab.In(j.name+" by "+impl, func() { answers[impl] = team.by[impl].answer(j.name, impl, dir) })
	}
	for range rounds {
		for _, impl := range impls {
			lab.In(j.name+" by "+impl, func() { r.line(j, impl, measureRound(team.by[impl], j.name, impl)) })
		}
		if ctx.Err() != nil {
			lab.Check(context.Cause(ctx))
		}
	}
	lab.Check(checkJob(j, impls, answers, r))
}

// repetitions is how often a round repeats a job, and enough is the CPU time
// after which it stops early: jobs of seconds need no averaging.
const (
	repetitions = 3
	enough      = time.Second
)

// measureRound is the CPU time of one repetition.
func measureRound(c *child, job, impl string) time.Duration {
	total, n := time.Duration(0), time.Duration(0)
	for ; n < repetitions && total < enough; n++ {
		total += c.run(job, impl)
	}
	return total / n
}

// checkJob compares every peer's answer with ours and reports the outcome.
func checkJob(j job, impls []string, answers map[string]answer, r *report) error {
	var failures []error
	for _, impl := range impls {
		if impl == ours {
			continue
		}
		note, err := j.check(impl)(answers[ours], answers[impl])
		if err != nil {
			err = fmt.Errorf("%s: %s disagrees with %s: %w", j.name, impl, ours, err)
			r.note("disagreement: %v", err)
			failures = append(failures, err)
			continue
		}
		r.note("checked: %s: %s and %s: %s", j.name, impl, ours, note)
	}
	return errors.Join(failures...)
}
