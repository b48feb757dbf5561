// Command replicate repeats the experiments of papers on feature selection. An experiment measures figures with names,
// which bench/results keeps, and decides by them what the paper claims. REPLICATION.md has what was found.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

const help = `usage: go run ./bench/replicate                  print a row for each experiment, as REPLICATION.md has it
       go run ./bench/replicate NAME             print the claims of its paper beside what was measured
       go run ./bench/replicate NAME -data DIR   run it, and print that

Flags:
  -data DIR     folder of the collections (REPLICATION.md says which)
  -html FILE    also write a page with the claims and the curves of F1
  -keep         with -data, write the raw results, too
  -results DIR  folder of the raw results (default bench/results)

Experiments:
`

// An experiment repeats what a paper has measured.
type experiment struct {
	name, title, paper string
	measure            func(ctx context.Context, m *measuring)
	tested             string // the figure that counts the documents which shares of right ones are of
	divisions          int    // as many times the documents of that figure
	decide             func(c *claims)
}

var experiments = []*experiment{
	&ttestReuters, &ttest20NG, &ocfs20NG, &ocfsRCV1, &btReuters, &bt20NG, &projectionChinese, &modifiedChi20NG, &iris, &bestTerms,
}

// A record is a raw file: what an experiment measured, where, and what that says of the claims.
type record struct {
	Origin  origin            `json:"origin"`
	Command string            `json:"command"`
	Finding string            `json:"finding"`
	Claims  []*claim          `json:"claims"`
	Figures figures           `json:"figures"`
	Lists   map[string]string `json:"lists,omitempty"`
	Seconds float64           `json:"seconds,omitempty"`     // on the clock
	CPU     float64           `json:"cpu_seconds,omitempty"` // of all threads
}

// An origin says where results come from.
type origin struct {
	CPU     string `json:"cpu,omitempty"`
	Machine string `json:"machine"`
	Go      string `json:"go"`
	Commit  string `json:"commit"` // "with changes" where the sources are not those of the commit
	Date    string `json:"date"`
}

// fail ends a run with an error.
func fail(format string, args ...any) { testkit.OK(fmt.Errorf(format, args...)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "replicate:", err)
		os.Exit(2)
	}
}

// run is the whole command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	defer testkit.Caught(&err)
	flags := flag.NewFlagSet("replicate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	data, html := flags.String("data", "", ""), flags.String("html", "", "")
	keep, results := flags.Bool("keep", false, ""), flags.String("results", "bench/results", "")
	flags.Usage = func() {
		fmt.Fprint(stderr, help)
		for _, e := range experiments {
			fmt.Fprintf(stderr, "  %-18s %s\n", e.name, e.title)
		}
	}
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		fail("it runs one experiment at a time, and %q is one too many; see -h", flags.Arg(0))
	case name == "" && (*data != "" || *html != "" || *keep):
		fail("name the experiment; -h has the names")
	case *keep && *data == "":
		fail("-keep goes with -data")
	case name == "":
		for _, e := range experiments {
			fmt.Fprintln(stdout, e.row(e.recorded(*results)))
		}
		return nil
	}
	e := find(name)
	var r *record
	if *data == "" {
		r = e.recorded(*results)
	} else {
		r = e.run(ctx, *data, stderr)
	}
	if *keep {
		text := testkit.Must(json.MarshalIndent(r, "", " "))
		testkit.OK(os.WriteFile(e.path(*results), append(text, '\n'), 0o666))
	}
	if *html != "" {
		testkit.OK(files.Write(ctx, files.OS{}, *html, e.page(r).WriteHTML))
	}
	_, err = io.WriteString(stdout, e.text(r))
	return err
}

// find returns the experiment of a name.
func find(name string) *experiment {
	var names []string
	for _, e := range experiments {
		if e.name == name {
			return e
		}
		names = append(names, e.name)
	}
	testkit.OK(&usage.UnknownError{Kind: "experiment", Name: name, Near: usage.Nearest(name, slices.Values(names)), Known: names})
	return nil
}

// run measures on the collections in a folder.
func (e *experiment) run(ctx context.Context, data string, progress io.Writer) *record {
	m := newMeasuring(data, progress)
	m.Origin, m.Command = here(ctx), "go run ./bench/replicate "+e.name+" -data DIR -keep"
	start, cpu := time.Now(), pool.CPU()
	e.measure(ctx, m)
	m.Seconds, m.CPU = time.Since(start).Seconds(), (pool.CPU() - cpu).Seconds()
	e.judge(&m.record)
	return &m.record
}

// judge decides the claims by the figures.
func (e *experiment) judge(r *record) {
	c := &claims{figures: r.Figures}
	if e.tested != "" {
		c.tested = float64(max(1, e.divisions)) * r.Figures.at(e.tested)
	}
	e.decide(c)
	r.Claims, r.Finding = c.judged(), c.finding
}

func (e *experiment) path(results string) string {
	return filepath.Join(results, "replicate-"+e.name+".json")
}

// recorded reads the raw file, and decides again by its figures.
func (e *experiment) recorded(results string) *record {
	data, err := os.ReadFile(e.path(results))
	if err != nil {
		fail("%w; run %s with -data and -keep first", err, e.name)
	}
	r := &record{}
	if err := json.Unmarshal(data, r); err != nil {
		fail("%s: %w; run %s again", e.path(results), err, e.name)
	}
	e.judge(r)
	return r
}

// here is the origin of what is measured now, in the repository of the working folder.
func here(ctx context.Context) origin {
	o := origin{cpuid.CPU.BrandName, fmt.Sprintf("%d processors", runtime.NumCPU()), runtime.Version(), "", time.Now().UTC().Format(time.DateOnly)}
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty= with changes", "--exclude=*").Output()
	if err == nil { // else there is no repository
		o.Commit = strings.TrimSpace(string(commit))
	}
	return o
}
