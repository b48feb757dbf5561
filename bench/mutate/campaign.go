package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type options struct {
	tests   []string
	most    int
	seed    uint64
	verbose bool
}

// A binary has the tests of one package, compiled with the changes of another.
type binary struct{ path, dir, name string }

// A test is one function of a binary, with the changes that it reaches.
type test struct {
	binary
	function string
	took     time.Duration
}

// A campaign tries the changes of one package.
type campaign struct {
	*source
	options
	dir      string // of temporary files
	changes  []change
	binaries []binary
	reach    map[int][]test // by the number of a change, the quickest first
	failing  []string       // tests that fail without any change
}

// mutate tries the changes of a package and prints what survives.
func mutate(ctx context.Context, w io.Writer, pattern string, o options) error {
	s, err := load(ctx, pattern)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := &campaign{source: s, options: o, dir: dir, reach: map[int][]test{}}
	if err := c.compile(ctx); err != nil {
		return err
	}
	if err := c.findReach(ctx); err != nil {
		return err
	}
	return c.tryAll(ctx, w)
}

// compile builds the tests with all changes. A line that does not compile with calls stays as it is.
func (c *campaign) compile(ctx context.Context) error {
	skipped := map[string]bool{}
	for {
		overlay, err := c.rewriteAll(skipped)
		if err != nil {
			return err
		}
		err = c.build(ctx, overlay)
		if err == nil {
			return nil
		}
		lines := compilerLine.FindAllStringSubmatch(err.Error(), -1)
		before := len(skipped)
		for _, l := range lines {
			skipped[filepath.Join(c.Dir, filepath.Base(l[1]))+":"+l[2]] = true
		}
		if len(skipped) == before {
			return err
		}
	}
}

