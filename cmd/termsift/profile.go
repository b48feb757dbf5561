package main

import (
	"cmp"
	"errors"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"github.com/termsift/termsift/cmd/internal/flags"
)

// profiles are the profiles that a run writes about itself: for go tool pprof, with a
// label "stage" on every sample, and for go tool trace.
type profiles struct {
	cpu, memory, trace string
	stops              []func() error
}

func (p *profiles) flags() []flags.Flag {
	return flags.Like(flags.Flag{Writes: true, Group: flags.GroupProfiling, More: true}, []flags.Flag{
		{Name: "cpuprofile", To: &p.cpu, Help: "write a CPU profile to this file"},
		{Name: "memprofile", To: &p.memory, Help: "write a memory profile to this file"},
		{Name: "trace", To: &p.trace, Help: "write an execution trace to this file"},
	})
}

// start begins the profiles that were asked for, in files that create creates.
func (p *profiles) start(create func(path string) (*os.File, error)) error {
	for _, kind := range []struct {
		path  string
		begin func(*profileFile) error
		end   func(*profileFile) error
	}{
		{p.cpu, func(f *profileFile) error { return pprof.StartCPUProfile(f) }, func(*profileFile) error { pprof.StopCPUProfile(); return nil }},
		{p.trace, func(f *profileFile) error { return trace.Start(f) }, func(*profileFile) error { trace.Stop(); return nil }},
		{p.memory, func(*profileFile) error { return nil }, func(f *profileFile) error {
			runtime.GC() // the profile shows the state at the last collection
			return pprof.Lookup("allocs").WriteTo(f, 0)
		}},
	} {
		if kind.path == "" {
			continue
		}
		created, err := create(kind.path)
		if err != nil {
			return err
		}
		file := &profileFile{File: created}
		if err := kind.begin(file); err != nil {
			return errors.Join(err, file.Close())
		}
		p.stops = append(p.stops, func() error { return errors.Join(cmp.Or(kind.end(file), file.failed), file.Close()) })
	}
	return nil
}

// A profileFile keeps the first error of writing it, which Go's profiler and tracer drop.
type profileFile struct {
	*os.File
	failed error
}

func (f *profileFile) Write(data []byte) (int, error) {
	n, err := f.File.Write(data)
	f.failed = cmp.Or(f.failed, err)
	return n, err
}

// stop ends the profiles and closes their files; a second call does nothing.
func (p *profiles) stop() error {
	var err error
	for _, stop := range p.stops {
		err = errors.Join(err, stop())
	}
	p.stops = nil
	return err
}
