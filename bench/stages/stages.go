// Package stages measures the stages of the engine on the data of a user: reading,
// building, counting, scoring, choosing, writing, and how fast memory can be read.
//
// It takes [Data] and gives a [Row] for each stage and number of threads. Begin reading
// with [Data.Stages], which says what each stage does; [Run] takes the times. The package
// never prints, and never estimates a time that it has not taken.
package stages

import (
	"context"
	"math"
)

// Work is what one run of a stage does.
type Work struct {
	Bytes int64 // that it reads or writes; 0 if bytes are no measure of it
	Units int64
}

// A Stage is a part of the engine's work that can be repeated.
type Stage struct {
	Name string
	Unit string // what Work.Units counts
	// serial stages run on one goroutine, whatever the number of threads.
	serial bool
	// prepare, unless nil, is called once before the measurements.
	prepare func()
	run     func(ctx context.Context, threads int) (Work, error)
}

// A Row is the measurement of a stage with a number of threads.
type Row struct {
	Stage, Unit string
	Threads     int
	Work
	Timing
	// SpeedUp is the time with one thread divided by this one; 0 if one thread was not
	// measured.
	SpeedUp float64
}

// BytesPerSecond returns the rate of the bytes, 0 if there are none.
func (r Row) BytesPerSecond() float64 { return float64(r.Bytes) / r.Wall.Seconds() }

// NanosecondsPerUnit returns the time of a unit, 0 if there are no units.
func (r Row) NanosecondsPerUnit() float64 {
	if r.Units == 0 {
		return 0
	}
	return float64(r.Wall.Nanoseconds()) / float64(r.Units)
}

// Run measures stages, one after the other, with each number of threads; stages that run
// on one goroutine with one thread only. It calls tell, unless that is nil, before each
// stage.
func Run(ctx context.Context, list []Stage, threads []int, rounds int, tell func(done, all int, stage string)) ([]Row, error) {
	var rows []Row
	for i, s := range list {
		if tell != nil {
			tell(i, len(list), s.Name)
		}
		measured, err := s.measure(ctx, threads, rounds)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

// measure measures a stage.
func (s *Stage) measure(ctx context.Context, threads []int, rounds int) ([]Row, error) {
	if s.serial {
		threads = []int{1}
	}
	if s.prepare != nil {
		s.prepare()
	}
	rows, runs := make([]Row, len(threads)), make([]func() error, len(threads))
	for i, n := range threads {
		rows[i] = Row{Stage: s.Name, Unit: s.Unit, Threads: n}
		runs[i] = func() (err error) {
			rows[i].Work, err = s.run(ctx, n)
			return err
		}
	}
	timings, err := measure(ctx, rounds, runs)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Timing = timings[i]
	}
	setSpeedUps(rows)
	return rows, nil
}

// setSpeedUps sets the speed-ups of the rows of a stage.
func setSpeedUps(rows []Row) {
	for _, one := range rows {
		if one.Threads != 1 {
			continue
		}
		for i := range rows {
			rows[i].SpeedUp = one.Wall.Seconds() / rows[i].Wall.Seconds()
		}
	}
}

// CPUShare returns the CPU time of one stage divided by that of another that contains it,
// both with one thread. It returns false if one of them was not measured so.
func CPUShare(rows []Row, part, whole string) (float64, bool) {
	p, ok := find(rows, part, 1)
	w, okWhole := find(rows, whole, 1)
	if !ok || !okWhole || w.CPU <= 0 {
		return 0, false
	}
	return p.CPU.Seconds() / w.CPU.Seconds(), true
}

// ProcessorShare returns the share of the time that threads had a processor: of all stages
// with one thread, or of Memory with several up to procs, whichever is less. If it is far
// below 1, other processes used the processors, and the times are too long. It leaves out
// the stages that read the inputs, which may wait, and other stages with several threads,
// which may wait for one another. It returns false if nothing is left.
func ProcessorShare(rows []Row, procs int) (float64, bool) {
	one := processorShare(rows, func(r Row) bool { return r.Threads == 1 && r.Stage != Unpack && r.Stage != Read })
	several := processorShare(rows, func(r Row) bool { return r.Stage == Memory && r.Threads > 1 && r.Threads <= procs })
	share := min(one, several)
	return share, !math.IsInf(share, 1)
}

// processorShare returns the CPU time of the rows that are taken, divided by the time of
// their threads; +Inf if none is taken.
func processorShare(rows []Row, take func(Row) bool) float64 {
	var cpu, threads float64
	for _, r := range rows {
		if take(r) {
			cpu += r.CPU.Seconds()
			threads += r.Wall.Seconds() * float64(r.Threads)
		}
	}
	if threads == 0 {
		return math.Inf(1)
	}
	return cpu / threads
}

// RateShare returns the bytes in a second of a stage divided by those of another, both with
// the same number of threads. It returns false if one of them was not measured so.
func RateShare(rows []Row, stage, of string, threads int) (float64, bool) {
	s, ok := find(rows, stage, threads)
	o, okOther := find(rows, of, threads)
	if !ok || !okOther || s.Bytes == 0 || o.Bytes == 0 {
		return 0, false
	}
	return s.BytesPerSecond() / o.BytesPerSecond(), true
}

// find returns the row of a stage with a number of threads.
func find(rows []Row, stage string, threads int) (Row, bool) {
	for _, r := range rows {
		if r.Stage == stage && r.Threads == threads {
			return r, true
		}
	}
	return Row{}, false
}
