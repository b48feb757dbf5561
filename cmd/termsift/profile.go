package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"github.com/spf13/cobra"
)

// profiles are the files that a run writes about itself: for go tool pprof, with
// a label "stage" on every sample, and for go tool trace.
type profiles struct {
	cpu, memory, trace string
	stops              []func() error
}

func (p *profiles) register(c *cobra.Command) {
	flags := c.PersistentFlags()
	flags.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to this file")
	flags.StringVar(&p.memory, "memprofile", "", "write a memory profile to this file")
	flags.StringVar(&p.trace, "trace", "", "write an execution trace to this file")
}

// start begins what was asked for.
func (p *profiles) start() error {
	for _, kind := range []struct {
		path  string
		begin func(*os.File) error
		end   func(*os.File) error
	}{
		{p.cpu, func(f *os.File) error { return pprof.StartCPUProfile(f) }, func(*os.File) error { pprof.StopCPUProfile(); return nil }},
		{p.trace, func(f *os.File) error { return trace.Start(f) }, func(*os.File) error { trace.Stop(); return nil }},
		{p.memory, func(*os.File) error { return nil }, func(f *os.File) error {
			runtime.GC() // the profile is as of the last collection
			return pprof.Lookup("allocs").WriteTo(f, 0)
		}},
	} {
		if kind.path == "" {
			continue
		}
		file, err := os.Create(kind.path)
		if err != nil {
			return err
		}
		if err := kind.begin(file); err != nil {
			return errors.Join(err, file.Close())
		}
		p.stops = append(p.stops, func() error { return errors.Join(kind.end(file), file.Close()) })
	}
	return nil
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
