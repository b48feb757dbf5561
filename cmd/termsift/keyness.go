package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/words"
)

type keynessFlags struct {
	sideFlags
	asked       words.KeynessOptions
	also, terms []string
	yates, all  bool
}

func keynessCommand(a *app) *command {
	var f keynessFlags
	f.app = a
	return &command{
		use:   "keyness A B | keyness INPUT --docs EXPR | keyness A --reference-list FILE",
		short: "tell which terms one corpus uses more than another",
		long: "keyness compares how often two corpora use their terms. A and B are folders of text files, files of\n" +
			"which each line is a text, indexes, or any other INPUT; no classes are needed. Of one INPUT, --docs\n" +
			"chooses A, and the rest is B, or what --reference-docs chooses. B is analysed as A was, unless flags say\n" +
			"otherwise.\n\n" +
			"Positive keys are more frequent in A, negative keys in B, both best first. Those of --drift, of which\n" +
			"positive values say that B has more of a term, are new, gone, rising or falling. Each key has its\n" +
			"frequency in A and B, also per million words, its range (its documents), its dispersion, and the\n" +
			"measures below. Those of texts count documents with the term; those of spread look at its share of each\n" +
			"document, for which statistics do not do. They, simplemaths, lrc and lrcpos are there if --by or --also\n" +
			"asks for them, the others always.\n\n" +
			"Keys have a corrected p-value of 0.05 at most and at least 5 occurrences in the corpus that uses them\n" +
			"more; --max-p 1 --min-freq 1 leaves no term out. p-values are those of g2, chi or z if --by asks for\n" +
			"them, of measures of documents and of eta those of g2 of documents, of rrf that of welch, else of ll. An\n" +
			"effect size says how large a difference is, and puts rare terms first: raise --min-freq for it.\n\n" +
			"Files of statistics (index --stats-only, merge) know no documents: they have no dispersion, and --docs\n" +
			"does not choose from them. The lines of a --reference-list are a term, a tab and its occurrences, and in\n" +
			"all lines or none a tab and its documents; lines \"#total\" and \"#documents\", a tab and a number may stand\n" +
			"first.\n\n" +
			"TSV, CSV and JSON have for each key its occurrences (tf), their number in a million words, its documents\n" +
			"(df), all measures, log10p and log10p_corrected, and the dispersion (dp, dpnorm, d): those of A, and\n" +
			"with _reference those of B; of --drift those of B, and with _reference those of A. The column key is\n" +
			"positive, negative, or new, gone, rising, falling; of --terms also neither or steady. What is not\n" +
			"defined is empty.",
		example: "  termsift keyness speeches/ novels/\n" +
			"  termsift keyness --by logratio --min-freq 20 --max-p 0.001 a.idx b.idx\n" +
			"  termsift keyness --docs 'class=comp.*' train.idx --format csv --all\n" +
			"  termsift keyness --by lrc --also tdk,simplemaths speeches/ novels/\n" +
			"  termsift keyness speeches/ --reference-list words.tsv --reference-total 98000000\n" +
			"  termsift keyness --by wilcoxon --permutations 1000 --maxt speeches/ novels/\n" +
			"  termsift keyness --by zeta --segments 10 --max-p 1 speeches/ novels/\n" +
			"  termsift keyness --drift --by z --max-p 1 a.stats b.stats",
		args: arguments(1, 2, "two inputs, A and B, or one and --docs"),
		flags: slices.Concat(f.ownFlags(), f.inputFlags.flags(), f.listFlags(), []flags.Flag{f.referenceDocsFlag("only these documents as B: of B, else of INPUT")},
			a.tableFlags("table")),
		classes: classesIgnored,
		lists:   score.OfCorpora,
		run:     f.keyness,
	}
}

