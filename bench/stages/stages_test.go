package stages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

func TestMeasure(t *testing.T) {
	var order []string
	slow := func() error {
		order = append(order, "slow")
		time.Sleep(shortRound)
		return nil
	}
	runs := 0
	quick := func() error {
		if runs++; order[len(order)-1] != "quick" {
			order = append(order, "quick")
		}
		return nil
	}
	timings, err := measure(t.Context(), 3, []func() error{slow, quick})
	if err != nil || len(timings) != 2 || timings[0].Wall < shortRound || timings[1].Wall >= timings[0].Wall {
		t.Errorf("%+v, %v", timings, err)
	}
	if got := strings.Join(order, " "); got != "slow quick slow quick slow quick" || runs < 6 {
		t.Errorf("the order was %s, with %d quick runs", got, runs)
	}
}

func TestMeasureFails(t *testing.T) {
	failure := errors.New("failed")
	if _, err := measure(t.Context(), 3, []func() error{func() error { return failure }}); !errors.Is(err, failure) {
		t.Errorf("an error: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	_, err := measure(ctx, 1000, []func() error{func() error {
		runs++
		cancel()
		time.Sleep(shortRound)
		return nil
	}})
	if !errors.Is(err, context.Canceled) || runs > 1 {
		t.Errorf("cancelled: %d runs, %v", runs, err)
	}
}

// smallData returns documents of two classes and their corpus.
func smallData(t *testing.T) *Data {
	t.Helper()
	d := &Data{Buffer: 1 << 16, Options: corpus.Options{Analysis: analysis.Options{}}}
	for i := range 200 {
		text := fmt.Sprintf("common word%d word%d class%d", i%50, i%7, i%2)
		d.Documents = append(d.Documents, document.Document{ID: fmt.Sprint(i), Labels: []string{fmt.Sprint(i % 2)}, Text: []byte(text)})
		d.Bytes += int64(len(text))
	}
	var err error
	if d.Corpus, err = corpus.BuildBatches(t.Context(), document.InBatches(d.Documents), d.Options); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRun(t *testing.T) {
	d := smallData(t)
	list, err := d.Stages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	rows, err := Run(t.Context(), list, []int{1, 3}, 1, func(_, all int, stage string) {
		if told = append(told, stage); all != len(list) {
			t.Errorf("%d stages, want %d", all, len(list))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := d.Corpus.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]int64{
		Tokenise: info.Postings, Build: info.Postings, Cells: info.Postings, Score + "chi": info.Cells, Score + "ig": info.Cells,
		Score + "ttest": info.Cells, Top: int64(info.Terms), SVMLight: info.Postings, Memory: d.Buffer,
	}
	var stages []string
	for i, r := range rows {
		stages = append(stages, r.Stage)
		if r.Units != units[r.Stage] || r.Wall <= 0 || r.SpeedUp <= 0 {
			t.Errorf("%+v; want %d units", r, units[r.Stage])
		}
		if serial := r.Stage == Top; r.Threads != 1 && (serial || rows[i-1].Stage != r.Stage) {
			t.Errorf("%+v has %d threads", r, r.Threads)
		}
		if bytes := map[string]int64{Tokenise: d.Bytes, Build: d.Bytes, Memory: d.Buffer}[r.Stage]; r.Stage != SVMLight && r.Bytes != bytes {
			t.Errorf("%+v; want %d bytes", r, bytes)
		}
	}
	if stages = slices.Compact(stages); !slices.Equal(stages, told) || len(stages) != len(units) {
		t.Errorf("the stages are %v, told were %v", stages, told)
	}
	if share, ok := CPUShare(rows, Tokenise, Build); !ok || share < 0 {
		t.Errorf("tokenise of build: %v, %v", share, ok)
	}
	if _, ok := CPUShare(rows, Unpack, Read); ok {
		t.Error("there is a share of unpack, which was not measured")
	}
	if share, ok := RateShare(rows, Build, Memory, 3); !ok || share <= 0 {
		t.Errorf("build of memory: %v, %v", share, ok)
	}
	if _, ok := RateShare(rows, Cells, Memory, 3); ok {
		t.Error("cells has a rate of bytes")
	}
}

// An index has no documents, and counted documents have no text.
func TestStagesOfOtherData(t *testing.T) {
	names := func(d *Data) string {
		list, err := d.Stages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range list {
			names = append(names, s.Name)
		}
		return strings.Join(names, " ")
	}
	const counted = "cells score-chi score-ig score-ttest top svmlight memory"
	d := smallData(t)
	d.Documents[5].Features = []document.Feature{{Term: "x", Value: 1}}
	if got := names(d); got != "build "+counted {
		t.Errorf("with features: %s", got)
	}
	d.Documents = nil
	if got := names(d); got != counted {
		t.Errorf("of an index: %s", got)
	}
}

func TestShares(t *testing.T) {
	rows := []Row{
		{Stage: "a", Threads: 2, Timing: Timing{Wall: 6, CPU: 9}},
		{Stage: "a", Threads: 1, Timing: Timing{Wall: 12, CPU: 8}},
		{Stage: "b", Threads: 1, Timing: Timing{Wall: 20, CPU: 16}},
	}
	setSpeedUps(rows[:2])
	if rows[0].SpeedUp != 2 || rows[1].SpeedUp != 1 || rows[2].SpeedUp != 0 {
		t.Errorf("speed-ups %v", rows)
	}
	if share, ok := CPUShare(rows, "a", "b"); !ok || share != .5 {
		t.Errorf("CPU share %v, %v", share, ok)
	}
	for _, c := range []struct {
		memory Row
		procs  int
		want   float64
	}{
		{Row{Stage: Memory, Threads: 2, Timing: Timing{Wall: 5, CPU: 6}}, 2, .6},
		{Row{Stage: Memory, Threads: 2, Timing: Timing{Wall: 5, CPU: 6}}, 1, .75},
		{Row{Stage: Memory, Threads: 2, Timing: Timing{Wall: 5, CPU: 10}}, 4, .75},
	} {
		if share, ok := ProcessorShare(append(rows[:3:3], c.memory), c.procs); !ok || share != c.want {
			t.Errorf("%+v: share of processors %v, %v; want %v", c, share, ok, c.want)
		}
	}
	if share, ok := ProcessorShare([]Row{{Stage: Read, Threads: 1, Timing: Timing{Wall: 5, CPU: 1}}}, 2); ok {
		t.Errorf("of reading alone: %v", share)
	}
}

func TestKeepCopies(t *testing.T) {
	text, labels := []byte("one"), []string{"a"}
	kept, err := Keep(document.Of(document.Document{Text: text, Labels: labels}))
	text[0], labels[0] = 'x', "b"
	if err != nil || len(kept) != 1 || string(kept[0].Text) != "one" || kept[0].Labels[0] != "a" {
		t.Errorf("%v, %v", kept, err)
	}
	failure := errors.New("failed")
	_, err = Keep(func(yield func(document.Document, error) bool) { yield(document.Document{}, failure) })
	if !errors.Is(err, failure) {
		t.Errorf("an error: %v", err)
	}
}
