package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

type stabilityFlags struct {
	inputFlags
	scoringFlags
	by                          string
	k, top                      int
	bootstrap, subsample, folds int
	share                       float64
	seed                        uint64
	format                      string
}

// defaultSamples are the bootstrap samples where nothing else is asked for.
const defaultSamples = 100

func (a *app) stabilityCommand() *cobra.Command {
	var f stabilityFlags
	c := &cobra.Command{
		Use:   "stability INPUT... -k K",
		Short: "repeat a selection on samples of the documents and compare",
		Long: "stability selects the K best terms on every sample of the documents and prints how often\n" +
			"each term was selected, its mean rank where it was, and its rank in the whole corpus; and, on\n" +
			"stderr (in a table: above it; in JSON lines also as the first), how alike the selections are:\n" +
			"the mean Jaccard index of all pairs, Kuncheva's consistency index, and Nogueira's index with\n" +
			"its 95 % interval. Samples are drawn from the counts: no text is read again.",
		Example: "  termsift stability --by chi -k 1000 train.idx\n" +
			"  termsift stability --by ig -k 1000 --folds 10 train.idx\n" +
			"  termsift stability --by chi -k 1000 --subsample 200 --share 0.8 --seed 7 --format tsv train.idx",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := f.options(c)
			if err != nil {
				return err
			}
			corpus, err := a.corpus(c, &f.inputFlags, args)
			if err != nil {
				return err
			}
			s, err := corpus.Stability(c.Context(), o)
			if err != nil {
				return err
			}
			a.warn(s.Warnings)
			return a.printStability(s, &f)
		},
	}
	f.inputFlags.register(c)
	f.scoringFlags.register(c)
	flags := c.Flags()
	flags.StringVar(&f.by, "by", "chi", "measure")
	flags.IntVarP(&f.k, "number", "k", 0, "the number of terms to select")
	flags.IntVar(&f.bootstrap, "bootstrap", 0, fmt.Sprintf("this many samples of as many documents, drawn with replacement (default %d)", defaultSamples))
	flags.IntVar(&f.subsample, "subsample", 0, "this many samples of a --share of the documents, drawn without replacement")
	flags.Float64Var(&f.share, "share", .5, "of the documents in a sample (with --subsample)")
	flags.IntVar(&f.folds, "folds", 0, "cut the documents into this many parts; each sample is all but one")
	flags.Uint64Var(&f.seed, "seed", 0, "which samples")
	flags.IntVar(&f.top, "top", 0, "only the so many most often selected terms (default all that ever were)")
	flags.StringVar(&f.format, "format", "table", strings.Join(formats, ", "))
	return c
}

// options checks the flags.
func (f *stabilityFlags) options(c *cobra.Command) (o engine.StabilityOptions, err error) {
	asked := 0
	for _, name := range []string{"bootstrap", "subsample", "folds"} {
		if c.Flags().Changed(name) {
			asked++
		}
	}
	switch changed := c.Flags().Changed; {
	case !slices.Contains(formats, f.format):
		return o, usageError("unknown format %q; known: %s", f.format, strings.Join(formats, " "))
	case !changed("number"):
		return o, usageError("say how many terms to select: -k")
	case changed("top") && f.top <= 0:
		return o, usageError("--top must be positive, not %d", f.top)
	case asked > 1:
		return o, usageError("--bootstrap, --subsample and --folds exclude each other")
	case changed("share") && !changed("subsample"):
		return o, usageError("--share goes with --subsample")
	case changed("bootstrap") && f.bootstrap < 2 || changed("subsample") && f.subsample < 2 || changed("folds") && f.folds < 2:
		return o, usageError("there must be 2 samples or folds at least: there is nothing to compare in one")
	}
	o = engine.StabilityOptions{Scoring: f.scoring(f.by, f.threads), K: f.k, Folds: f.folds, Seed: f.seed}
	switch {
	case f.subsample > 0:
		o.Samples, o.Share = f.subsample, f.share
		if !(f.share > 0 && f.share < 1) {
			return o, usageError("--share must be between 0 and 1, not %v", f.share)
		}
	case f.folds == 0:
		if o.Samples = f.bootstrap; o.Samples == 0 {
			o.Samples = defaultSamples
		}
	}
	return o, o.Validate()
}