var compilerLine = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`)

// rewriteAll writes the changed files and returns the overlay that puts them in place.
func (c *campaign) rewriteAll(skipped map[string]bool) (overlay string, err error) {
	r := &rewriter{source: c.source, skipped: skipped}
	texts := map[string]string{filepath.Join(c.Dir, "mutant_switch.go"): "package " + c.Name + switchFile}
	for i, file := range c.files {
		texts[filepath.Join(c.Dir, c.GoFiles[i])] = r.rewrite(file, c.texts[i])
	}
	c.changes = r.changes
	replace := map[string]string{}
	for path, text := range texts {
		replace[path] = filepath.Join(c.dir, filepath.Base(path))
		err = errors.Join(err, os.WriteFile(replace[path], []byte(text), 0o644))
	}
	data, jsonErr := json.Marshal(map[string]any{"Replace": replace})
	overlay = filepath.Join(c.dir, "overlay.json")
	return overlay, errors.Join(err, jsonErr, os.WriteFile(overlay, data, 0o644))
}

// build compiles the tests of the package and the others that were asked for.
func (c *campaign) build(ctx context.Context, overlay string) error {
	c.binaries = nil
	for i, pattern := range append([]string{c.ImportPath}, c.tests...) {
		out, err := execute(ctx, "go", "list", "-f", "{{.Dir}}\t{{.Name}}", pattern)
		if err != nil {
			return err
		}
		dir, _, _ := strings.Cut(string(out), "\t")
		b := binary{filepath.Join(c.dir, fmt.Sprintf("%d.test", i)), dir, pattern}
		if _, err := execute(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", b.path, pattern); err != nil {
			return err
		}
		c.binaries = append(c.binaries, b)
	}
	return nil
}

// findReach runs each test by itself and notes which changes it reaches.
func (c *campaign) findReach(ctx context.Context) error {
	var tests []test
	reached := map[string][]int{}
	for _, b := range c.binaries {
		out, err := c.run(ctx, b, nil, "-test.list", "^(Test|Example|Fuzz)")
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		for _, function := range strings.Fields(string(out)) {
			file := filepath.Join(c.dir, "reached")
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				return err
			}
			t := test{binary: b, function: function}
			start := time.Now()
			_, err := c.run(ctx, b, []string{"MUTANT_REACHED=" + file}, "-test.run", "^"+function+"$", "-test.short")
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if t.took = time.Since(start); err != nil {
				c.failing = append(c.failing, b.name+" "+function)
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for _, number := range strings.Fields(string(data)) {
				id, _ := strconv.Atoi(number)
				reached[b.name+function] = append(reached[b.name+function], id)
			}
			tests = append(tests, t)
		}
	}
	slices.SortStableFunc(tests, func(a, b test) int { return int(a.took - b.took) })
	for _, t := range tests {
		for _, id := range reached[t.name+t.function] {
			c.reach[id] = append(c.reach[id], t)
		}
	}
	return nil
}

// run runs a binary in its folder with additions to the environment.
func (c *campaign) run(ctx context.Context, b binary, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.path, args...)
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), env...)
	return cmd.CombinedOutput()
}

// tryAll tries the changes that some test reaches and prints those that all tests pass with.
func (c *campaign) tryAll(ctx context.Context, w io.Writer) error {
	chosen := slices.Clone(c.changes)
	if c.most > 0 && c.most < len(chosen) {
		chosen = chosen[:0:0]
		for _, i := range rand.New(rand.NewPCG(c.seed, 0)).Perm(len(c.changes))[:c.most] {
			chosen = append(chosen, c.changes[i])
		}
	}
	slices.SortFunc(chosen, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.place.Filename, b.place.Filename), a.place.Offset-b.place.Offset, a.id-b.id)
	})
	noticed, unreached, survived := 0, 0, 0
	for _, m := range chosen {
		by, err := c.try(ctx, m)
		if err != nil {
			return err
		}
		switch {
		case len(c.reach[m.id]) == 0:
			unreached++
			by = "no test comes here"
		case by == "":
			survived++
			by = "no test notices"
		default:
			if noticed++; !c.verbose {
				continue
			}
		}
		fmt.Fprintf(w, "%s %s:%d:%d: %s: %s: %s\n", c.ImportPath, filepath.Base(m.place.Filename), m.place.Line, m.place.Column, m.from, m.to, by)
	}
	for _, f := range c.failing {
		fmt.Fprintf(w, "%s: %s fails by itself and is not used\n", c.ImportPath, f)
	}
	_, err := fmt.Fprintf(w, "%s: %d of %d changes tried: %d noticed, %d survived, %d where no test comes\n", c.ImportPath, len(chosen), len(c.changes), noticed, survived, unreached)
	return err
}

// try returns what notices a change: a test that fails, or a time that is over; "" for nothing. It
// runs the tests that take little first, those of one binary in one process.
func (c *campaign) try(ctx context.Context, m change) (by string, err error) {
	const little = 300 * time.Millisecond
	for _, quick := range []bool{true, false} {
		for _, b := range c.binaries {
			var names []string
			var took time.Duration
			for _, t := range c.reach[m.id] {
				if t.binary == b && (t.took < little) == quick {
					names, took = append(names, t.function), took+t.took
				}
			}
			if len(names) == 0 {
				continue
			}
			limit, stop := context.WithTimeout(ctx, 5*time.Second+10*took) // a change may make a loop endless
			out, failed := c.run(limit, b, []string{"MUTANT=" + strconv.Itoa(m.id)}, "-test.run", "^("+strings.Join(names, "|")+")$", "-test.short", "-test.failfast")
			over := limit.Err()
			stop()
			switch {
			case ctx.Err() != nil:
				return "", context.Cause(ctx)
			case over != nil:
				return "it does not end", nil
			case failed != nil:
				return firstFailure(out), nil
			}
		}
	}
	return "", nil
}

// firstFailure returns the name of the test that failed first.
func firstFailure(out []byte) string {
	for line := range bytes.Lines(out) {
		if name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("--- FAIL: ")); ok {
			name, _, _ = bytes.Cut(name, []byte(" "))
			return string(name)
		}
	}
	return "a test that ends its process"
}
