package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/termsift/termsift/kernels"
)

// A session is one call of the command.
type session struct {
	opt      *options
	temp     string
	stderr   io.Writer
	header   string
	binaries map[string]binary // by package
}

// A binary is the test binary of a package and the folder it runs in.
type binary struct{ path, dir string }

// collector is the setting of the garbage collector that everything is measured with: Go's
// own, which the command runs with. GOGC=400 takes 3 % less CPU time from a file
// of 20 Newsgroups to svmlight, on one thread or two, and a quarter or a half more memory.
const collector = "GOGC=100"

// stage measures one stage and writes its raw file.
func (s *session) stage(ctx context.Context, g stage) error {
	started := time.Now()
	text := s.header
	var out string
	var err error
	if g.name == peersStage {
		out, err = s.peers(ctx)
	} else {
		text += "command: " + s.command(g) + "\n"
		out, err = s.rounds(ctx, g)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stderr, "measure: %s took %s\n", g.name, time.Since(started).Round(time.Second))
	return os.WriteFile(filepath.Join(s.opt.out, g.name+".txt"), []byte(text+out), 0o666)
}

// rounds runs the paths in turn.
func (s *session) rounds(ctx context.Context, g stage) (string, error) {
	b, err := s.build(ctx, g.pkg)
	if err != nil {
		return "", err
	}
	var all strings.Builder
	left := s.opt.count
	for round := 0; left > 0; round++ {
		n := min(max(g.repeat, 1), left)
		left -= n
		for _, path := range inTurn(g.pathsToRun(), round) {
			fmt.Fprintf(s.stderr, "measure: %s, %d left %s\n", g.name, left, path)
			cmd := exec.CommandContext(ctx, b.path, s.flags(g, n, "-test.")...)
			cmd.Dir = b.dir
			cmd.Env = append(cmd.Environ(), collector, kernels.PathVariable+"="+path, "TERMSIFT_SETS="+g.restrict(s.opt.sets))
			out, err := output(cmd)
			if err != nil {
				return "", err
			}
			all.WriteString(results(out))
		}
	}
	return all.String(), nil
}

// inTurn has another path begin each round.
func inTurn(paths []string, round int) []string {
	first := round % len(paths)
	return append(append([]string(nil), paths[first:]...), paths[:first]...)
}

// pathsToRun lists paths of the kernels; "" is the best of the CPU.
func (g stage) pathsToRun() []string {
	if !g.paths {
		return []string{""}
	}
	paths := []string{kernels.Generic}
	if best := kernels.Path(); best != kernels.Generic {
		if best == kernels.AVX512 && cpuid.CPU.Supports(cpuid.AVX2) {
			paths = append(paths, kernels.AVX2)
		}
		paths = append(paths, best)
	}
	return paths
}

// flags are those of go test, or of a test binary.
func (s *session) flags(g stage, count int, prefix string) []string {
	benchtime := g.time
	if s.opt.time != "" {
		benchtime = s.opt.time
	}
	flag := func(name, value string) string { return "-" + prefix + name + "=" + value }
	return []string{
		flag("run", "^$"), flag("bench", g.bench), flag("benchtime", benchtime),
		flag("count", strconv.Itoa(count)), flag("cpu", strconv.Itoa(g.processors())),
	}
}

func (g stage) processors() int {
	if g.procs == all {
		return runtime.NumCPU()
	}
	return max(g.procs, 1)
}

// command is what a person types for the same on one path.
func (s *session) command(g stage) string {
	words := []string{collector}
	if g.paths {
		words = append(words, kernels.PathVariable+"=PATH")
	}
	if sets := g.restrict(s.opt.sets); sets != "" && sets != nothing {
		words = append(words, "TERMSIFT_SETS="+sets)
	}
	words = append(words, "go", "test", g.pkg)
	for _, flag := range s.flags(g, s.opt.count, "") {
		if strings.ContainsAny(flag, "^$|()") {
			name, value, _ := strings.Cut(flag, "=")
			flag = name + " '" + value + "'"
		}
		words = append(words, flag)
	}
	return strings.Join(words, " ")
}

// build makes the test binary of a package.
func (s *session) build(ctx context.Context, pkg string) (binary, error) {
	if b, ok := s.binaries[pkg]; ok {
		return b, nil
	}
	b := binary{filepath.Join(s.temp, testBinary(pkg)), pkg}
	if s.opt.from != "" {
		var err error
		if b.path, err = filepath.Abs(filepath.Join(s.opt.from, testBinary(pkg))); err != nil {
			return binary{}, err
		}
	} else if _, err := output(exec.CommandContext(ctx, "go", "test", "-c", "-o", b.path, pkg)); err != nil {
		return binary{}, err
	}
	s.binaries[pkg] = b
	return b, nil
}

// testBinary names the file of the test binary of a package.
func testBinary(pkg string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "-") + ".test"
}

// peers runs the comparison, which writes where it comes from itself.
func (s *session) peers(ctx context.Context) (string, error) {
	path := filepath.Join(s.temp, "peers.txt")
	fmt.Fprintln(s.stderr, "measure: peers")
	rounds := strconv.Itoa(s.opt.count)
	if _, err := output(exec.CommandContext(ctx, "go", "run", "./bench/compare", "-rounds", rounds, "-o", path)); err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	return string(text), err
}

// output runs a command; its error ends with what the command printed.
func output(cmd *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(stdout.String() + stderr.String())
		return "", fmt.Errorf("%w\n%s", err, text[max(0, len(text)-2000):])
	}
	return stdout.String(), nil
}

// results keeps the lines that tools read: what a test logs may name folders of
// this machine.
func results(out string) string {
	var kept strings.Builder
	for line := range strings.Lines(out) {
		for _, prefix := range []string{"Benchmark", "goos: ", "goarch: ", "pkg: ", "cpu: "} {
			if strings.HasPrefix(line, prefix) {
				kept.WriteString(line)
				break
			}
		}
	}
	return kept.String()
}
