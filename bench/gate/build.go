package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// A binary is the test binary of a package and the folder it runs in.
type binary struct{ path, dir string }

// build makes the test binaries of both sides.
func (s *session) build(ctx context.Context, patterns []string) error {
	for _, side := range s.sides {
		if err := side.build(ctx, s.temp, patterns); err != nil {
			return fmt.Errorf("%s does not build: %w", side.label, err)
		}
	}
	if len(s.sides[0].binaries)+len(s.sides[1].binaries) == 0 {
		return fmt.Errorf("-package %s: no package with tests in either revision", strings.Join(patterns, ","))
	}
	return nil
}

// build makes the test binaries of the packages that have tests.
func (s *side) build(ctx context.Context, temp string, patterns []string) error {
	packages, err := s.list(ctx, patterns)
	if err != nil {
		return err
	}
	for pkg, dir := range packages {
		path := filepath.Join(temp, fmt.Sprintf("%s-%d.test", s.label, len(s.binaries)))
		if _, err := execute(ctx, s.dir, "go", "test", "-c", "-o", path, pkg); err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
		s.binaries[pkg] = binary{path, dir}
	}
	return nil
}

// list finds the folders of the packages with tests. A package that this
// revision does not have is left out.
func (s *side) list(ctx context.Context, patterns []string) (map[string]string, error) {
	const format = "{{if or .TestGoFiles .XTestGoFiles .InvalidGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"
	out, err := execute(ctx, s.dir, "go", append([]string{"list", "-e", "-f", format, "--"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	packages := map[string]string{}
	for line := range strings.Lines(out) {
		if pkg, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			packages[pkg] = dir
		}
	}
	return packages, nil
}
