package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

const (
	outVariable   = "TERMSIFT_RENT_OUT"   // kernels and forms that are out, with commas
	traceVariable = "TERMSIFT_RENT_TRACE" // names the phase of a job whose kernels are told
	timedPhase    = "timed"
	secondForm    = ".avx512"

	dispatchFile = "kernels/dispatch_amd64.go"
)

// runRent measures what each kernel earns: it runs the jobs of a user with a kernel, or its AVX-512
// form, taken out and in, in turn, and prints the ratios of their CPU time.
//
//	go run ./bench/measure rent [-kernel REGEXP] [-job REGEXP] [-count 7] [-dir FOLDER]
//
// It runs at the top of the clone, on amd64. The product has no switch for this: the command builds itself
// once more with a changed kernels/dispatch_amd64.go (rent_overlay.go). The collections are below TERMSIFT_DATA.
func runRent(ctx context.Context, args []string) {
	flags := flag.NewFlagSet("rent", flag.ContinueOnError)
	kernel := flags.String("kernel", "", "measure the kernels and forms that this matches, such as setSums or setSums.avx512")
	job := flags.String("job", "", "run the jobs that this matches")
	count := flags.Int("count", 7, "measure so many pairs")
	dir := flags.String("dir", filepath.Join(os.TempDir(), "termsift-rent"), "keep indexes and the program in this folder")
	lab.Check(flags.Parse(args))
	r := renting{ctx, program{path: filepath.Join(*dir, "rent"), dir: *dir, set: largeSet}}
	r.measure(lab.Need(readDispatch(dispatchFile)), lab.Need(regexp.Compile(*kernel)), lab.Need(regexp.Compile(*job)), *count)
}

// renting runs jobs with a changed program.
type renting struct {
	ctx context.Context
	program
}

// measure builds the changed program and prints a line for each job and each kernel that it calls.
func (r renting) measure(d *dispatch, kernel, job *regexp.Regexp, count int) {
	lab.Check(os.MkdirAll(r.dir, 0o777))
	r.build(r.ctx, "", "-overlay", d.overlay(r.dir, dispatchFile))
	fmt.Println("job\tout\tcpu\twithout / with\t95 % interval")
	for _, name := range r.jobs(r.ctx) {
		if !job.MatchString(name) {
			continue
		}
		called := r.calledBy(name)
		fmt.Printf("%s\tcalls %s\n", name, strings.Join(called, " "))
		for _, out := range d.outs(called) {
			if kernel.MatchString(out) {
				r.compare(name, out, count)
			}
		}
	}
}

// outs are the kernels among those called, and their second forms.
func (d *dispatch) outs(called []string) (outs []string) {
	for _, name := range called {
		outs = append(outs, name)
		if slices.Contains(d.second, name) {
			outs = append(outs, name+secondForm)
		}
	}
	return outs
}

// calledBy returns the kernels that a job calls.
func (r renting) calledBy(job string) (called []string) {
	r.environment = []string{traceVariable + "=prepare"}
	told := withChildren(r.ctx, job, []program{r.program}, func(children []*lab.Child) { children[0].Ask("run") })
	for line := range strings.Lines(told) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), timedPhase+" "); ok && !slices.Contains(called, name) {
			called = append(called, name)
		}
	}
	slices.Sort(called)
	return called
}

// compare runs a job with a kernel in and out, in turn.
func (r renting) compare(job, out string, count int) {
	sides := [2]program{r.program, r.program}
	sides[1].environment = []string{outVariable + "=" + out}
	times := takeTurns(r.ctx, job, sides, count)
	c := compare(times[0], times[1], 10)
	fmt.Printf("%s\t%s\t%.3f ms\t%.3f\t%.3f to %.3f\n", job, out, c.base/1e6, c.ratio, c.low, c.high)
}
