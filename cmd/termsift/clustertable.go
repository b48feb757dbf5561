package main

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/projection"
)

// A clusterTerm is a row of the output of project. Its values are finite.
type clusterTerm struct {
	projection.Term
	class string
	rank  int // rank in its class
}

func (t clusterTerm) share() float64 { return t.Chi / t.Total }

var clusterColumns = []tables.Column[clusterTerm]{
	{Key: "class", In: tables.ForPrograms, Value: func(t clusterTerm) any { return t.class }},
	{Key: "rank", Value: func(t clusterTerm) any { return t.rank }},
	{Key: "term", Left: true, Value: func(t clusterTerm) any { return t.Term.Term }},
	{Key: "chi", Value: func(t clusterTerm) any { return t.Chi }},
	{Key: "share", Value: func(t clusterTerm) any { return t.share() }, Text: func(t clusterTerm) string { return fmt.Sprintf("%.3f", t.share()) }},
	{Key: "pr", Value: func(t clusterTerm) any { return t.PR }, Text: func(t clusterTerm) string { return fmt.Sprintf("%.4g", t.PR) }},
	{Key: "prmax", Head: "max", Value: func(t clusterTerm) any { return t.PRMax }, Text: func(t clusterTerm) string { return fmt.Sprintf("%.4g", t.PRMax) }},
	{Key: "df", Value: func(t clusterTerm) any { return t.DF }},
}

// printClusters prints the best terms of each cluster.
func (f *projectFlags) printClusters(p *projection.Projection) error {
	t := tables.New(f.stdout, f.style(f.format), clusterColumns)
	top := f.top
	if f.all {
		top = math.MaxInt
	}
	for _, cluster := range p.Clusters() {
		if err := t.Title("%s, %d terms", f.visible(cluster.Class), len(cluster.Terms)); err != nil {
			return err
		}
		for i, term := range cluster.Terms[:min(top, len(cluster.Terms))] {
			if err := t.Add(clusterTerm{term, cluster.Class, i + 1}); err != nil {
				return err
			}
		}
	}
	return t.Close()
}
