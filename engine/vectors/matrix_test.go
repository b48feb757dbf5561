package vectors_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// oddDocuments have names, labels and terms that formats may stumble over.
var oddDocuments = []document.Document{
	{ID: "d1", Labels: []string{"sea"}, Features: []document.Feature{{Term: "null", Value: 2}, {Term: "#", Value: 1}, {Term: "na", Value: 1}}},
	{ID: "tab\t\\", Labels: []string{"air,land"}, Features: []document.Feature{{Term: "c#", Value: 3}, {Term: "\"q", Value: 1}, {Term: "t\tb\r\n", Value: 1}}},
	{ID: "日本\xff", Labels: []string{"air,land"}, Features: []document.Feature{{Term: "日本", Value: 1}, {Term: "007", Value: 1}}},
	{ID: "", Features: []document.Feature{{Term: "null", Value: 1}}},
	{ID: "none", Labels: []string{"sea"}},
}

// rowsOf returns the rows of documents over all terms of a corpus of them.
func rowsOf(t *testing.T, weight table.Weighting, docs ...document.Document) (*selection.Selection, iter.Seq2[vectors.Row, error]) {
	t.Helper()
	c := enginetest.CorpusFrom(t, func(d int) document.Document { return docs[d] }, len(docs))
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Percent(100)}))
	return s, testkit.Must(vectors.New(s, weight)).Documents(t.Context(), document.Of(docs...))
}

// matrixOf returns the matrix of documents over all their terms.
func matrixOf(t *testing.T, weight table.Weighting, docs ...document.Document) (*selection.Selection, *vectors.Matrix) {
	t.Helper()
	s, rows := rowsOf(t, weight, docs...)
	m := testkit.Must(vectors.Collect(s, rows))
	return s, m
}

// asText returns what a method writes.
func asText(write func(io.Writer) error) string {
	var out strings.Builder
	testkit.OK(write(&out))
	return out.String()
}

func TestMatrixMarket(t *testing.T) {
	_, m := matrixOf(t, "tf", oddDocuments...)
	if got, want := asText(m.WriteMatrixMarket), "%%MatrixMarket matrix coordinate real general\n% rows are documents, columns are terms\n5 8 9\n"+
		"1 1 2\n1 3 1\n1 6 1\n2 2 1\n2 5 3\n2 7 1\n3 4 1\n3 8 1\n4 1 1\n"; got != want {
		t.Errorf("matrix\n%s\nwant\n%s", got, want)
	}
	testkit.Equal(t, asText(m.WriteDocuments),
		"id\tlabels\nd1\tsea\ntab\\t\\\\\tair\\,land\n日本\xff\tair\\,land\n\t\nnone\tsea\n", "documents")
	terms := asText(m.WriteTerms)
	if want := "term\tdf\tidf\n"; !strings.HasPrefix(terms, want) || !strings.Contains(terms, "\nnull\t2\t0.9162907318741551\n") || !strings.Contains(terms, "\nt\\tb\\r\\n\t1\t") {
		t.Errorf("terms\n%s", terms)
	}
}

// Several labels stand in the table of documents by name, in the order of the classes.
func TestDocumentsOfSeveralLabels(t *testing.T) {
	_, m := matrixOf(t, "tf", document.Document{ID: "d", Labels: []string{"b", "a,\t"}, Features: oddDocuments[0].Features})
	testkit.Equal(t, asText(m.WriteDocuments), "id\tlabels\nd\ta\\,\\t,b\n")
}

func TestJSONLines(t *testing.T) {
	s, rows := rowsOf(t, "tf", oddDocuments...)
	var out bytes.Buffer
	testkit.OK(vectors.WriteJSONLines(&out, s, rows))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if want := `{"id":"d1","labels":["sea"],"features":{"#":1,"na":1,"null":2}}`; len(lines) != len(oddDocuments) || lines[0] != want {
		t.Errorf("%d lines, the first is %s, want %s", len(lines), lines[0], want)
	}
	for i, line := range lines {
		var got struct{ Features map[string]float64 }
		if err := json.Unmarshal([]byte(line), &got); err != nil || len(got.Features) != len(oddDocuments[i].Features) {
			t.Errorf("%s: %v", line, err)
		}
		for _, f := range oddDocuments[i].Features {
			testkit.Equal(t, got.Features[f.Term], f.Value, line, f.Term)
		}
	}
}

// numpyReads prints what numpy and scipy read of x.npz, several.npz and x.mtx.
const numpyReads = `
import os, numpy, scipy.io, scipy.sparse
for name in ["x.npz", "several.npz", "long.npz"]:
    f = numpy.load(name)
    print(name, *sorted(f))
    X = scipy.sparse.load_npz(name)
    print(X.format, X.shape, X.dtype, X.indices.dtype, X.indptr.dtype, X.has_sorted_indices, f["idf"].dtype)
f, X = numpy.load("x.npz"), scipy.sparse.load_npz("x.npz")
print(*[f"{i},{j},{v:.7g}" for i, j, v in sorted(zip(*scipy.sparse.find(X)))])
print((abs(scipy.io.mmread("x.mtx") - X) > 1e-6 * abs(X)).nnz)
print(f["y"].dtype, f["y"].tolist(), f["labels_indptr"].tolist(), f["labels_indices"].tolist())
print(f["class_names"].tolist(), f["feature_names"].dtype, ascii(f["feature_names"].tolist()))
print([os.fsencode(i) for i in f["ids"]], f["idf"].tolist())
f = numpy.load("several.npz")
print(f["labels_indptr"].tolist(), f["labels_indices"].tolist(), f["labels_indices"].dtype)
f = numpy.load("long.npz")
bytes, at = f["feature_names_utf8"], f["feature_names_offsets"]
print(len(at), [bytes[i:j].tobytes() for i, j in zip(at, at[1:])], f["ids"].dtype)
`

