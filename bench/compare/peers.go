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

	"github.com/termsift/termsift/bench/host"
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
func installed(ctx context.Context, newest string) (t toolchain, err error) {
	t.system = host.FindPython(ctx, "sklearn", "numpy", "scipy")
	if gcc, err := exec.LookPath("gcc"); err == nil {
		t.gcc = gcc
	}
	if newest != "" {
		t.newest, err = environment(ctx, newest)
	}
	return t, err
}

// A team holds the processes of the implementations.
type team struct {
	children []*child
	by       map[string]*child
	missing  []string // sentences
}

// startAll starts what is installed.
func startAll(ctx context.Context, t toolchain, dir string, s shape) (*team, error) {
	m := &team{by: map[string]*child{}}
	args := []string{dir, strconv.Itoa(s.top)}
	err := m.startEngine(ctx, args)
	if err == nil && t.newest == "" {
		m.missing = append(m.missing, "the newest sklearn, numpy: no folder for their virtual environment; see -newest")
	} else if err == nil {
		err = m.startPython(ctx, t.newest, "", withoutKernel(os.Environ()), dir, args)
	}
	if err == nil && t.system == "" {
		m.missing = append(m.missing, "the system's sklearn, numpy: python3-sklearn is not installed; Debian: apt-get install python3-sklearn python3-scipy")
	} else if err == nil {
		err = m.startPython(ctx, t.system, ofSystem, nil, dir, args)
	}
	if err == nil && t.gcc == "" {
		m.missing = append(m.missing, missingC)
	} else if err == nil {
		err = m.startBaseline(ctx, t.gcc, dir, args, s)
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// enlist starts a process that serves some implementations.
func (m *team) enlist(cmd *exec.Cmd, impls ...string) error {
	c, err := start(cmd)
	if err != nil {
		return fmt.Errorf("cannot start %v: %w", impls, err)
	}
	m.children = append(m.children, c)
	for _, impl := range impls {
		m.by[impl] = c
	}
	return nil
}

func (m *team) startEngine(ctx context.Context, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), serveVariable+"=1")
	return m.enlist(cmd, ours, opened)
}

// startPython starts the peers in Python, the names of whose implementations end in suffix. A nil
// environment is that of this process.
func (m *team) startPython(ctx context.Context, python, suffix string, environment []string, dir string, args []string) error {
	script := filepath.Join(dir, "peers.py")
	for path, source := range map[string][]byte{script: peersSource, filepath.Join(dir, "shell.py"): shellSource} {
		if err := os.WriteFile(path, source, 0o600); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, python, append([]string{script, suffix}, args...)...)
	cmd.Env = environment
	return m.enlist(cmd, "sklearn"+suffix, "numpy"+suffix)
}

// startBaseline starts the C baseline. Its table of counts is half as large, and faster,
// where no class has more documents than 16 bits can count.
func (m *team) startBaseline(ctx context.Context, gcc, dir string, args []string, s shape) error {
	cell := "-DCELL=uint16_t"
	if s.largest > 1<<16-1 {
		cell = "-DCELL=uint32_t"
	}
	program, err := compile(ctx, gcc, dir, []string{"baseline.c", "words.h"}, cell)
	if err != nil {
		return err
	}
	return m.enlist(exec.CommandContext(ctx, program, args...), "c")
}

// startCells starts those that take part in the jobs of cells.
func startCells(ctx context.Context, t toolchain, dir, path string) (*team, error) {
	m := &team{by: map[string]*child{}}
	err := m.startEngine(ctx, []string{dir})
	if err == nil && t.gcc == "" {
		m.missing = append(m.missing, missingC)
	} else if err == nil {
		var program string
		if program, err = compile(ctx, t.gcc, dir, []string{"cells.c"}); err == nil {
			err = m.enlist(exec.CommandContext(ctx, program, path), "c")
		}
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// compile makes a program of sources in C, the first of which includes the others, in dir.
func compile(ctx context.Context, gcc, dir string, files []string, flags ...string) (program string, err error) {
	for _, file := range append(files, "child.h") {
		source, err := sources.ReadFile("peers/" + file)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, file), source, 0o600); err != nil {
			return "", err
		}
	}
	source := filepath.Join(dir, files[0])
	program = strings.TrimSuffix(source, ".c")
	args := slices.Concat([]string{"-O3", "-march=native", "-ffast-math"}, flags, []string{"-o", program, source, "-lm"})
	if output, err := exec.CommandContext(ctx, gcc, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not compile: %w\n%s", files[0], err, output)
	}
	return program, nil
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

func (m *team) of(impl string) *child { return m.by[impl] }

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
		c.close()
	}
}
