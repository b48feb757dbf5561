package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// jobFlags are the flags of all jobs.
type jobFlags struct {
	flags.Reading
	inputs, out string
	tempDir     string
	threads     int
	logLevel    string
}

// flags returns the flags. out says what the output is.
func (f *jobFlags) flags(out string) []flags.Flag {
	return append(
		f.Reading.Flags(),
		flags.MaxList(&f.Read.MaxList),
		flags.Flag{Name: "inputs", To: &f.inputs, Takes: "GLOB", Help: "the files, each a shard: a pattern such as 'shards/*.jsonl' or 'gs://bucket/*.jsonl.zst'"},
		flags.Flag{Name: "output", Short: "o", To: &f.out, Writes: true, Help: out},
		flags.Flag{Name: "temp-dir", To: &f.tempDir, Folder: true, Help: "directory on a worker for copies of Parquet (default the system's)"},
		flags.Flag{
			Name: "log-level", To: &f.logLevel, Choices: flags.Among(logLevels...),
			Help: "the log of Beam: debug, info, warn or error (default the warnings of this program)",
		},
		flags.Flag{
			Name: "threads", To: &f.threads, NotNegative: true, Most: pool.MostThreads,
			Help: "goroutines for a shard (default GOMAXPROCS with prism, which takes one shard at a time, else 1)",
		},
	)
}

// check returns an error for flags that are wrong whatever the inputs.
func (f *jobFlags) check() error {
	switch {
	case f.inputs == "":
		return usage.Errorf("name the files by --inputs 'GLOB'")
	case f.out == "":
		return usage.Errorf("name the output by -o")
	case f.logLevel != "" && !slices.Contains(logLevels, f.logLevel):
		return usage.Unknown("level", f.logLevel, logLevels)
	case f.Classes == "both":
		return usage.Errorf("--classes both needs all inputs before any is counted: name the classes in a file, --classes FILE")
	case f.ClassesFrom != "":
		return usage.Errorf("--classes-from is of an index: name the classes in a file, --classes FILE")
	}
	log.LogLevel = cmp.Or(f.logLevel, log.LogLevel)
	if err := onWorkers(&f.inputs, &f.out); err != nil {
		return err
	}
	return notAnInput(f.inputs, f.out)
}

var logLevels = []string{"debug", "info", "warn", "error"}

// shards returns how shards are read.
func (f *jobFlags) shards() (shardReader, error) {
	if err := f.check(); err != nil {
		return shardReader{}, err
	}
	if f.threads == 0 && !inProcess() {
		f.threads = 1
	}
	o, err := f.Reading.Options()
	o.TempDir = f.tempDir
	return shardReader{Options: o}, err
}

// notAnInput returns an error if a file to write matches the pattern of the inputs.
func notAnInput(glob, path string) error {
	if matches, err := filesystem.Match(glob, path); err != nil {
		return usage.Errorf("--inputs %q: %v", glob, err)
	} else if matches {
		return usage.Errorf("%s is to be written, and is one of the inputs %q: write it elsewhere", path, glob)
	}
	return nil
}

// runJob builds a pipeline and runs it, and prints the counters.
func runJob(ctx context.Context, stderr io.Writer, f *jobFlags, build func(s beam.Scope)) error {
	if f.threads > 0 && f.threads < runtime.GOMAXPROCS(0) && inProcess() {
		runtime.GOMAXPROCS(f.threads) // as termsift does
	}
	if !inProcess() {
		if err := prepareRunner(ctx); err != nil {
			return err
		}
	}
	initBeam()
	if f.logLevel == "" {
		slog.SetDefault(slog.New(&warningsHandler{w: stderr}))
	}
	p := beam.NewPipeline()
	build(p.Root())
	result, err := beamx.RunWithMetrics(ctx, p)
	switch {
	case ctx.Err() != nil && !inProcess():
		return errors.New("interrupted: what the runner has of the job goes on there, until it is cancelled there")
	case err != nil:
		return jobError(err)
	}
	if result != nil { // nil with --async
		fmt.Fprintln(stderr, tellCounters(result.Metrics().AllMetrics()))
	}
	return nil
}

// tellCounters returns the counters of a job as text, those of all stages added up.
func tellCounters(m metrics.QueryResults) string {
	sums := map[string]int64{}
	for _, c := range m.Counters() {
		if c.Key.Namespace == counterSpace {
			sums[c.Key.Name] += c.Result()
		}
	}
	var told []string
	for _, name := range counterNames {
		if sum, counted := sums[name]; counted {
			told = append(told, fmt.Sprintf("%d %s", sum, name))
		}
	}
	return strings.Join(told, ", ")
}

// A warningsHandler prints the warnings of a job, and nothing else of Beam's log: an error comes in
// it five times, with the stages that it went through, and as the error of the job once more.
type warningsHandler struct {
	mu sync.Mutex
	w  io.Writer
}

// Enabled implements [slog.Handler].
func (h *warningsHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level == slog.LevelWarn
}

// Handle implements [slog.Handler].
func (h *warningsHandler) Handle(_ context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := fmt.Fprintf(h.w, "termsift-beam: warning: %s\n", strings.TrimPrefix(r.Message, "[SDK] "))
	return err
}

// WithAttrs implements [slog.Handler].
func (h *warningsHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements [slog.Handler].
func (h *warningsHandler) WithGroup(string) slog.Handler { return h }