// numpy and scipy read what was written: the matrix by their own functions, the other
// arrays without pickle.
func TestNumpyReads(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: starts Python")
	}
	folder := t.TempDir()
	write := func(name string, write func(io.Writer) error) {
		testkit.Write(filepath.Join(folder, name), asText(write))
	}
	_, m := matrixOf(t, "tfidf", oddDocuments...)
	write("x.npz", m.WriteNPZ)
	write("x.mtx", m.WriteMatrixMarket)
	several := slices.Clone(oddDocuments)
	several[1].Labels = []string{"sea", "air,land"}
	_, m = matrixOf(t, "tf", several...)
	write("several.npz", m.WriteNPZ)
	_, m = matrixOf(t, "tf", document.Document{ID: "d", Labels: []string{"a"}, Features: []document.Feature{{Term: "nul\x00", Value: 1}, {Term: "é", Value: 1}}})
	write("long.npz", m.WriteNPZ)

	got := strings.Split(testkit.Python(t, folder, "numpy scipy", numpyReads), "\n")
	const rest = "feature_names format idf ids indices indptr labels_indices labels_indptr shape"
	for i, want := range []string{
		"x.npz class_names data " + rest + " y",
		"csr (5, 8) float32 int32 int32 True float64",
		"several.npz class_names data " + rest,
		"csr (5, 8) float32 int32 int32 True float64",
		"long.npz class_names data feature_names_offsets feature_names_utf8 " + strings.TrimPrefix(rest, "feature_names ") + " y",
		"csr (1, 2) float32 int32 int32 True float64",
		"0,0,1.832582 0,2,1.609438 0,5,1.609438 1,1,1.609438 1,4,4.828314 1,6,1.609438 2,3,1.609438 2,7,1.609438 3,0,0.9162908",
		"0",
		"int32 [1, 0, 0, -1, 1] [0, 1, 2, 3, 3, 4] [1, 0, 0, 1]",
		`['air,land', 'sea'] <U5 ['null', '"q', '#', '007', 'c#', 'na', 't\tb\r\n', '\u65e5\u672c']`,
		`[b'd1', b'tab\t\\', b'\xe6\x97\xa5\xe6\x9c\xac\xff', b'', b'none'] [0.9162907318741551` + strings.Repeat(", 1.6094379124341003", 7) + "]",
		"[0, 1, 3, 4, 4, 5] [1, 0, 1, 0, 1] int32",
		`3 [b'nul\x00', b'\xc3\xa9'] <U1`,
		"",
	} {
		if i >= len(got) || got[i] != want {
			t.Errorf("line %d of\n%s\nwant\n%s", i+1, strings.Join(got, "\n"), want)
			break
		}
	}
}

// The same rows give the same bytes, as a zip whose files have no date.
func TestNPZBytes(t *testing.T) {
	_, m := matrixOf(t, "ltc", oddDocuments...)
	once := asText(m.WriteNPZ)
	testkit.Equal(t, asText(m.WriteNPZ), once, "two files of one matrix differ")
	z := testkit.Must(zip.NewReader(strings.NewReader(once), int64(len(once))))
	for _, f := range z.File {
		if f.Method != zip.Store || f.ModifiedDate != 0 || !strings.HasSuffix(f.Name, ".npy") {
			t.Errorf("%s: method %d, date %d", f.Name, f.Method, f.ModifiedDate)
		}
	}
}

// Rows that are not of the selection are refused, by every writer that looks names up.
func TestForeignRows(t *testing.T) {
	s, _ := rowsOf(t, "tf", oddDocuments...)
	for name, row := range map[string]vectors.Row{
		"class":   {Labels: []int{2}},
		"below":   {Labels: []int{-1}},
		"column":  {Index: []uint32{9}, Value: []float32{1}},
		"zero":    {Index: []uint32{0}, Value: []float32{1}},
		"order":   {Index: []uint32{2, 2}, Value: []float32{1, 1}},
		"lengths": {Index: []uint32{2, 3}, Value: []float32{1}},
	} {
		rows := func(yield func(vectors.Row, error) bool) { yield(row, nil) }
		testkit.Is(t, testkit.Err(vectors.Collect(s, rows)), usage.ErrUsage, name, "Collect")
		testkit.Is(t, vectors.WriteJSONLines(io.Discard, s, rows), usage.ErrUsage, name, "WriteJSONLines")
	}
}

// An error of the rows or of the output is returned by every writer.
func TestWriteErrors(t *testing.T) {
	s, rows := rowsOf(t, "tf", oddDocuments...)
	m := testkit.Must(vectors.Collect(s, rows))
	full := errors.New("no space left")
	for name, write := range map[string]func(io.Writer) error{
		"npz": m.WriteNPZ, "mtx": m.WriteMatrixMarket, "terms": m.WriteTerms, "documents": m.WriteDocuments,
		"svmlight": func(w io.Writer) error { return vectors.WriteSVMLight(w, rows) },
		"jsonl":    func(w io.Writer) error { return vectors.WriteJSONLines(w, s, rows) },
	} {
		size := len(asText(write))
		for room := 0; room < size; room += 1 + size/50 {
			testkit.Is(testkit.Stop(t), write(&broken{room: room, err: full}), full, name, room, "of", size, "bytes")
		}
	}
	bad := func(yield func(vectors.Row, error) bool) { yield(vectors.Row{}, full) }
	_, err := vectors.Collect(s, bad)
	if !errors.Is(err, full) || !errors.Is(vectors.WriteSVMLight(io.Discard, bad), full) || !errors.Is(vectors.WriteJSONLines(io.Discard, s, bad), full) {
		t.Errorf("an error of the rows was lost: %v", err)
	}
}
