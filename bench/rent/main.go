// Command rent measures what each kernel earns: it runs the jobs of a user with a kernel, or its AVX-512
// form, taken out and in, in turn, and prints the ratios of their CPU time.
//
//	go run ./bench/rent [-kernel REGEXP] [-job REGEXP] [-count 6] [-dir FOLDER]
//
// It runs at the top of the clone, on amd64. The product has no switch for this: the command builds itself
// once more with a changed kernels/dispatch_amd64.go (overlay.go). The collections are below TERMSIFT_DATA.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	outVariable   = "TERMSIFT_RENT_OUT"   // kernels and forms that are out, with commas
	traceVariable = "TERMSIFT_RENT_TRACE" // names the phase of a job whose kernels are told
	timedPhase    = "timed"
	secondForm    = ".avx512"

	dispatchFile = "kernels/dispatch_amd64.go"
)

func main() {
	kernel := flag.String("kernel", "", "measure the kernels and forms that this matches, such as setSums or setSums.avx512")
	job := flag.String("job", "", "run the jobs that this matches")
	count := flag.Int("count", 6, "measure so many pairs")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "termsift-rent"), "keep indexes and the program in this folder")
	child := flag.String("child", "", "run this job here and print its CPU time")
	flag.Parse()
	err := error(nil)
	if *child != "" {
		err = runJob(context.Background(), *child, *dir)
	} else {
		err = measure(*dir, regexp.MustCompile(*kernel), regexp.MustCompile(*job), *count)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rent:", err)
		os.Exit(1)
	}
}

// measure builds the changed program and prints a line for each job and each kernel that it calls.
func measure(dir string, kernel, job *regexp.Regexp, count int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	d, err := readDispatch(dispatchFile)
	if err != nil {
		return err
	}
	overlay, err := d.overlay(dir, dispatchFile)
	if err != nil {
		return err
	}
	program := filepath.Join(dir, "rent")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./bench/rent").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	fmt.Println("job\tout\tcpu, least\tcpu, median\twithout / with: least\tmedian")
	for _, j := range jobs {
		if !job.MatchString(j.name) {
			continue
		}
		called, err := calledBy(program, dir, j.name)
		if err != nil {
			return err
		}
		fmt.Printf("%s\tcalls %s\n", j.name, strings.Join(called, " "))
		for _, out := range d.outs(called) {
			if !kernel.MatchString(out) {
				continue
			}
			if err := compare(program, dir, j.name, out, count); err != nil {
				return err
			}
		}
	}
	return nil
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
func calledBy(program, dir, job string) (called []string, err error) {
	cmd := exec.Command(program, "-dir", dir, "-child", job)
	cmd.Env = append(os.Environ(), traceVariable+"=prepare")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", job, err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), timedPhase+" "); ok {
			called = append(called, name)
		}
	}
	slices.Sort(called)
	return called, nil
}

// compare runs a job with a kernel in and out, in turn.
func compare(program, dir, job, out string, count int) error {
	var times [2][]float64
	for i := range 2 * count {
		side := (i + i/2) % 2 // another one begins each pair
		env := ""
		if side == 1 {
			env = out
		}
		ns, err := timeOf(program, dir, job, env)
		if err != nil {
			return err
		}
		times[side] = append(times[side], ns)
	}
	for _, t := range times {
		slices.Sort(t)
	}
	with, without := times[0], times[1]
	middle := func(t []float64) float64 { return (t[(len(t)-1)/2] + t[len(t)/2]) / 2 }
	fmt.Printf("%s\t%s\t%.3f ms\t%.3f ms\t%.3f\t%.3f\n", job, out, with[0]/1e6, middle(with)/1e6, without[0]/with[0], middle(without)/middle(with))
	return nil
}

// timeOf runs a job once and returns its CPU time in nanoseconds.
func timeOf(program, dir, job, out string) (float64, error) {
	cmd := exec.Command(program, "-dir", dir, "-child", job)
	cmd.Env = append(os.Environ(), outVariable+"="+out)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s without %q: %w", job, out, err)
	}
	return strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
}
