package naive

import (
	"fmt"
	"slices"
)

// projection checks the terms of a part.
func (p goldenPart) projection() { p.projectionAt(p.path("term_projection"), p.c) }

// projectionAt checks an object with the projection of every term.
func (g *golden) projectionAt(path string, c Corpus) {
	tb := Tabulate(c)
	chi := tb.Class("chitf", Options{})
	x := tb.Project(c.Terms, c.Classes, ProjectionOptions{Alpha: .5})
	literal := tb.Project(c.Terms, c.Classes, ProjectionOptions{Alpha: .5, Literal: true})
	for t, term := range c.Terms {
		at := join(path, term)
		g.numbers(at+"/chi_tf", chi[t])
		g.numbers(at+"/chi_tf_exact", chi[t])
		g.number(at+"/max", x.Max[t])
		g.number(at+"/total", x.Total[t])
		g.number(at+"/share_of_max", x.Max[t]/x.Total[t])
		g.equal(at+"/kept_at_alpha_50", x.Passed[t])
		g.equal(at+"/argmax_class_literal", c.Classes[literal.Class[t]])
		g.equal(at+"/argmax_class_positive_only", c.Classes[x.Class[t]])
	}
}

// equal checks one leaf that is no number.
func (g *golden) equal(path string, got any) {
	g.Helper()
	if want := g.take(path); got != want {
		g.Errorf("%s = %v, want %v", path, got, want)
	}
}

// clusters checks the vectors of the documents, those of the tests behind them.
func (g *golden) clusters() {
	const path = "projection_documents_single"
	c := g.corpus("single_label")
	var docs []map[int]float64
	for _, d := range c.Docs {
		docs = append(docs, d.Counts)
	}
	for _, v := range g.at("classifiers_single/naive_bayes_laplace1").([]any) {
		counts := map[int]float64{}
		for t, tf := range v.(map[string]any)["counts"].([]any) {
			if tf.(float64) > 0 {
				counts[t] = tf.(float64)
			}
		}
		docs = append(docs, counts)
	}
	x := Tabulate(c).Project(c.Terms, c.Classes, ProjectionOptions{Alpha: .5})
	for t, term := range c.Terms {
		g.number(path+"/pr_max_half_if_B0/"+term, x.PRMax[t])
		g.equal(path+"/clusters/"+term, c.Classes[x.Class[t]])
	}
	for d, v := range x.Vectors(docs...) {
		at := fmt.Sprintf("%s/docs_then_tests/%d", path, d)
		for k, class := range c.Classes {
			g.number(at+"/weights/"+class, v[k])
		}
		g.equal(at+"/rule_pred", c.Classes[x.Predict(v)])
	}
}

// twoClasses checks the ties of a class and the rest.
func (g *golden) twoClasses() {
	c := g.corpus("single_label")
	c.Classes = []string{"a", "rest"}
	for d, doc := range c.Docs {
		c.Docs[d].Labels = []int{min(slices.Max(doc.Labels), 1)}
	}
	g.projectionAt("two_class_projection/terms", c)
	for t, values := range Tabulate(c).Class("gss", Options{}) {
		g.numbers("two_class_projection/gss/"+c.Terms[t], values)
	}
}
