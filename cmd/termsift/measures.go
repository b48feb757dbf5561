package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
)

// This file tells about the measures.

type measuresFlags struct {
	*app
	cite bool
}

func measuresCommand(a *app) *command {
	f := measuresFlags{app: a}
	return &command{
		use:   "measures [NAME...]",
		short: "tell what the measures are, and which question each answers",
		long: "measures lists the measures with the question that each answers, by what asks for them. Of a NAME it\n" +
			"tells the formula, the range of the values, when it misleads, its twins, what other programs call it,\n" +
			"and its source. A name of another program is understood: chi2_contingency is chi.\n\n" +
			"In formulas of a term and a class A documents of the class have the term, B others do, C of the class\n" +
			"and D others do not; N is the number of documents, n_c that of the class, df that of the term; S and cf\n" +
			"count occurrences of the term in the class and in all, T_c and T those of all terms. tpr = A/n_c, fpr =\n" +
			"B/(N-n_c). Of two corpora a and b are the occurrences, T1 and T2 all tokens, d1 and d2 the documents\n" +
			"with the term, n1 and n2 all documents, E what chance gives. Of n words that stand together O is the\n" +
			"frequency, R1 and C1 are those of two words, f those of all, N all n-grams.",
		example: "  termsift measures\n" +
			"  termsift measures chi ngl\n" +
			"  termsift measures ctfidf --cite\n" +
			"  termsift measures --format csv",
		args: cobra.ArbitraryArgs,
		complete: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, m := range describedMeasures() {
				names = append(names, m.Name)
			}
			slices.Sort(names)
			return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
		},
		flags: append(a.tableFlags("table"),
			flags.Flag{Name: "cite", To: &f.cite, Group: flags.GroupOutput, Excludes: "format", Why: "prints BibTeX", Help: "print the sources as BibTeX"}),
		run: func(_ *cobra.Command, args []string) error { return f.run(args) },
	}
}

func (f *measuresFlags) run(names []string) error {
	all := describedMeasures()
	chosen := all
	if len(names) > 0 {
		chosen = nil
		for _, name := range names {
			found, err := f.named(all, name)
			if err != nil {
				return err
			}
			chosen = append(chosen, found...)
		}
	}
	switch {
	case f.cite:
		var keys []string
		if len(names) > 0 {
			for _, m := range chosen {
				keys = append(keys, m.Sources...)
			}
		}
		_, err := io.WriteString(f.stdout, score.Cite(keys...))
		return err
	case !f.table.People():
		return list(&f.outputs, measureColumns).AddAll(chosen)
	case f.table.Format == "md":
		return list(&f.outputs, measureColumns[:2]).AddAll(chosen)
	case len(names) > 0:
		return f.describe(chosen)
	}
	return f.list(chosen)
}

