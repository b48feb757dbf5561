package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/kernels"
)

func (a *app) indexCommand() *cobra.Command {
	var f inputFlags
	var out string
	c := &cobra.Command{
		Use:   "index INPUT... -o FILE",
		Short: "count a corpus once and keep it in a file",
		Example: "  termsift index 20news-bydate.tar.gz --split train --charset latin-1 -o train.idx\n" +
			"  termsift index reuters21578.tar.gz --split train --single-label --classes both -o r52.idx\n" +
			"  termsift index --docs 'not file=fold1.txt' all.idx -o train1.idx\n" +
			"  termsift index reviews.csv.gz --text-field review --label-field cat --tokens zh-bigrams -o reviews.idx",
		Args: inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usageError("index needs the file to write: -o FILE")
			}
			corpus, err := a.indexed(c, &f, args)
			if err != nil {
				return err
			}
			return a.write(out, func(w io.Writer) error {
				_, err := corpus.WriteTo(w)
				return err
			})
		},
	}
	f.register(c)
	c.Flags().StringVarP(&out, "output", "o", "", "the index file; - is standard output")
	return c
}

// indexed gives the corpus to write. An index is taken for an input only where a part
// of it is wanted.
func (a *app) indexed(c *cobra.Command, f *inputFlags, args []string) (*engine.Corpus, error) {
	if f.docs != "" {
		return a.corpus(c, f, args)
	}
	return a.build(c.Context(), f, args)
}

func (a *app) infoCommand() *cobra.Command {
	var f inputFlags
	var format string
	c := &cobra.Command{
		Use:     "info INPUT",
		Short:   "tell what is in an index or a corpus",
		Example: "  termsift info train.idx\n  termsift info --format json train.idx",
		Args:    inputs(1, "an INPUT"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usageError("unknown format %q; known: text json", format)
			}
			corpus, err := a.corpus(c, &f, args)
			if err != nil {
				return err
			}
			if format == "json" {
				return a.infoJSON(corpus)
			}
			return a.infoText(corpus)
		},
	}
	f.register(c)
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

func (a *app) infoJSON(c *engine.Corpus) error {
	i := c.Info()
	return writeJSON(a.out, struct {
		Documents  int               `json:"documents"`
		Labelled   int               `json:"labelled"`
		Empty      int               `json:"empty_documents"`
		Terms      int               `json:"terms"`
		Classes    int               `json:"classes"`
		Postings   int64             `json:"postings"`
		Tokens     int64             `json:"tokens"`
		Cells      int64             `json:"cells"`
		Bytes      int64             `json:"bytes"`
		ClassSizes map[string]int    `json:"class_sizes"`
		Pruned     bool              `json:"pruned"`
		Kernels    string            `json:"kernels"`
		Provenance engine.Provenance `json:"provenance"`
	}{
		i.Documents, i.Labelled, i.EmptyDocuments, i.Terms, i.Classes, i.Postings, i.Tokens, i.Cells, i.Bytes,
		i.ClassSizes, i.Pruned, kernels.Path(), i.Provenance,
	})
}

func (a *app) infoText(c *engine.Corpus) error {
	i := c.Info()
	p := printer{terminal: a.toTerminal}
	for _, line := range []struct {
		name  string
		value any
	}{
		{"documents", i.Documents},
		{"labelled", i.Labelled},
		{"without terms", i.EmptyDocuments},
		{"terms", i.Terms},
		{"postings", i.Postings},
		{"tokens", i.Tokens},
		{"cells", i.Cells},
		{"bytes", i.Bytes},
		{"kernels", kernels.Path()},
	} {
		fmt.Fprintf(a.out, "%-14s %v\n", line.name, line.value)
	}
	provenance, err := json.Marshal(i.Provenance)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%-14s %s\n%-14s %d\n", "made by", provenance, "classes", i.Classes)
	for _, class := range c.Classes() {
		if _, err := fmt.Fprintf(a.out, "  %-28s %d\n", p.visible(class), i.ClassSizes[class]); err != nil {
			return err
		}
	}
	return nil
}
