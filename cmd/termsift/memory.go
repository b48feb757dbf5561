package main

import (
	"context"
	"io"
	"math"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/engine/ingest"
)

// This file builds indexes within a bound on memory.

// units are the units of sizes.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"K", 1 << 10},
	{"M", 1 << 20},
	{"G", 1 << 30},
	{"T", 1 << 40},
	{"B", 1},
	{"", 1},
}

// parseSize parses "256MiB", "2GB", "1.5g" or a number of bytes.
func parseSize(flag, text string) (int64, error) {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToLower(text), strings.ToLower(u.name))
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if v *= u.bytes; err != nil || !(v >= 1) || v >= math.MaxInt64 {
			break
		}
		return int64(v), nil
	}
	return 0, usageError("--%s takes a size such as 256MiB or 2GB, not %q", flag, text)
}

// boundMemory returns the bound in bytes, 0 for none, and sets it as the limit of the
// garbage collector.
func (f *inputFlags) boundMemory() (int64, error) {
	if f.maxMemory == "" {
		return 0, nil
	}
	most, err := parseSize("max-memory", f.maxMemory)
	switch {
	case err != nil:
		return 0, err
	case most < ingest.MinMemory:
		return 0, usageError("--max-memory must be at least %d MiB, not %s", ingest.MinMemory>>20, f.maxMemory)
	case f.docs != "" || f.against():
		return 0, usageError("--max-memory bounds the building of an index; --docs and --reference make another in memory: build the index first, then use them on it")
	}
	if most < debug.SetMemoryLimit(-1) {
		debug.SetMemoryLimit(most)
	}
	return most, nil
}

// buildFile builds an index file, with cells unless noCells is set, from raw inputs, which
// need not fit into memory.
func (f *inputFlags) buildFile(ctx context.Context, paths []string, out string, noCells bool) error {
	opt, err := f.options()
	if err != nil {
		return err
	}
	opt.NoCells = noCells
	source, err := f.source(ctx, paths)
	if err != nil {
		return err
	}
	start := time.Now()
	var built *ingest.Built
	err = f.write(out, func(w io.Writer) (err error) {
		built, err = ingest.BuildTo(ctx, w, f.watchBatches(source), opt)
		return explained(source, err)
	})
	if err != nil {
		return err
	}
	f.noteAnalysis(opt, built.Provenance)
	f.sumUp(source, time.Since(start), &vocabulary{built.Terms, built.Classes})
	f.noteLeftOut(built.EmptyDocuments, built.Provenance)
	return nil
}
