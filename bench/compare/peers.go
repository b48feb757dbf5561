package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

//go:embed peers/peers.py
var peersSource []byte

//go:embed peers/shell.py
var shellSource []byte

//go:embed peers/*.c peers/*.h
var sources embed.FS

const missingC = "c: gcc is not installed; Debian: apt-get install gcc"

// toolchain names the programs that the peers need; "" is one that is missing.
type toolchain struct {
	newest string // Python with the packages of peers/requirements.txt
	system string // Python of the operating system that can import sklearn, numpy and scipy
	gcc    string
}

// installed looks for the programs. Those of the operating system are there or not; newest is
// the folder of a virtual environment, made if it is missing, or "".
func installed(ctx context.Context, newest string) (t toolchain) {
	t.system = lab.FindPython(ctx, "sklearn", "numpy", "scipy")
	if gcc, err := exec.LookPath("gcc"); err == nil {
		t.gcc = gcc
	}
	if newest != "" {
		t.newest = environment(ctx, newest)
	}
	return t
}

// A team holds the processes of the implementations.
type team struct {
	children []*child
	by       map[string]*child
	missing  []string // sentences
}

// assemble starts the processes of a team, and ends them if one does not start.
func assemble(start func(m *team)) *team {
	m := &team{by: map[string]*child{}}
	if err := lab.Try(func() { start(m) }); err != nil {
		m.close()
		lab.Check(err)
	}
	return m
}

// with starts an implementation by a program, unless that is missing.
func (m *team) with(program, missing string, start func()) {
	if program == "" {
		m.missing = append(m.missing, missing)
		return
	}
	start()
}

// startAll starts what is installed.
func startAll(ctx context.Context, t toolchain, dir string, s shape) *team {
	return assemble(func(m *team) {
		args := []string{dir, strconv.Itoa(s.top)}
		m.startEngine(ctx, args)
		m.with(t.newest, "the newest sklearn, numpy: no folder for their virtual environment; see -newest", func() {
			m.startPython(ctx, t.newest, "", withoutKernel(os.Environ()), dir, args)
		})
		m.with(t.system, "the system's sklearn, numpy: python3-sklearn is not installed; Debian: apt-get install python3-sklearn python3-scipy", func() {
			m.startPython(ctx, t.system, ofSystem, nil, dir, args)
		})
		m.with(t.gcc, missingC, func() { m.startBaseline(ctx, t.gcc, dir, args, s) })
	})
}

// enlist starts a process that serves some implementations.
func (m *team) enlist(cmd *exec.Cmd, impls ...string) {
	var c *child
	lab.In(fmt.Sprintf("cannot start %v", impls), func() { c = start(cmd) })
	m.children = append(m.children, c)
	for _, impl := range impls {
		m.by[impl] = c
	}
}

func (m *team) startEngine(ctx context.Context, args []string) {
	self := lab.Need(os.Executable())
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), serveVariable+"=1")
	m.enlist(cmd, ours, opened)
}

// startPython starts the peers in Python, the names of whose implementations end in suffix. A nil
// environment is that of this process.
func (m *team) startPython(ctx context.Context, python, suffix string, environment []string, dir string, args []string) {
	script := filepath.Join(dir, "peers.py")
	for path, source := range map[string][]byte{script: peersSource, filepath.Join(dir, "shell.py"): shellSource} {
		lab.Check(os.WriteFile(path, source, 0o600))
	}
	cmd := exec.CommandContext(ctx, python, append([]string{script, suffix}, args...)...)
	cmd.Env = environment
	m.enlist(cmd, "sklearn"+suffix, "numpy"+suffix)
}

// startBaseline starts the C baseline. Its table of counts is half as large, and faster,
// where no class has more documents than 16 bits can count.
func (m *team) startBaseline(ctx context.Context, gcc, dir string, args []string, s shape) {
	cell := "-DCELL=uint16_t"
	if s.largest > 1<<16-1 {
		cell = "-DCELL=uint32_t"
	}
	program := compile(ctx, gcc, dir, []string{"baseline.c", "words.h"}, cell)
	m.enlist(exec.CommandContext(ctx, program, args...), "c")
}

// startCells starts those that take part in the jobs of cells.
func startCells(ctx context.Context, t toolchain, dir, path string) *team {
	return assemble(func(m *team) {
		m.startEngine(ctx, []string{dir})
		m.with(t.gcc, missingC, func() {
			m.enlist(exec.CommandContext(ctx, compile(ctx, t.gcc, dir, []string{"cells.c"}), path), "c")
		})
	})
}

// compile makes a program of sources in C, the first of which includes the others, in dir.
func compile(ctx context.Context, gcc, dir string, files []string, flags ...string) (program string) {
	for _, file := range append(files, "child.h") {
		source := lab.Need(sources.ReadFile("peers/" + file))
		lab.Check(os.WriteFile(filepath.Join(dir, file), source, 0o600))
	}
	source := filepath.Join(dir, files[0])
	program = strings.TrimSuffix(source, ".c")
	args := slices.Concat([]string{"-O3", "-march=native", "-ffast-math"}, flags, []string{"-o", program, source, "-lm"})
	if output, err := exec.CommandContext(ctx, gcc, args...).CombinedOutput(); err != nil {
		panic(lab.Errorf("%s does not compile: %w\n%s", files[0], err, output))
	}
	return program
}

// present lists the implementations of a job that run, ours last.
func (m *team) present(j job) []string {
	var impls []string
	for impl := range m.by {
		if j.check(impl) != nil {
			impls = append(impls, impl)
		}
	}
	slices.Sort(impls)
	return append(impls, ours)
}

// versions lists what the processes say about themselves.
func (m *team) versions() []string {
	var all []string
	for _, c := range m.children {
		all = append(all, c.versions...)
	}
	return all
}

func (m *team) close() {
	for _, c := range m.children {
		c.Close()
	}
}
