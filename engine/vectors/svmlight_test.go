package vectors_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
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

func writeRows(t testing.TB, rows ...vectors.Row) []byte {
	t.Helper()
	var out bytes.Buffer
	testkit.OK(vectors.WriteSVMLight(&out, sequence(rows)))
	return out.Bytes()
}

func TestSVMLightLines(t *testing.T) {
	inf := float32(math.Inf(1))
	for want, row := range map[string]vectors.Row{
		"\n":             {},
		"3\n":            {Labels: []int{3}},
		"0,17 1:1\n":     {Labels: []int{0, 17}, Index: []uint32{1}, Value: []float32{1}},
		" 1:0.1 2:10\n":  {Index: []uint32{1, 2}, Value: []float32{0.1, 10}},
		" 4294967295:99": {Index: []uint32{math.MaxUint32}, Value: []float32{99}},
		"1 0:-7 9:0":     {Labels: []int{1}, Index: []uint32{0, 9}, Value: []float32{-7, float32(math.Copysign(0, -1))}},
		" 1:1.6777216e+07 2:16777215 3:-1.6777216e+07": {
			Index: []uint32{1, 2, 3}, Value: []float32{1 << 24, 1<<24 - 1, -1 << 24},
		},
		" 1:+Inf 2:-Inf 3:NaN 4:1e-45 5:-1.1754944e-38": {
			Index: []uint32{1, 2, 3, 4, 5},
			Value: []float32{inf, -inf, float32(math.NaN()), math.SmallestNonzeroFloat32, -1.1754944e-38},
		},
	} {
		if got := string(writeRows(t, row)); got != want && got != want+"\n" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// broken takes some bytes and no more.
type broken struct {
	room int
	err  error
}

func (w *broken) Write(p []byte) (int, error) {
	if len(p) <= w.room {
		w.room -= len(p)
		return len(p), nil
	}
	return w.room, w.err
}

func TestSVMLightWriteErrors(t *testing.T) {
	full := errors.New("no space left")
	for name, c := range map[string]struct{ below, want error }{"full": {full, full}, "short": {nil, io.ErrShortWrite}} {
		row := vectors.Row{Index: make([]uint32, 1000), Value: make([]float32, 1000)}
		rows := sequence(slices.Repeat([]vectors.Row{row}, 1000))
		testkit.Is(t, vectors.WriteSVMLight(&broken{room: 1 << 19, err: c.below}, rows), c.want, name)
	}
}

func TestSVMLightAllocations(t *testing.T) {
	row := vectors.Row{Labels: []int{1, 2}, Index: []uint32{1, 70000}, Value: []float32{1, 0.25}}
	rows := sequence(slices.Repeat([]vectors.Row{row}, 10_000))
	if n := testing.AllocsPerRun(5, func() { _ = vectors.WriteSVMLight(io.Discard, rows) }); n > 10 {
		t.Errorf("%v allocations", n)
	}
}

func sequence(rows []vectors.Row) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

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
	testkit.EqualSlices(t, of, []string{"5", "4.25", "", "1e+21", ""})
	if _, labels := tr.Unseen(); labels != 1 {
		t.Errorf("%d labels are unseen, want that of the document whose label is no number", labels)
	}
	all := sequence(rows)
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