// named returns the measures of a name, or of the measures that other programs call so.
func (f *measuresFlags) named(all []describedMeasure, name string) (found []describedMeasure, err error) {
	var known []string
	for _, m := range all {
		known = append(known, m.Name)
		if m.Name == name || m.Name == score.Canonical(name) {
			found = append(found, m)
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	for _, o := range score.Others() {
		if o.Named(name) && !slices.ContainsFunc(found, func(m describedMeasure) bool { return m.Name == o.Measure }) {
			f.note("%s is %s", strings.TrimSpace(o.Program+" "+o.Name), strings.TrimSuffix(o.Measure+": "+strings.ReplaceAll(o.How, "`", ""), ": "))
			for _, m := range all {
				if m.Name == o.Measure {
					found = append(found, m)
				}
			}
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	slices.Sort(known)
	return nil, rank.UnknownMeasure("measure", name, slices.Compact(known))
}

// list prints the measures by what asks for them, a line each.
func (f *measuresFlags) list(all []describedMeasure) error {
	var b strings.Builder
	width := 0
	for _, m := range all {
		width = max(width, len(m.Name))
	}
	kind, family := score.Kind(""), ""
	for _, m := range all {
		if m.Kind != kind {
			fmt.Fprintf(&b, "%s%stermsift %s NAME%s\n", gap(&b), f.stdout.Screen.Bold(), m.Kind.Asked(), f.stdout.Screen.Plain())
		}
		if m.FamilyOf != family {
			fmt.Fprintf(&b, "\n%s\n", m.FamilyOf)
		}
		kind, family = m.Kind, m.FamilyOf
		b.WriteString(wrapped(fmt.Sprintf("  %-*s  ", width, m.Name), m.Question, f.stdout.Screen.Width, width+4))
	}
	b.WriteString("\ntermsift measures NAME tells more of one\n")
	_, err := io.WriteString(f.stdout, b.String())
	return err
}

// gap returns an empty line between sections.
func gap(b *strings.Builder) string {
	if b.Len() == 0 {
		return ""
	}
	return "\n"
}

// describe prints all there is to know of measures.
func (f *measuresFlags) describe(chosen []describedMeasure) error {
	var b strings.Builder
	for i, m := range chosen {
		fmt.Fprintf(&b, "%s%s%s%s  %s\n", gap(&b), f.stdout.Screen.Bold(), m.Name, f.stdout.Screen.Plain(), m.Title)
		line := func(head string, texts ...string) {
			for _, text := range texts {
				if text != "" {
					b.WriteString(wrapped(fmt.Sprintf("  %-10s  ", head), strings.ReplaceAll(text, "`", ""), f.stdout.Screen.Width, 14))
					head = ""
				}
			}
		}
		line("asked by", "termsift "+m.Kind.Asked()+" "+m.Name)
		line("question", m.Question)
		line("formula", m.Formula)
		line("range", m.Range)
		line("misleads", m.Misleads)
		line("twins", m.twins()...)
		if !slices.ContainsFunc(chosen[:i], func(other describedMeasure) bool { return other.Name == m.Name }) {
			line("elsewhere", m.elsewhere()...)
		}
		line("combined", m.combined)
		line("source", m.source)
	}
	_, err := io.WriteString(f.stdout, b.String())
	return err
}

// A describedMeasure is a measure with what its room knows of it.
type describedMeasure struct {
	score.Description
	combined string // its combination unless another is asked for; "" if it has no classes
	source   string // in words
}

// describedMeasures returns all measures.
func describedMeasures() (all []describedMeasure) {
	known := map[string]rank.MeasureInfo{}
	for _, info := range rank.EveryMeasure() {
		known[info.Name] = info
	}
	for m := range score.Described() {
		if info := known[m.Name]; scoresTerms(m) {
			all = append(all, describedMeasure{m, info.Default, info.Source})
		} else {
			all = append(all, describedMeasure{m, "", score.Credit(m.Sources...)})
		}
	}
	return all
}

// scoresTerms reports whether a measure is one of those that score terms.
func scoresTerms(m score.Description) bool {
	return m.Kind == score.OfClasses || m.Kind == score.OfNumbers
}

// twins returns the equations of a measure with others.
func (m describedMeasure) twins() (all []string) {
	if !scoresTerms(m.Description) {
		return nil
	}
	for _, t := range score.Twins(m.Name) {
		text := t.Equation
		if t.Same != "" {
			text += ": the same order " + t.Same
		}
		all = append(all, text)
	}
	return all
}

// elsewhere returns what other programs call a measure.
func (m describedMeasure) elsewhere() (all []string) {
	for _, o := range score.Others(m.Name) {
		text := strings.TrimSpace(o.Program + " " + o.Name)
		if o.How != "" {
			text += " (" + o.How + ")"
		}
		if o.Program != "" {
			all = append(all, text)
		}
	}
	return all
}

var measureColumns = []tables.Column[describedMeasure]{
	{Key: "name", Left: true, Value: func(m describedMeasure) any { return m.Name }},
	{Key: "question", Left: true, Value: func(m describedMeasure) any { return m.Question }},
	{Key: "asked_by", Value: func(m describedMeasure) any { return m.Kind.Asked() }},
	{Key: "of", Value: func(m describedMeasure) any { return string(m.Kind) }},
	{Key: "family", Value: func(m describedMeasure) any { return m.FamilyOf }},
	{Key: "title", Value: func(m describedMeasure) any { return m.Title }},
	{Key: "formula", Value: func(m describedMeasure) any { return m.Formula }},
	{Key: "range", Value: func(m describedMeasure) any { return m.Range }},
	{Key: "misleads", Value: func(m describedMeasure) any { return m.Misleads }},
	{Key: "twins", Value: func(m describedMeasure) any { return strings.Join(m.twins(), "; ") }},
	{Key: "elsewhere", Value: func(m describedMeasure) any { return strings.Join(m.elsewhere(), "; ") }},
	{Key: "combined", Value: func(m describedMeasure) any { return m.combined }},
	{Key: "source", Value: func(m describedMeasure) any { return m.source }},
	{Key: "cite", Value: func(m describedMeasure) any { return strings.Join(m.Sources, " ") }},
}
