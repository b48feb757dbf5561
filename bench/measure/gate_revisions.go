package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// worktree stands for the files as they are, committed or not.
const worktree = "worktree"

// A side is one of the two revisions.
type side struct {
	label    string            // base or head
	dir      string            // where its go commands run
	binaries map[string]binary // by package
}

// revisions are both sides with their temporary files.
type revisions struct {
	top   string // of the repository
	temp  string
	added []string // worktrees
	sides [2]*side // base, head
}

// open checks both revisions out.
func (r *revisions) open(ctx context.Context, opt *gateOptions) {
	lab.In("this folder is not in a git repository", func() { r.top = git(ctx, ".", "rev-parse", "--show-toplevel") })
	below := git(ctx, ".", "rev-parse", "--show-prefix")
	r.temp = lab.Need(os.MkdirTemp("", "gate-"))
	for i, rev := range []string{opt.base, opt.head} {
		label := [2]string{"base", "head"}[i]
		r.sides[i] = &side{label, filepath.Join(r.tree(ctx, label, rev), filepath.FromSlash(below)), map[string]binary{}}
	}
	// A worktree elsewhere finds the collections beside the project where they are.
	data := filepath.Join(r.top, "..", "shared", "data")
	if _, err := os.Stat(data); err == nil && os.Getenv("TERMSIFT_DATA") == "" {
		lab.Check(os.Setenv("TERMSIFT_DATA", data))
	}
}

// tree gives the folder of a revision, in a new worktree unless it is the
// present one.
func (r *revisions) tree(ctx context.Context, label, rev string) string {
	if rev == worktree && label == "head" {
		return r.top
	}
	commit, err := lab.TryOf(func() string {
		return git(ctx, r.top, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	})
	if err != nil {
		panic(lab.Errorf("-%s %s: there is no such revision; git log shows what there is, and a shallow clone needs git fetch first", label, rev))
	}
	dir := filepath.Join(r.temp, label)
	r.added = append(r.added, dir)
	lab.In(fmt.Sprintf("-%s %s cannot be checked out", label, rev), func() {
		git(ctx, r.top, "worktree", "add", "--quiet", "--detach", dir, commit)
	})
	return dir
}

// close removes the worktrees and all other temporary files, also after an
// interrupt.
func (r *revisions) close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var errs []error
	for _, dir := range r.added {
		if _, err := os.Stat(dir); err != nil {
			continue // git did not get that far
		}
		if err := lab.Try(func() { git(ctx, r.top, "worktree", "remove", "--force", dir) }); err != nil {
			errs = append(errs, fmt.Errorf("run git worktree prune: %w", err))
		}
	}
	if r.temp != "" {
		errs = append(errs, os.RemoveAll(r.temp))
	}
	return errors.Join(errs...)
}

// git runs git and gives its output without the newline.
func git(ctx context.Context, dir string, args ...string) string {
	return strings.TrimSpace(output(command(ctx, dir, "git", args...)))
}

// build makes the test binaries of both sides.
func (r *revisions) build(ctx context.Context, patterns []string) {
	for _, side := range r.sides {
		lab.In(side.label+" does not build", func() { side.build(ctx, r.temp, patterns) })
	}
	if len(r.packages()) == 0 {
		panic(lab.Errorf("-package %s: no package with tests in either revision", strings.Join(patterns, ",")))
	}
}

// build makes the test binaries of the packages that have tests. A package that this revision does
// not have is left out.
func (s *side) build(ctx context.Context, temp string, patterns []string) {
	const format = "{{if or .TestGoFiles .XTestGoFiles .InvalidGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"
	list := output(command(ctx, s.dir, "go", append([]string{"list", "-e", "-f", format, "--"}, patterns...)...))
	for line := range strings.Lines(list) {
		if pkg, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			path := filepath.Join(temp, fmt.Sprintf("%s-%d.test", s.label, len(s.binaries)))
			lab.In(pkg, func() { buildTest(ctx, s.dir, path, pkg) })
			s.binaries[pkg] = binary{path, dir}
		}
	}
}

// packages are those of either side.
func (r *revisions) packages() []string {
	all := maps.Clone(r.sides[0].binaries)
	maps.Copy(all, r.sides[1].binaries)
	return slices.Sorted(maps.Keys(all))
}

// measureBenchmarks builds the test binaries of both sides and runs them in turn, -count times.
func (r *revisions) measureBenchmarks(ctx context.Context, opt *gateOptions, stderr io.Writer) *gateResults {
	r.build(ctx, opt.packages)
	found := &gateResults{}
	packages := r.packages()
	for round := range opt.count {
		fmt.Fprintf(stderr, "gate: round %d of %d\n", round+1, opt.count)
		for _, pkg := range packages {
			r.runPackage(ctx, opt, pkg, round, found)
		}
		// What no benchmark matched, or one side does not have, needs no more rounds.
		packages = slices.DeleteFunc(packages, func(pkg string) bool { return !found.hasBoth(pkg) })
	}
	return found
}

// runPackage runs one package of both sides, the head first in odd rounds.
func (r *revisions) runPackage(ctx context.Context, opt *gateOptions, pkg string, round int, found *gateResults) {
	for i := range r.sides {
		which := (i + round) % 2
		side := r.sides[which]
		b, ok := side.binaries[pkg]
		if !ok {
			continue
		}
		var out string
		lab.In(fmt.Sprintf("the benchmarks of %s fail in %s", pkg, side.label), func() {
			out = output(command(ctx, b.dir, b.path, "-test.run=^$", "-test.count=1", "-test.bench="+opt.bench, "-test.benchtime="+opt.benchtime))
		})
		lab.In(fmt.Sprintf("the benchmarks of %s in %s", pkg, side.label), func() { found.add(pkg, which, out) })
	}
}