// printStability prints the terms, and how alike the selections are.
func (a *app) printStability(s *engine.Stability, f *stabilityFlags) error {
	selected := s.Selected
	if f.top > 0 {
		selected = selected[:min(f.top, len(selected))]
	}
	summary := []string{
		fmt.Sprintf("%s, %s, k = %d: %d selections of %d terms, %d terms ever selected", s.Measure, s.Combine, s.K, s.Samples, s.Terms, len(s.Selected)),
		fmt.Sprintf("Jaccard %s, Kuncheva %s, Nogueira %s [%s, %s]", index(s.Jaccard), index(s.Kuncheva), index(s.Nogueira), index(s.NogueiraLow), index(s.NogueiraHigh)),
	}
	p := printer{terminal: a.toTerminal}
	if f.format == "table" {
		fmt.Fprintf(a.out, "%s\n%s\n\n%8s %10s %6s %6s  term\n", summary[0], summary[1], "selected", "mean rank", "rank", "df")
		for _, t := range selected {
			if _, err := fmt.Fprintf(a.out, "%8s %10.1f %6d %6d  %s\n", fmt.Sprintf("%.1f %%", 100*t.Share), t.MeanRank, t.Rank, t.DF, p.visible(t.Term)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, line := range summary {
		a.note("%s", line)
	}
	if f.format == "tsv" {
		return writeStabilityTSV(a.out, selected)
	}
	return writeStabilityJSON(a.out, s, selected)
}

// index is one of agreement.
func index(v float64) string {
	if math.IsNaN(v) {
		return "undefined"
	}
	return fmt.Sprintf("%.4f", v)
}

func writeStabilityTSV(w io.Writer, selected []engine.StableTerm) error {
	if _, err := io.WriteString(w, "term\tselected\tshare\tmean_rank\trank\tdf\n"); err != nil {
		return err
	}
	for _, t := range selected {
		_, err := fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%d\n",
			engine.EscapeTSV(t.Term), t.Count, engine.FormatValue(t.Share), engine.FormatValue(t.MeanRank), t.Rank, t.DF)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeStabilityJSON writes a line for the whole, then one for each term.
func writeStabilityJSON(w io.Writer, s *engine.Stability, selected []engine.StableTerm) error {
	err := writeJSON(w, struct {
		Scorer   string     `json:"scorer"`
		Combine  string     `json:"combine"`
		K        int        `json:"k"`
		Samples  int        `json:"samples"`
		Terms    int        `json:"terms"`
		Ever     int        `json:"ever_selected"`
		Jaccard  jsonNumber `json:"jaccard"`
		Kuncheva jsonNumber `json:"kuncheva"`
		Nogueira jsonNumber `json:"nogueira"`
		Low      jsonNumber `json:"nogueira_low"`
		High     jsonNumber `json:"nogueira_high"`
	}{
		s.Measure, s.Combine, s.K, s.Samples, s.Terms, len(s.Selected),
		jsonNumber(s.Jaccard), jsonNumber(s.Kuncheva), jsonNumber(s.Nogueira), jsonNumber(s.NogueiraLow), jsonNumber(s.NogueiraHigh),
	})
	if err != nil {
		return err
	}
	for _, t := range selected {
		err := writeJSON(w, struct {
			Term     string  `json:"term"`
			Selected int     `json:"selected"`
			Share    float64 `json:"share"`
			MeanRank float64 `json:"mean_rank"`
			Rank     int     `json:"rank"`
			DF       int     `json:"df"`
		}{t.Term, t.Count, t.Share, t.MeanRank, t.Rank, t.DF})
		if err != nil {
			return err
		}
	}
	return nil
}
