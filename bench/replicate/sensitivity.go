package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/termsift/termsift/bench/lab"
)

// A Sensitivity measures one point of a protocol again and again, with one choice
// changed each time.
type Sensitivity struct {
	// Point is a step, named point, and Figure the expression of its figure; "" is the
	// micro-F1 of the one method, number of features and classifier that it has.
	Point  Step   `json:"point"`
	Figure string `json:"figure,omitempty"`
	// What says what the figure is.
	What    string   `json:"what"`
	Choices []Choice `json:"choices"`
}

// A Choice is changed by its alternatives.
type Choice struct {
	Choice string `json:"choice"` // "stemmer"
	Value  string `json:"value"`  // that of the protocol
	Others []struct {
		Value string `json:"value"`
		// Corpus changes keys of the recipe, Step of the step.
		Corpus json.RawMessage `json:"corpus,omitempty"`
		Step   json.RawMessage `json:"step,omitempty"`
		Figure string          `json:"figure,omitempty"`
	} `json:"others"`
}

// points is how much moves a figure by more than can be put aside.
const points = 1

// sensitivity measures "sensitivity base" and "sensitivity CHOICE OTHER" by their places,
// from 1 on.
func (r *runner) sensitivity(ctx context.Context, p *Protocol) {
	if p.Sensitivity == nil {
		return
	}
	r.out.Figures["sensitivity base"] = r.point(ctx, p, nil, nil, "")
	for i, c := range p.Sensitivity.Choices {
		for j, o := range c.Others {
			lab.In(c.Choice+" "+o.Value, func() {
				r.out.Figures[fmt.Sprintf("sensitivity %d %d", i+1, j+1)] = r.point(ctx, p, o.Corpus, o.Step, o.Figure)
			})
		}
	}
}

// point measures the figure of the point with changes.
func (r *runner) point(ctx context.Context, p *Protocol, corpus, step json.RawMessage, figure string) Figure {
	s := changed(p.Sensitivity.Point, step)
	s.Change = corpus
	part := runner{data: r.data, out: Results{Figures: Figures{}, Lists: map[string]string{}}, cached: r.cached}
	part.step(ctx, p, &s)
	v, of := part.out.Figures.evaluate(cmp.Or(figure, p.Sensitivity.Figure, "["+s.Name+" * * * micro]"))
	if len(of) != 1 {
		panic(lab.Errorf("a choice changes figures of one basis, not of %d", len(of)))
	}
	return Figure{v, of[0]}
}

// Table says which choices move the figure. All have to measure the same thing.
func (s *Sensitivity) Table(f Figures) *lab.Table {
	base, _ := f.evaluate("[sensitivity base]")
	t := &lab.Table{Head: []string{"choice", "instead", s.What, "difference", "moves it by more than a point"}, Text: 2}
	t.Rows = append(t.Rows, []string{"as above", "", fmt.Sprintf("%.1f", base), "", ""})
	for i, c := range s.Choices {
		for j, o := range c.Others {
			d, _ := f.evaluate(fmt.Sprintf("[sensitivity %d %d] - [sensitivity base]", i+1, j+1))
			moves := "no"
			if d > points || -d > points {
				moves = "yes"
			}
			t.Rows = append(t.Rows, []string{c.Choice + ": " + c.Value, o.Value, fmt.Sprintf("%.1f", base+d), fmt.Sprintf("%+.1f", d), moves})
		}
	}
	return t
}
