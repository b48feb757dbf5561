package main

import (
	"fmt"

	"github.com/termsift/termsift/bench/markdown"
)

// roofline is the table of {{roofline}}: how near benchmarks come to the speed
// at which the machine reads memory.
func (r *report) roofline(d directive) (*markdown.Table, error) {
	found, err := r.choose(d, "match")
	if err != nil {
		return nil, err
	}
	if err := distinct(found, func(b *benchmark) string { return b.name }); err != nil {
		return nil, err
	}
	reader, err := r.chooseOne(d, "bandwidth")
	if err != nil {
		return nil, err
	}
	read, err := r.measure(reader, "GB/s")
	if err != nil {
		return nil, fmt.Errorf("%w (its benchmark must call SetBytes)", err)
	}
	t := &markdown.Table{Head: []string{"benchmark", "bytes an operation", "time", "GB/s", "of what can be read"}, Text: 1}
	var runs runCount
	runs.add(len(read))
	for _, b := range found {
		line, err := r.rooflineRow(b, read.median(), &runs)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, line)
	}
	t.Caption = fmt.Sprintf("%s can be read: `%s`. GB/s %s, ± half the range; from `%s`.", markdown.Number(read.median())+" GB/s", reader.name, runs.String(), d.args["file"])
	return t, nil
}

// rooflineRow is the line of one benchmark.
func (r *report) rooflineRow(b *benchmark, bandwidth float64, runs *runCount) ([]string, error) {
	rate, err := r.measure(b, "GB/s")
	if err != nil {
		return nil, fmt.Errorf("%w (its benchmark must call SetBytes)", err)
	}
	time, err := b.in("ns/op")
	if err != nil {
		return nil, err
	}
	touched := make([]float64, len(b.runs))
	for i, run := range b.runs {
		perNanosecond, _ := lookUp(run, "GB/s")
		touched[i] = perNanosecond * run["ns/op"]
	}
	runs.add(len(rate))
	return []string{
		code(b.name), formatBytes(newSample(touched).median()), formatTime(time.median()),
		rate.cell(), formatPercent(100 * rate.median() / bandwidth),
	}, nil
}
