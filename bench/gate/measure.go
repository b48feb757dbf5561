package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
)

// measure runs the binaries of both sides in turn, -count times.
func (s *session) measure(ctx context.Context, opt *options, stderr io.Writer) (*results, error) {
	found := &results{}
	packages := s.packages()
	for round := range opt.count {
		fmt.Fprintf(stderr, "gate: round %d of %d\n", round+1, opt.count)
		for _, pkg := range packages {
			if err := s.runPackage(ctx, opt, pkg, round, found); err != nil {
				return nil, err
			}
		}
		// What no benchmark matched, or one side does not have, needs no more rounds.
		packages = slices.DeleteFunc(packages, func(pkg string) bool { return !found.hasBoth(pkg) })
	}
	return found, nil
}

// packages are those of either side.
func (s *session) packages() []string {
	all := map[string]bool{}
	for _, side := range s.sides {
		for pkg := range side.binaries {
			all[pkg] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// runPackage runs one package of both sides, the head first in odd rounds.
func (s *session) runPackage(ctx context.Context, opt *options, pkg string, round int, found *results) error {
	for i := range s.sides {
		which := (i + round) % 2
		side := s.sides[which]
		b, ok := side.binaries[pkg]
		if !ok {
			continue
		}
		out, err := execute(ctx, b.dir, b.path, "-test.run=^$", "-test.count=1", "-test.bench="+opt.bench, "-test.benchtime="+opt.benchtime)
		if err != nil {
			return fmt.Errorf("the benchmarks of %s fail in %s: %w", pkg, side.label, err)
		}
		if err := found.add(pkg, which, out); err != nil {
			return fmt.Errorf("the benchmarks of %s in %s: %w", pkg, side.label, err)
		}
	}
	return nil
}
