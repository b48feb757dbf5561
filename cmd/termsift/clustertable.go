package main

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/projection"
)

// A clusterTerm is a row of the output of project. Its values are finite.
type clusterTerm struct {
	projection.Term
	class string
	rank  int // rank in its class
}

func (t clusterTerm) share() float64 { return t.Chi / t.Total }

var clusterColumns = []column[clusterTerm]{
	{key: "class", in: forPrograms, value: func(t clusterTerm) any { return t.class }},
	{key: "rank", value: func(t clusterTerm) any { return t.rank }},
	{key: "term", left: true, value: func(t clusterTerm) any { return t.Term.Term }},
	{key: "chi", value: func(t clusterTerm) any { return t.Chi }},
	{key: "share", value: func(t clusterTerm) any { return t.share() }, text: func(t clusterTerm) string { return fmt.Sprintf("%.3f", t.share()) }},
	{key: "pr", value: func(t clusterTerm) any { return t.PR }, text: func(t clusterTerm) string { return fmt.Sprintf("%.4g", t.PR) }},
	{key: "prmax", head: "max", value: func(t clusterTerm) any { return t.PRMax }, text: func(t clusterTerm) string { return fmt.Sprintf("%.4g", t.PRMax) }},
	{key: "df", value: func(t clusterTerm) any { return t.DF }},
}

// printClusters prints the best terms of each cluster.
func (f *projectFlags) printClusters(p *projection.Projection) error {
	t := newTable(f.stdout, f.style(f.format), clusterColumns)
	top := f.top
	if f.all {
		top = math.MaxInt
	}
	for _, cluster := range p.Clusters() {
		if err := t.title("%s, %d terms", f.visible(cluster.Class), len(cluster.Terms)); err != nil {
			return err
		}
		for i, term := range cluster.Terms[:min(top, len(cluster.Terms))] {
			if err := t.add(clusterTerm{term, cluster.Class, i + 1}); err != nil {
				return err
			}
		}
	}
	return t.close()
}
