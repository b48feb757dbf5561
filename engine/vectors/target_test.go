package vectors_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// ofNumbers returns documents of one term whose labels are these.
func ofNumbers(numbers ...string) []document.Document {
	var docs []document.Document
	for _, n := range numbers {
		d := document.Document{ID: "n" + n, Text: []byte("word " + n + "x")}
		if n != "" {
			d.Labels = []string{n}
		}
		docs = append(docs, d)
	}
	return docs
}

// Rows of a selection from numbers have the number of their document, whether or not the selection's
// corpus had it; all files have it in place of labels.
func TestRowsOfATarget(t *testing.T) {
	c := testkit.Must(corpus.Build(t.Context(), document.Of(ofNumbers("5", "1", "-0.5")...), corpus.Options{Target: "stars"}))
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{By: rank.Options{Measure: rank.DF}, Keep: selection.Best(1)}))
	tr := testkit.Must(vectors.New(s, vectors.TF))
	docs := ofNumbers("5", "4.25", "", "1e+21", "word")
	var of []string
	var rows []vectors.Row
	for r := range testkit.All(tr.Documents(t.Context(), document.Of(docs...))) {
		of = append(of, r.Target)
		r.Labels, r.Index, r.Value, r.Unseen = slices.Clone(r.Labels), slices.Clone(r.Index), slices.Clone(r.Value), nil
		rows = append(rows, r)
	}
	if !slices.Equal(of, []string{"5", "4.25", "", "1e+21", ""}) {
		t.Errorf("%q", of)
	}
	if _, labels := tr.Unseen(); labels != 1 {
		t.Errorf("%d labels are unseen, want that of the document whose label is no number", labels)
	}
	all := func(yield func(vectors.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
	var svm, lines, table, npz bytes.Buffer
	if err := vectors.WriteSVMLight(&svm, all); err != nil || svm.String() != "5 1:1\n4.25 1:1\n 1:1\n1e+21 1:1\n 1:1\n" {
		t.Errorf("%q, %v", svm.String(), err)
	}
	if err := vectors.WriteJSONLines(&lines, s, all); err != nil || !strings.HasPrefix(lines.String(), `{"id":"n5","target":5,"features":{"word":1}}`+"\n"+`{"id":"n4.25","target":4.25,`) ||
		!strings.Contains(lines.String(), `{"id":"n","labels":[],"features"`) {
		t.Errorf("%s, %v", lines.String(), err)
	}
	m := testkit.Must(vectors.Collect(s, all))
	if err := m.WriteDocuments(&table); err != nil || table.String() != "id\ttarget\nn5\t5\nn4.25\t4.25\nn\t\nn1e+21\t1e+21\nnword\t\n" {
		t.Errorf("%q, %v", table.String(), err)
	}
	if err := m.WriteNPZ(&npz); err != nil || !bytes.Contains(npz.Bytes(), []byte("'descr': '<f8', 'fortran_order': False, 'shape': (5,)")) {
		t.Errorf("no numbers in the npz, %v", err)
	}
	var fromCorpus bytes.Buffer
	if err := tr.WriteSVMLight(t.Context(), &fromCorpus, c, 2); err != nil || fromCorpus.String() != "5 1:1\n1 1:1\n-0.5 1:1\n" {
		t.Errorf("%q, %v", fromCorpus.String(), err)
	}
}
