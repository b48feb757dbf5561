package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

func (a *app) explainCommand() *cobra.Command {
	var f struct {
		inputFlags
		scoringFlags
	}
	c := &cobra.Command{
		Use:     "explain INPUT TERM",
		Short:   "tell all that the measures know of a term",
		Example: "  termsift explain train.idx orbit",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError("explain needs an INPUT and a TERM; see termsift explain --help")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			corpus, err := a.corpus(c, &f.inputFlags, args[:1])
			if err != nil {
				return err
			}
			stats, err := corpus.Statistics(c.Context(), engine.StatisticsOptions{Weight: f.weight, Threads: f.threads})
			if err != nil {
				return err
			}
			x, err := stats.Explain(c.Context(), args[1], f.scoring("", f.threads))
			if err != nil {
				return err
			}
			return a.explain(x)
		},
	}
	f.inputFlags.register(c)
	f.registerReference(c)
	f.scoringFlags.register(c)
	return c
}

func (a *app) explain(x *engine.Explanation) error {
	p := printer{terminal: a.toTerminal}
	fmt.Fprintf(a.out, "%s: in %d of %d documents, %v occurrences\n\n", p.visible(x.Term), x.DF, x.N, x.CF)
	fmt.Fprintf(a.out, "%-28s %8s %8s %8s %8s %10s\n", "class", "A", "B", "C", "D", "tokens")
	for _, t := range x.Tables {
		fmt.Fprintf(a.out, "%-28s %8d %8d %8d %8d %10v\n", p.visible(t.Class), t.A, t.B, t.C, t.D, t.S)
	}
	fmt.Fprintf(a.out, "\nA, B: documents in and outside the class with the term; C, D: without it.\n\n")
	fmt.Fprintf(a.out, "%-9s %-7s %12s %8s  %s\n", "measure", "combine", "value", "rank", "largest in; formula with its numbers")
	for _, m := range x.Measures {
		best := ""
		if m.ByClass != nil {
			t := x.Tables[m.Best]
			best = fmt.Sprintf("%s: ", p.visible(t.Class))
			m.Formula = withNumbers(x, m, t)
		}
		if _, err := fmt.Fprintf(a.out, "%-9s %-7s %12s %8d  %s%s\n", m.Measure, m.Combine, short(m.Value), m.Rank, best, m.Formula); err != nil {
			return err
		}
	}
	return nil
}

// withNumbers puts the formula beside the counts it was computed from.
func withNumbers(x *engine.Explanation, m engine.Explained, t engine.ClassTable) string {
	counts := fmt.Sprintf("A=%d B=%d C=%d D=%d", t.A, t.B, t.C, t.D)
	if m.UsesTokens {
		counts = fmt.Sprintf("S=%v cf=%v T_c=%v T=%v n_c=%d N=%d", t.S, x.CF, t.TC, x.T, t.A+t.C, x.N)
	}
	return fmt.Sprintf("%s, %s → %s", m.Formula, counts, short(m.ByClass[m.Best]))
}
