package selection_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

var sealLine = regexp.MustCompile(`(?m)^#seal .*\n`)

// unsealed returns a features file without its seal, so that it may be edited.
func unsealed(file string) string { return sealLine.ReplaceAllString(file, "") }

// sealedFile is a features file with classes.
func sealedFile(t *testing.T) string {
	t.Helper()
	s := testkit.Must(selection.Select(t.Context(), enginetest.Build(t, "a:one two two", "b:three two", "a,b:four one", "c\t:five", "c\t:"), selection.Options{Keep: selection.Best(2), PerClass: true}))
	var file bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	return file.String()
}

// A features file that was cut anywhere, or in which any byte is another, is an error;
// where the seal is what does not fit, the error says what to do.
func TestSealOfFeaturesFindsEveryChange(t *testing.T) {
	good := sealedFile(t)
	testkit.Equal(testkit.Stop(t), len(testkit.Must(selection.Read(strings.NewReader(good), "f.tsv")).Warnings), 0)
	read := func(text string) error {
		s, err := selection.Read(strings.NewReader(text), "f.tsv")
		if err == nil && len(s.Warnings) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, selection.ErrBadFeatures) {
			t.Fatal(err)
		}
		return errors.New("noticed")
	}
	for n := range len(good) {
		if read(good[:n]) == nil {
			t.Errorf("cut at byte %d of %d", n, len(good))
		}
		for _, flip := range []byte{1, 4, 0x20, 0x80} {
			changed := []byte(good)
			changed[n] ^= flip
			if read(string(changed)) == nil {
				t.Errorf("byte %d, %q, is %q", n, good[n], changed[n])
			}
		}
	}
	seal := good[strings.Index(good, "#seal "):]
	seal = seal[:strings.IndexByte(seal, '\n')+1]
	if _, err := selection.Read(strings.NewReader(seal+strings.Replace(good, seal, "", 1)), "f.tsv"); err == nil || !strings.HasPrefix(err.Error(), "f.tsv:1: ") {
		t.Errorf("the seal before the first line: %v", err)
	}
	for name, text := range map[string]string{
		"a line less":   good[:strings.LastIndexByte(good[:len(good)-1], '\n')+1],
		"another score": strings.Replace(good, "\t1\t", "\t2\t", 1),
		"line ends":     strings.ReplaceAll(good, "\n", "\r\n"),
	} {
		_, err := selection.Read(strings.NewReader(text), "f.tsv")
		testkit.Refused(t, err, selection.ErrBadFeatures, "delete the line that begins with #seal", name)
	}
}

// A file whose seal was deleted to edit it, are taken with a warning.
func TestFeaturesWithoutSealAreTakenWithAWarning(t *testing.T) {
	good := sealedFile(t)
	edited := unsealed(good)
	for _, text := range []string{
		edited, edited[:strings.LastIndexByte(edited[:len(edited)-1], '\n')+1], strings.ReplaceAll(edited, "\n", "\r\n"),
	} {
		s, err := selection.Read(strings.NewReader(text), "f.tsv")
		if err != nil || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "f.tsv has no seal") {
			t.Errorf("%v %q", err, text)
		}
	}
	if !strings.HasPrefix(good, "#termsift features 2\n") || !selection.IsFeatures([]byte(good)) || !selection.IsFeatures([]byte("#termsift features 1\n")) {
		t.Errorf("%.30q", good)
	}
	for _, version := range []string{"1", "3", "2 "} {
		_, err := selection.Read(strings.NewReader(strings.Replace(edited, "features 2", "features "+version, 1)), "f.tsv")
		if !errors.Is(err, selection.ErrBadFeatures) || !strings.Contains(err.Error(), "f.tsv:1:") || !strings.Contains(err.Error(), "write it with termsift select") {
			t.Errorf("version %q: %v", version, err)
		}
	}
}

