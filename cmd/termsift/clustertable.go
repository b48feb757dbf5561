package main

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine"
)

// This file prints the clusters of project.

// A clusterLine is a term of a cluster. Its values are finite.
type clusterLine struct {
	Class string  `json:"class"`
	Rank  int     `json:"rank"` // in its class
	Term  string  `json:"term"`
	Chi   float64 `json:"chi"`
	Share float64 `json:"share"` // of the sum over all classes
	PR    float64 `json:"pr"`
	PRMax float64 `json:"prmax"`
	DF    int     `json:"df"`
}

func (a *app) printClusters(f *projectFlags, p *engine.Projection) error {
	out := printer{w: a.out, format: f.format, terminal: a.toTerminal}
	top := f.top
	if f.all {
		top = math.MaxInt
	}
	if f.format == "tsv" {
		fmt.Fprintln(out.w, "class\trank\tterm\tchi\tshare\tpr\tprmax\tdf")
	}
	for _, cluster := range p.Clusters() {
		out.title("%s, %d terms", out.visible(cluster.Class), len(cluster.Terms))
		for i, t := range cluster.Terms[:min(top, len(cluster.Terms))] {
			line := clusterLine{cluster.Class, i + 1, t.Term, t.Chi, t.Chi / t.Total, t.PR, t.PRMax, t.DF}
			if err := out.cluster(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *printer) cluster(l clusterLine) error {
	var err error
	switch p.format {
	case "jsonl":
		err = writeJSON(p.w, l)
	case "tsv":
		value := engine.FormatValue
		_, err = fmt.Fprintf(p.w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%d\n", engine.EscapeTSV(l.Class), l.Rank, engine.EscapeTSV(l.Term),
			value(l.Chi), value(l.Share), value(l.PR), value(l.PRMax), l.DF)
	default:
		_, err = fmt.Fprintf(p.w, "%4d  %-24s %12s  share %.3f  pr %-9s max %-9s df %d\n", l.Rank, p.visible(l.Term),
			short(l.Chi), l.Share, brief(l.PR), brief(l.PRMax), l.DF)
	}
	return err
}

func brief(v float64) string { return fmt.Sprintf("%.4g", v) }
