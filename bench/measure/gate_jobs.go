package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/termsift/termsift/bench/lab"
)

// measureJobs builds the programs of both sides, and has them run the jobs in their short form in turn.
func (r *revisions) measureJobs(ctx context.Context, opt *gateOptions, stderr io.Writer) *gateResults {
	var programs [2]program
	var names [2][]string
	for i, side := range r.sides {
		dir := filepath.Join(r.temp, side.label+"-jobs")
		programs[i] = program{path: filepath.Join(dir, "measure"), dir: dir, set: shortSet}
		lab.In(side.label+" does not build", func() { programs[i].build(ctx, side.dir, "-trimpath") })
		lab.In("the jobs of "+side.label, func() { names[i] = programs[i].jobs(ctx) })
	}
	found, wanted := &gateResults{}, regexp.MustCompile(opt.jobs)
	for _, name := range names[1] {
		switch {
		case !wanted.MatchString(name):
		case !slices.Contains(names[0], name):
			fmt.Fprintf(stderr, "gate: %s: only head has this job\n", name)
		default:
			fmt.Fprintf(stderr, "gate: %s\n", name)
			found.find("job", name).cpu = takeTurns(ctx, name, programs, opt.count)
		}
	}
	return found
}