// Records that contradict one another are refused, in files and by a Transformer.
func TestContradictingFeaturesAreRefused(t *testing.T) {
	good := unsealed(sealedFile(t))
	for from, to := range map[string]string{
		"#documents 5": "#documents 0", "\n#documents 5": "\n#documents -5", "documents 5": "documents 1",
		`["a","b",`: `["a","a",`, `["a",`: `["x",`, "\t1\t0\n": "\t1\t1\n", "\t0\n": "\t-1\n",
		"#termsift": "#somebody", "#documents 5\n": "", "rank\tterm": "place\tterm", `{"version"`: "{version",
	} {
		text := strings.Replace(good, from, to, 1)
		if text == good {
			t.Fatalf("%q is not in\n%s", from, good)
		}
		if _, err := selection.Read(strings.NewReader(text), "f.tsv"); !errors.Is(err, selection.ErrBadFeatures) || !strings.HasPrefix(err.Error(), "f.tsv:") {
			t.Errorf("%s: %v", to, err)
		}
	}
	// A contradiction in a row is told with its line, one of all rows with the first line.
	lines := strings.Split(strings.TrimSuffix(good, "\n"), "\n")
	rows := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "1\t") })
	for row := rows; row < len(lines); row++ {
		fields := strings.Split(lines[row], "\t")
		df, _ := strconv.Atoi(fields[3])
		for _, counts := range [][2]int{{df + 1, -1}, {-1, df + 1}, {df, 1}, {-1, -1}} {
			fields[5], fields[6] = strconv.Itoa(counts[0]), strconv.Itoa(counts[1])
			changed := slices.Clone(lines)
			changed[row] = strings.Join(fields, "\t")
			_, err := selection.Read(strings.NewReader(strings.Join(changed, "\n")), "f.tsv")
			if want := fmt.Sprintf("f.tsv:%d: ", row+1); !errors.Is(err, selection.ErrBadFeatures) || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v of %d documents: %v, want %s", counts, df, err, want)
			}
		}
	}
	none := strings.Replace(strings.Join(lines[:rows], "\n"), "#documents 5", "#documents 0", 1)
	if _, err := selection.Read(strings.NewReader(none), "f.tsv"); err == nil || !strings.HasPrefix(err.Error(), "f.tsv:") || !strings.Contains(err.Error(), "from 0 documents") {
		t.Errorf("no rows and no documents: %v", err)
	}
	s := testkit.Must(selection.Read(strings.NewReader(good), "f.tsv"))
	for i, df := range []int{0, s.Documents + 1} {
		s.Features[i].Class = ""
		s.Features[i].DF, df = df, s.Features[i].DF
		if _, _, err := s.FactorsFor("tfidf"); !errors.Is(err, selection.ErrBadFeatures) || !strings.Contains(err.Error(), fmt.Sprintf("feature %d: ", i+1)) {
			t.Errorf("feature %d: %v", i+1, err)
		}
		s.Features[i].DF = df
	}
	s.Documents = 1
	testkit.Is(t, testkit.Err(vectors.New(s, "tfidf")), selection.ErrBadFeatures)
}

// Vectors have finite values and each term once, or an error that names document and term.
func TestTransformRefusesWhatIsNotFinite(t *testing.T) {
	s := testkit.Must(selection.Select(t.Context(), enginetest.Build(t, "a:one two two", "b:three two", "b:one"), selection.Options{Keep: selection.Best(3)}))
	for _, weight := range selection.Weightings() {
		if name, _ := selection.FactorOf(table.Weighting(weight)); name != "" {
			continue
		}
		for _, values := range [][]float64{{1e300}, {math.MaxFloat32}, {math.Inf(1)}, {math.NaN()}, {-1e39}, {1, 2}} {
			d := document.Document{ID: "culprit"}
			for _, v := range values {
				d.Features = append(d.Features, document.Feature{Term: "three", Value: v})
			}
			notFinite(t, s, weight, d, fmt.Sprint(values))
		}
	}
	notFinite(t, s, "ltc", document.Document{ID: "culprit", Features: []document.Feature{{Term: "three", Value: -2}}}, "a logarithm of -2")
	s.Factors = map[string][]float64{"tf-rf": {1, 1e38, 1e38}}
	notFinite(t, s, "tf-rf", document.Document{ID: "culprit", Features: []document.Feature{{Term: s.Features[1].Term, Value: 1e9}}}, "a large factor")
}