// ownFlags returns the flags that say what keys are.
func (f *keynessFlags) ownFlags() []flags.Flag {
	own := flags.Declared(f.asked.Settings())
	flags.ByName(own, "permutations").Positive = true
	for name, more := range map[string]flags.Flag{
		"exact": {Excludes: "permutations", Why: "gives p-values of its own"}, "correct": {Excludes: "maxt"},
		"maxt": {Needs: "permutations", Why: "takes the largest value of each permutation"}, "seed": {Needs: "permutations"},
	} {
		one := flags.ByName(own, name)
		one.Excludes, one.Needs, one.Why = more.Excludes, more.Needs, more.Why
	}
	return flags.In(flags.GroupScoring, slices.Concat(own[:1], []flags.Flag{
		{Name: "also", To: &f.also, List: true, Takes: "NAMES", Choices: flags.From(words.KeynessMeasures), Help: "further measures to show, separated by commas"},
		{Name: "top", To: &f.asked.Top, Default: 20, Positive: true, Most: flags.Unlimited, Help: "the K best positive and the K best negative keys"},
		{Name: "all", To: &f.all, Excludes: "top", Help: "all keys; with --max-p 1 --min-freq 1 all terms"},
	}, own[1:4], []flags.Flag{
		{Name: "terms", To: &f.terms, List: true, Takes: "TERMS", Help: "these terms and no others, whether or not they are keys"},
		{Name: "drift", To: &f.asked.Drift, Help: "B is later than A: what is new in it, what is gone, and what rises and falls"},
		{Name: "yates", To: &f.yates, Default: true, More: true, Help: "correct chi for continuity (Yates)"},
	}, own[4:], []flags.Flag{
		{
			Name: "segments", To: &f.segment, Positive: true, Most: flags.Unlimited, Group: flags.GroupText,
			Help: "cut each text into runs of so many tokens, which are the documents; the rest is dropped",
		},
	}))
}

// listFlags returns the flags of a frequency list.
func (f *keynessFlags) listFlags() []flags.Flag {
	const ofList = "is that of a frequency list"
	return flags.In(flags.GroupInput, []flags.Flag{
		{Name: "reference-list", To: &f.list, Reads: flags.AFile, Help: "a frequency list in place of B, lines of a term, a tab and its occurrences"},
		{Name: "reference-total", To: &f.totals.Tokens, More: true, Positive: true, Most: flags.Unlimited, Needs: "reference-list", Why: ofList, Help: "tokens of the list's corpus, those of terms that it lacks, too"},
		{Name: "reference-documents", To: &f.totals.Documents, More: true, Positive: true, Most: flags.Unlimited, Needs: "reference-list", Why: ofList, Help: "documents of the list's corpus"},
	})
}

// uncut adds to the error of a comparison without keys how to see the terms that are none.
func uncut(err error, o words.KeynessOptions) error {
	if errors.Is(err, words.ErrNoKeys) && (o.MaxP > 0 || o.MinFreq > 1) {
		return fmt.Errorf("%w; --max-p 1 --min-freq 1 leaves no term out", err)
	}
	return err
}

// options returns the options that the flags give.
func (f *keynessFlags) options(c *cobra.Command) (o words.KeynessOptions, err error) {
	switch {
	case c.Flags().Changed("also") && slices.Contains(f.also, ""):
		return o, usageError("--also has an empty name in %q", strings.Join(f.also, ","))
	case c.Flags().Changed("terms") && (len(f.terms) == 0 || slices.Contains(f.terms, "")):
		return o, usageError("--terms has an empty term in %q", strings.Join(f.terms, ","))
	}
	o = f.asked
	o.NoYates, o.Threads, o.AllowNone = !f.yates, f.threads, f.terms != nil
	for _, name := range f.also {
		o.Also = append(o.Also, words.Measure(name))
	}
	if f.all {
		o.Top = 0
	}
	o.Bound(c.Flags().Changed("max-p"))
	return o.WithDefaults()
}

func (f *keynessFlags) keyness(c *cobra.Command, args []string) error {
	o, err := f.options(c)
	if err != nil {
		return err
	}
	if err := f.checkSegments(args); err != nil {
		return err
	}
	sides, err := f.sidesOf(c, args)
	if err != nil {
		return err
	}
	for _, side := range sides {
		if c, ok := side.counted.(*corpus.Corpus); ok && c.Provenance().Short > 0 {
			f.noteOnce("%s: %d documents have less than %d tokens, and no segment", side.path, c.Provenance().Short, f.segment)
		}
	}
	letters := [2]string{"A", "B"}
	if o.Drift {
		slices.Reverse(sides[:])
		slices.Reverse(letters[:])
	}
	p := keynessPrinter{keynessFlags: f, names: [2]string{sides[0].name, sides[1].name}, letters: letters}
	if p.c, err = words.Keyness(c.Context(), sides[0].counted, sides[1].counted, o); err != nil {
		return uncut(err, o)
	}
	var asked []words.Key
	for _, term := range f.terms {
		key, err := p.c.Of(c.Context(), term)
		if err != nil {
			return err
		}
		asked = append(asked, key)
	}
	f.warn(p.c.Warnings)
	return p.print(asked)
}

// checkSegments returns an error unless all inputs are text that is read here.
func (f *keynessFlags) checkSegments(args []string) error {
	if f.segment == 0 {
		return nil
	}
	if f.list != "" {
		return usageError("--segments cuts texts, and %s is a frequency list", f.list)
	}
	for _, path := range args {
		if f.kind(path) != otherFile {
			return usageError("--segments cuts texts, and %s has counts alone, which do not tell in which order the tokens were: name the text that it was made of", path)
		}
	}
	return nil
}

