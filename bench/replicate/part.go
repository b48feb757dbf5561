package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/termsift/termsift/bench/host"
	"github.com/termsift/termsift/bench/replicate/papers"
)

// A part is one experiment of a paper.
type part struct {
	name, title, paper string
	// measure gives the results, which the raw file holds as JSON, and tells each step.
	measure func(ctx context.Context, data string, progress func(step string)) (any, error)
	// judge gives what became of the claims, and the protocol, the claims and all figures in full: of what
	// measure gave, or of JSON.
	judge func(results any) (papers.Summary, []papers.Block, error)
}

// allParts gives the parts in the order of the document: the protocols, and behind them
// the terms and documents of Best Terms, which have a program of their own.
func allParts() ([]part, error) {
	protocols, err := papers.All()
	if err != nil {
		return nil, err
	}
	var parts []part
	for _, p := range protocols {
		parts = append(parts, protocolPart(p))
	}
	return append(parts, part{"bestterms", "Best Terms: the terms and the documents that are left", bestPaper, measureBestTerms, judgeBestTerms}), nil
}

// protocolPart is a protocol as a part.
func protocolPart(p *papers.Protocol) part {
	return part{
		p.Name, p.Title, p.Paper,
		func(ctx context.Context, data string, progress func(step string)) (any, error) {
			return p.Run(ctx, data, progress)
		},
		func(results any) (papers.Summary, []papers.Block, error) {
			r, err := resultsOf[papers.Results](results)
			if err != nil {
				return papers.Summary{}, nil, err
			}
			sum, err := p.Summary(r)
			if err != nil {
				return sum, nil, err
			}
			blocks, err := p.Report(r)
			return sum, blocks, err
		},
	}
}

// resultsOf takes the results as they are, or reads their JSON.
func resultsOf[T any](results any) (*T, error) {
	if text, ok := results.(json.RawMessage); ok {
		r := new(T)
		return r, json.Unmarshal(text, r)
	}
	return results.(*T), nil
}

// A raw file holds what a part measured and where.
type raw struct {
	Origin  host.Origin     `json:"origin"`
	Command string          `json:"command"`
	Results json.RawMessage `json:"results"`
}

// run measures and writes the raw file.
func (p part) run(ctx context.Context, opt *options) error {
	here, err := host.OriginHere(ctx)
	if err != nil {
		return err
	}
	results, err := p.measure(ctx, opt.data, opt.progress)
	if err != nil {
		return err
	}
	data, err := json.Marshal(results)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(raw{here, "go run ./bench/replicate -data DIR -only " + p.name, data}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(p.rawPath(opt), append(text, '\n'), 0o666)
}

// read gives the raw results.
func (p part) read(opt *options) (*raw, error) {
	data, err := os.ReadFile(p.rawPath(opt))
	if err != nil {
		return nil, fmt.Errorf("%w; measure part %s with -data first", err, p.name)
	}
	r := &raw{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w; measure part %s again", p.rawPath(opt), err, p.name)
	}
	return r, nil
}