func notFinite(t *testing.T, s *selection.Selection, weight string, d document.Document, name string) {
	t.Helper()
	transformer := testkit.Must(vectors.New(s, table.Weighting(weight)))
	stream := func(yield func(document.Document, error) bool) { yield(d, nil) }
	for row, err := range transformer.Documents(t.Context(), stream) {
		if !errors.Is(err, ingest.ErrBadDocument) || !strings.Contains(err.Error(), `"culprit"`) || !strings.Contains(err.Error(), d.Features[0].Term) {
			t.Errorf("%s of %s: %v, %+v", weight, name, err, row)
		}
	}
}

// The same from an index.
func TestTransformOfCorpusRefusesWhatIsNotFinite(t *testing.T) {
	docs := []document.Document{
		{ID: "p", Labels: []string{"a"}, Features: []document.Feature{{Term: "x", Value: 1}}},
		{ID: "culprit", Labels: []string{"b"}, Features: []document.Feature{{Term: "y", Value: 1e9 + .5}}},
	}
	c := testkit.Must(corpus.BuildBatches(t.Context(), document.InBatches(docs), corpus.Options{Threads: 1}))
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(2)}))
	s.Factors = map[string][]float64{"tf-rf": {1e38, 1e38}}
	transformer := testkit.Must(vectors.New(s, "tf-rf"))
	failed := false
	for _, err := range transformer.Corpus(t.Context(), c) {
		failed = failed || errors.Is(err, ingest.ErrBadDocument) && strings.Contains(err.Error(), `"culprit"`) && strings.Contains(err.Error(), `"y"`)
	}
	testkit.Equal(t, failed, true, "an infinite weight is taken")
}

// hashedSelection are the best columns of a few texts.
func hashedSelection(t *testing.T) *selection.Selection {
	c := testkit.Must(corpus.Build(t.Context(), enginetest.Texts("a:one two", "a:one three", "b:four five"), corpus.Options{Analysis: analysis.Options{HashBits: 20}}))
	return testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(3)}))
}

// Names come back as they were, whatever characters they have, and files without names are as they always were.
func TestNamesInFeaturesFiles(t *testing.T) {
	s := hashedSelection(t)
	names := [][]string{{"one", "a\tb\nc\\d", `"<&>"`}, {}, {"中 文", "  "}}
	for _, o := range []*selection.Selection{s, s.WithNames(names)} {
		var file bytes.Buffer
		testkit.OK(o.WriteTSV(&file))
		back := testkit.Must(selection.Read(bytes.NewReader(file.Bytes()), "features.tsv"))
		if !slices.Equal(back.Features, s.Features) || !slices.EqualFunc(back.Names, o.Names, slices.Equal[[]string]) || (back.Names == nil) != (o.Names == nil) {
			t.Errorf("%+v came back as %+v", o, back)
		}
		if back.Provenance.Analysis.HashBits != 20 || strings.Contains(file.String(), "\tnames\n") != (o.Names != nil) {
			t.Errorf("the file is\n%s", file.String())
		}
	}
}

// What names or columns cannot be is neither written nor read.
func TestColumnsThatCannotBe(t *testing.T) {
	s := hashedSelection(t)
	var file bytes.Buffer
	testkit.OK(s.WithNames([][]string{{"one"}, {}, {"two"}}).WriteTSV(&file))
	text := unsealed(file.String())
	for old, change := range map[string]struct{ to, why string }{
		`["one"]`:                    {`one`, "the column names has"},
		`["two"]`:                    {`null`, "the column names has"},
		"\n2\t" + s.Features[1].Term: {"\n2\t1048576", "none of the 2^20 columns"},
		"\n3\t" + s.Features[2].Term: {"\n3\t0" + s.Features[2].Term, "none of the 2^20 columns"},
		`"hash_bits":20,`:            {"", "names of columns of hashes, and its terms are none"},
	} {
		broken := strings.Replace(text, old, change.to, 1)
		if broken == text {
			t.Fatalf("%q is not in\n%s", old, text)
		}
		testkit.Refused(t, testkit.Err(selection.Read(strings.NewReader(broken), "broken.tsv")),
			selection.ErrBadFeatures, change.why, change.to)
	}
	testkit.Is(t, s.WithNames([][]string{{"one"}}).WriteTSV(&file), selection.ErrUnwritable)
}