type keynessPrinter struct {
	*keynessFlags
	names   [2]string // of the target and the reference
	letters [2]string // that stand for them
	c       *words.Comparison
}

// A keyRow is a row of the output of keyness: a key and its place among those of its list, 0
// if it was asked for by name.
type keyRow struct {
	*words.Key
	rank int
}

// cut says which terms were tested, how many are keys, and how many of these are shown.
func (p *keynessPrinter) cut() string {
	o := p.c.Options
	var bounds []string
	switch {
	case o.MaxP > 0 && o.Correction == words.None && !o.MaxT:
		bounds = append(bounds, fmt.Sprintf("p <= %v", o.MaxP))
	case o.MaxP > 0:
		bounds = append(bounds, fmt.Sprintf("corrected p <= %v", o.MaxP))
	}
	if o.MinFreq > 1 {
		bounds = append(bounds, fmt.Sprintf("at least %d occurrences", o.MinFreq))
	}
	if o.MinRange > 1 {
		bounds = append(bounds, fmt.Sprintf("at least %d documents", o.MinRange))
	}
	passed, more := 0, false
	for _, list := range p.c.Lists {
		passed += list.Passed
		more = more || len(list.Keys) < list.Passed
	}
	line := fmt.Sprintf("%d terms tested; %d keys", p.c.Tested, passed)
	if n := len(bounds); n > 1 {
		bounds = append(bounds[:n-2], bounds[n-2]+" and "+bounds[n-1])
	}
	if len(bounds) > 0 {
		line += " with " + strings.Join(bounds, ", ")
	}
	if more {
		line += fmt.Sprintf("; the best %d of each list are shown", o.Top)
	}
	return line
}

// listTitles are what people read above the lists, of the target and the reference.
var listTitles = map[string]string{
	"positive": "Positive keys, more frequent in %[1]s than in %[2]s",
	"negative": "Negative keys, more frequent in %[2]s than in %[1]s",
	"new":      "New, in %[1]s and not in %[2]s",
	"gone":     "Gone, in %[2]s and not in %[1]s",
	"rising":   "Rising, more frequent in %[1]s than in %[2]s",
	"falling":  "Falling, less frequent in %[1]s than in %[2]s",
}

// print prints the terms that were asked for by name, or the lists of keys if none were.
func (p *keynessPrinter) print(asked []words.Key) error {
	t := list(&p.outputs, p.columns())
	t.Facts = p.facts()
	lines := []string{p.sideText(0, p.c.Target), p.sideText(1, p.c.Reference)}
	untested := 0
	for _, key := range asked {
		if math.IsNaN(key.Log10Corrected) {
			untested++
		}
	}
	switch {
	case untested > 0:
		p.note("%d of the terms asked for are among those that are not tested, and have no corrected p-value: --min-freq and --min-range bound the tested ones", untested)
	case asked == nil && t.People():
		lines = append(lines, p.cut())
	case asked == nil:
		p.note("%s; --max-p 1 --min-freq 1 leaves no term out", p.cut())
	}
	t.Above(lines...)
	if asked != nil {
		for i := range asked {
			t.Add(keyRow{&asked[i], 0})
		}
		return t.Close()
	}
	for _, list := range p.c.Lists {
		t.Title(listTitles[list.Name]+": %[3]d of %[4]d", p.names[0], p.names[1], len(list.Keys), list.Passed)
		for i := range list.Keys {
			t.Add(keyRow{&list.Keys[i], i + 1})
		}
	}
	return t.Close()
}

// facts are what programs are told of the comparison.
func (p *keynessPrinter) facts() []tables.Fact {
	o := p.c.Options
	facts := []tables.Fact{
		{Key: "target", Value: p.side(0, p.c.Target)},
		{Key: "reference", Value: p.side(1, p.c.Reference)},
		{Key: "measure", Value: string(o.Measure)},
		{Key: "correction", Value: string(o.Correction)},
		{Key: "max_p", Value: cmp.Or(o.MaxP, 1)},
		{Key: "min_freq", Value: o.MinFreq},
		{Key: "tested", Value: p.c.Tested},
	}
	for _, list := range p.c.Lists {
		facts = append(facts, tables.Fact{Key: list.Name, Value: list.Passed})
	}
	if p.segment > 0 {
		facts = append(facts, tables.Fact{Key: "segment", Value: p.segment})
	}
	if n := o.Permutations; n > 0 {
		facts = append(facts, tables.Fact{Key: "permutations", Value: n}, tables.Fact{Key: "maxt", Value: o.MaxT})
	}
	return facts
}

