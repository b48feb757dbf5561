package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/termsift/termsift/bench/lab"
)

// A record is a raw file: what an experiment measured, and where.
type record struct {
	Origin  lab.Origin `json:"origin"`
	Command string     `json:"command"`
	Results *Results   `json:"results"`
}

// rawPath is the raw file of an experiment.
func (p *Protocol) rawPath(results string) string {
	return filepath.Join(results, "replicate-"+p.Name+".json")
}

// record measures and writes the raw file.
func (p *Protocol) record(ctx context.Context, opt *options) {
	here := lab.Need(lab.OriginHere(ctx))
	results := p.Run(ctx, opt.data, opt.progress)
	text := lab.Need(json.MarshalIndent(record{here, "go run ./bench/replicate -data DIR -only " + p.Name, results}, "", " "))
	lab.Check(os.WriteFile(p.rawPath(opt.results), append(text, '\n'), 0o666))
}

// recorded reads the raw file.
func (p *Protocol) recorded(results string) *record {
	data, err := os.ReadFile(p.rawPath(results))
	if err != nil {
		panic(lab.Errorf("%w; measure part %s with -data first", err, p.Name))
	}
	r := &record{}
	if err := json.Unmarshal(data, r); err != nil {
		panic(lab.Errorf("%s: %w; measure part %s again", p.rawPath(results), err, p.Name))
	}
	return r
}
