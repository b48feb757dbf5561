package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/bench/stages"
	"github.com/termsift/termsift/engine/reader"
)

// This file measures the command on more and more threads, each run a process. Beside it are reading and
// tokenising alone, in this process: no command can gain more by threads than these do.

// The shares of the text that pairs are counted in, and that scikit-learn reads.
const (
	pairsShare = .15
	peerShare  = .4
)

// A process is the command with its arguments, or another program.
type process struct {
	what    string
	threads []int // numbers to run on
	args    func(threads int) []string
	writes  []string // files, the same on any number of threads
}

// threadSteps are 1, 2, 4 and so on, and the number of all processors.
func threadSteps() (counts []int) {
	most := runtime.NumCPU()
	for n := 1; n < most; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, most)
}

// processes measures the stage in rounds, on as many bytes of JSON lines as the flags say.
func (s *session) processes(ctx context.Context) string {
	program := s.builtCommand(ctx)
	whole, pairs, peer := s.lines(ctx, program, "whole", 1), s.lines(ctx, program, "pairs", pairsShare), s.lines(ctx, program, "peer", peerShare)
	steps := threadSteps()
	last := steps[len(steps)-1:]
	list := []process{
		s.selecting(program, "select", whole, steps),
		s.indexing(program, whole, steps),
		s.selecting(program, "pairs", pairs, steps, "--ngrams", "1-2"),
		s.selecting(program, "part", peer, last),
	}
	if python := lab.FindPython(ctx, "sklearn"); python != "" {
		list = append(list, s.joining(python, peer, last))
	} else {
		fmt.Fprintln(s.stderr, "measure: no python3 has sklearn: its processes are left out")
	}
	data := textOf(ctx, whole)
	text := fmt.Sprintf("command: go run ./bench/measure -only processes -count %d -size %d\ntext: %d MB of JSON lines\n", s.opt.count, s.opt.size, s.opt.size)
	written := map[string]string{}
	for round := range s.opt.count {
		fmt.Fprintf(s.stderr, "measure: processes, round %d of %d\n", round+1, s.opt.count)
		for _, p := range list {
			for _, threads := range p.threads {
				text += p.run(ctx, threads)
				p.check(threads, written)
			}
		}
		for _, row := range lab.Need(stages.Run(ctx, data.TextStages(), steps, 1, nil)) {
			text += fmt.Sprintf("BenchmarkProcess/what=%s/threads=%d 1 %d ns/op %d cpu-ns/op %.2f MB/s\n", row.Stage, row.Threads, row.Wall.Nanoseconds(), row.CPU.Nanoseconds(), row.BytesPerSecond()/1e6)
		}
	}
	return text
}

// run runs the program, and gives its line: elapsed and CPU time, that of its children included, and the
// most memory that it had at a time.
func (p process) run(ctx context.Context, threads int) string {
	args := p.args(threads)
	cmd := command(ctx, "", args[0], args[1:]...)
	var said strings.Builder
	cmd.Stderr = &said
	start := time.Now()
	if err := cmd.Run(); err != nil {
		panic(lab.Errorf("%s on %d threads: %w\n%s", p.what, threads, err, &said))
	}
	took, state := time.Since(start), cmd.ProcessState
	return fmt.Sprintf("BenchmarkProcess/what=%s/threads=%d 1 %d ns/op %d cpu-ns/op %.0f B-peak\n",
		p.what, threads, took.Nanoseconds(), (state.UserTime() + state.SystemTime()).Nanoseconds(), lab.PeakMemory(state))
}

// check fails unless the files are those of all other runs.
func (p process) check(threads int, written map[string]string) {
	for _, path := range p.writes {
		file := lab.Need(os.Open(path))
		hash := sha256.New()
		lab.Need(io.Copy(hash, file))
		lab.Check(file.Close())
		sum := string(hash.Sum(nil))
		if before, ok := written[path]; ok && before != sum {
			panic(lab.Errorf("%s writes another %s on %d threads than before", p.what, filepath.Base(path), threads))
		}
		written[path] = sum
	}
}

// selecting is select by chi-square, with some flags more, to 10,000 features and svmlight.
func (s *session) selecting(program, what, path string, threads []int, flags ...string) process {
	features, rows := s.out(what, "tsv"), s.out(what, "svm")
	return process{what: what, threads: threads, writes: []string{features, rows}, args: func(threads int) []string {
		return append([]string{program, "select", path, "--by", "chi", "-k", "10000", "--threads", fmt.Sprint(threads), "-o", features, "--svmlight", rows}, flags...)
	}}
}

func (s *session) indexing(program, path string, threads []int) process {
	index := s.out("index", "idx")
	return process{what: "index", threads: threads, writes: []string{index}, args: func(threads int) []string {
		return []string{program, "index", path, "--threads", fmt.Sprint(threads), "-o", index}
	}}
}

//go:embed processes.py
var peerSource []byte

// joining is scikit-learn in so many processes. It fails unless it counts the documents of our terms as we do.
func (s *session) joining(python, path string, threads []int) process {
	script := s.out("peer", "py")
	lab.Check(os.WriteFile(script, peerSource, 0o600))
	return process{what: "peer", threads: threads, writes: []string{s.out("peer", "svm")}, args: func(threads int) []string {
		return []string{python, script, fmt.Sprint(threads), path, s.out("part", "tsv"), s.out("peer", "svm")}
	}}
}

// out is the path of a file that a process writes.
func (s *session) out(what, kind string) string { return filepath.Join(s.temp, what+"-out."+kind) }

// builtCommand builds the command, or finds what -build made.
func (s *session) builtCommand(ctx context.Context) string {
	if s.opt.from != "" {
		return lab.Need(filepath.Abs(filepath.Join(s.opt.from, commandFile)))
	}
	path := filepath.Join(s.temp, commandFile)
	output(command(ctx, "", "go", "build", "-o", path, "./cmd/termsift"))
	return path
}

// lines generates a share of the text, whole lines, and returns the path. All shares are the beginning of
// as many documents, which are enough for the whole.
func (s *session) lines(ctx context.Context, program, name string, share float64) (path string) {
	path = filepath.Join(s.temp, name+".jsonl")
	left := int(share * float64(s.opt.size) * 1e6)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	generate := command(ctx, "", program, "generate", "--documents", fmt.Sprint(750*s.opt.size))
	from := lab.Need(generate.StdoutPipe())
	lab.Check(generate.Start())
	file := lab.Need(os.Create(path))
	to := bufio.NewWriterSize(file, 1<<20)
	for in := bufio.NewReaderSize(from, 1<<20); left > 0; {
		line, err := in.ReadSlice('\n')
		lab.Check(err)
		lab.Need(to.Write(line))
		left -= len(line)
	}
	stop()
	_ = generate.Wait() // it was stopped
	lab.Check(to.Flush())
	lab.Check(file.Close())
	return path
}

// textOf reads the documents of a file into memory.
func textOf(ctx context.Context, path string) *stages.Data {
	open := func(ctx context.Context) (*reader.Source, error) {
		return reader.Read(ctx, []string{path}, reader.Options{})
	}
	source := lab.Need(open(ctx))
	docs := lab.Need(stages.Keep(source.Documents()))
	return &stages.Data{Open: open, Documents: docs, Bytes: source.Summary().Bytes}
}