// sideText describes a corpus for people.
func (p *keynessPrinter) sideText(i int, side words.Side) string {
	documents := ""
	switch {
	case p.segment > 0:
		documents = fmt.Sprintf("%d segments of %d tokens, ", side.Documents, p.segment)
	case side.Documents > 0:
		documents = fmt.Sprintf("%d documents, ", side.Documents)
	}
	return fmt.Sprintf("%s = %s: %s%s, %d terms", p.letters[i], p.names[i], documents, tokensOf(side), side.Terms)
}

// side describes a corpus in JSON.
func (p *keynessPrinter) side(i int, s words.Side) any {
	return struct {
		Name      string `json:"name"`
		Documents int    `json:"documents,omitempty"`
		Tokens    int    `json:"tokens"`
		Words     int    `json:"words"`
		Terms     int    `json:"terms"`
	}{p.names[i], s.Documents, s.Tokens, s.Words, s.Terms}
}

// columns returns the columns of keys.
func (p *keynessPrinter) columns() []tables.Column[keyRow] {
	by, target, reference := p.c.Options.Measure, p.letters[0], p.letters[1]
	count := func(key, head string, of func(k keyRow) int) tables.Column[keyRow] {
		return tables.Column[keyRow]{Key: key, Head: head, Value: func(k keyRow) any { return tables.If(of(k) >= 0, of(k)) }}
	}
	columns := []tables.Column[keyRow]{
		{Key: "key", In: tables.ForPrograms, Value: func(k keyRow) any { return k.List }},
		{Key: "rank", Value: func(k keyRow) any { return tables.If(k.rank > 0, k.rank) }},
		{Key: "term", Left: true, Value: func(k keyRow) any { return k.Term }},
		count("tf", "in "+target, func(k keyRow) int { return k.Target.TF }),
		count("tf_reference", "in "+reference, func(k keyRow) int { return k.Reference.TF }),
		tables.Number("per_million", target+" per million", 0, func(k keyRow) float64 { return k.Target.PerMillion }, twoDecimals),
		tables.Number("per_million_reference", reference+" per million", 0, func(k keyRow) float64 { return k.Reference.PerMillion }, twoDecimals),
		count("df", "range "+target, func(k keyRow) int { return k.Target.DF }),
		count("df_reference", "range "+reference, func(k keyRow) int { return k.Reference.DF }),
	}
	for _, m := range p.c.Measures {
		in := tables.ForPrograms
		if m == by || m == words.LL || m == words.LogRatio || m == words.PSup || slices.Contains(p.c.Options.Also, m) {
			in = 0
		}
		columns = append(columns, tables.Number(string(m), "", in, func(k keyRow) float64 { return k.Of(m) }, twoDecimals))
	}
	columns = append(columns,
		tables.Number("log10p", "", tables.ForPrograms, func(k keyRow) float64 { return k.Log10P }, nil),
		tables.Number("log10p_corrected", "p", 0, func(k keyRow) float64 { return k.Log10Corrected }, shortProbability))
	for _, side := range []struct {
		suffix, name string
		of           func(k keyRow) words.Dispersion
	}{
		{"", target, func(k keyRow) words.Dispersion { return k.Target.Dispersion }},
		{"_reference", reference, func(k keyRow) words.Dispersion { return k.Reference.Dispersion }},
	} {
		columns = append(columns,
			tables.Number("dp"+side.suffix, "", tables.ForPrograms, func(k keyRow) float64 { return side.of(k).DP }, nil),
			tables.Number("dpnorm"+side.suffix, "DPnorm "+side.name, 0, func(k keyRow) float64 { return side.of(k).DPNorm }, twoDecimals),
			tables.Number("d"+side.suffix, "", tables.ForPrograms, func(k keyRow) float64 { return side.of(k).D }, nil))
	}
	return columns
}

func twoDecimals(v float64) string {
	if math.IsInf(v, 0) || math.Abs(v) >= 1e7 || v != 0 && math.Abs(v) < .01 {
		return tables.Short(v)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// shortProbability formats a probability given by its log10, which may be too small for a
// float64.
func shortProbability(log10 float64) string {
	if log10 > -300 {
		return strconv.FormatFloat(math.Pow(10, log10), 'g', 2, 64)
	}
	exponent := math.Floor(log10)
	return fmt.Sprintf("%.1fe%.0f", math.Pow(10, log10-exponent), exponent)
}
