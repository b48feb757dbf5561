package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
//	go run ./bench/measure rent [-kernel REGEXP] [-job REGEXP] [-count 6] [-dir FOLDER]
//
// It runs at the top of the clone, on amd64. The product has no switch for this: the command builds itself
// once more with a changed kernels/dispatch_amd64.go (rent_overlay.go). The collections are below TERMSIFT_DATA.
func runRent(ctx context.Context, args []string) {
	flags := flag.NewFlagSet("rent", flag.ContinueOnError)
	kernel := flags.String("kernel", "", "measure the kernels and forms that this matches, such as setSums or setSums.avx512")
	job := flags.String("job", "", "run the jobs that this matches")
	count := flags.Int("count", 6, "measure so many pairs")
	dir := flags.String("dir", filepath.Join(os.TempDir(), "termsift-rent"), "keep indexes and the program in this folder")
	child := flags.String("child", "", "run this job here and print its CPU time")
	lab.Check(flags.Parse(args))
	if *child != "" {
		runJob(ctx, *child, *dir)
		return
	}
	lab.Check(os.MkdirAll(*dir, 0o777))
	r := renting{ctx: ctx, dir: *dir, program: filepath.Join(*dir, "rent")}
	r.measure(lab.Need(readDispatch(dispatchFile)), lab.Need(regexp.Compile(*kernel)), lab.Need(regexp.Compile(*job)), *count)
}

// renting runs jobs with a changed program.
type renting struct {
	ctx          context.Context
	dir, program string
}

// measure builds the changed program and prints a line for each job and each kernel that it calls.
func (r renting) measure(d *dispatch, kernel, job *regexp.Regexp, count int) {
	output(command(r.ctx, "", "go", "build", "-overlay", d.overlay(r.dir, dispatchFile), "-o", r.program, "./bench/measure"))
	fmt.Println("job\tout\tcpu, least\tcpu, median\twithout / with: least\tmedian")
	for _, j := range rentJobs {
		if !job.MatchString(j.name) {
			continue
		}
		called := r.calledBy(j.name)
		fmt.Printf("%s\tcalls %s\n", j.name, strings.Join(called, " "))
		for _, out := range d.outs(called) {
			if kernel.MatchString(out) {
				r.compare(j.name, out, count)
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

// child runs a job with a variable in its environment.
func (r renting) child(job, variable, value string) (stdout, stderr string) {
	cmd := command(r.ctx, "", r.program, "rent", "-dir", r.dir, "-child", job)
	cmd.Env = append(os.Environ(), variable+"="+value)
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	if err := cmd.Run(); err != nil {
		panic(lab.Errorf("%s with %s=%s: %w\n%s", job, variable, value, err, &told))
	}
	return out.String(), told.String()
}

// calledBy returns the kernels that a job calls.
func (r renting) calledBy(job string) (called []string) {
	_, told := r.child(job, traceVariable, "prepare")
	for line := range strings.Lines(told) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), timedPhase+" "); ok {
			called = append(called, name)
		}
	}
	slices.Sort(called)
	return called
}

// compare runs a job with a kernel in and out, in turn.
func (r renting) compare(job, out string, count int) {
	var times [2][]float64
	for i := range 2 * count {
		side := (i + i/2) % 2 // another one begins each pair
		ns, _ := r.child(job, outVariable, [2]string{"", out}[side])
		times[side] = append(times[side], lab.Need(strconv.ParseFloat(strings.TrimSpace(ns), 64)))
	}
	with, without := times[0], times[1]
	fmt.Printf("%s\t%s\t%.3f ms\t%.3f ms\t%.3f\t%.3f\n", job, out, slices.Min(with)/1e6, median(with)/1e6, slices.Min(without)/slices.Min(with), median(without)/median(with))
}
