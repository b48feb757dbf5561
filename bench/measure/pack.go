package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/termsift/termsift/bench/host"
)

// originFile says, beside the binaries of -build, which commit these are of.
const originFile = "origin.json"

// pack builds this command and the test binaries of the stages for a machine without
// Go, and writes down their origin.
func (s *session) pack(ctx context.Context) error {
	if err := os.MkdirAll(s.opt.build, 0o777); err != nil {
		return err
	}
	here, err := host.OriginHere(ctx)
	if err != nil {
		return err
	}
	text, err := json.Marshal(here)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.opt.build, originFile), text, 0o666); err != nil {
		return err
	}
	builds := [][]string{{"build", "-o", filepath.Join(s.opt.build, "measure"), "./bench/measure"}}
	var packages []string
	for _, g := range stages {
		if g.asked(s.opt) && g.name != peersStage && !slices.Contains(packages, g.pkg) {
			packages = append(packages, g.pkg)
			builds = append(builds, []string{"test", "-c", "-ldflags=-s -w", "-o", filepath.Join(s.opt.build, testBinary(g.pkg)), g.pkg})
		}
	}
	for _, args := range builds {
		fmt.Fprintln(s.stderr, "measure: go", args[0], args[len(args)-1])
		build := exec.CommandContext(ctx, "go", args...)
		build.Env = append(build.Environ(), "CGO_ENABLED=0")
		if _, err := output(build); err != nil {
			return err
		}
	}
	return nil
}

// origin says what the results come from: this machine, and the commit of the sources
// or of the binaries.
func (s *session) origin(ctx context.Context) (host.Origin, error) {
	if s.opt.from == "" {
		return host.OriginHere(ctx)
	}
	text, err := os.ReadFile(filepath.Join(s.opt.from, originFile))
	if err != nil {
		return host.Origin{}, fmt.Errorf("-from needs a folder that -build made: %w", err)
	}
	var built host.Origin
	if err := json.Unmarshal(text, &built); err != nil {
		return host.Origin{}, fmt.Errorf("-from: %s: %w", originFile, err)
	}
	return host.OriginOf(built.Commit), nil
}
