package reader

import (
	"bytes"
	"encoding/csv"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// shown reads a text and shows its documents.
func shown(t testing.TB, text string, opt Options) ([]string, Summary, error) {
	opt.Stdin = strings.NewReader(text)
	s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
	var got []string
	for d, err := range s.Documents() {
		if err != nil {
			return got, s.Summary(), err
		}
		got = append(got, show(d))
	}
	return got, s.Summary(), nil
}

func TestSkipBadCSV(t *testing.T) {
	got, sum, err := shown(t, "text\nx\n"+strings.Repeat("y", 51)+"\nz\n\"w\n", Options{Format: CSV, MaxDocument: 50, SkipBad: true})
	testkit.OK(err)
	testkit.EqualSlices(testkit.Stop(t), got, []string{`stdin:2 [] "x"`, `stdin:4 [] "z"`})
	if len(sum.Problems) != 2 || sum.Problems[1].Kind != "document too large" || sum.Problems[1].Places[0].Pos.Line != 3 {
		t.Errorf("%+v", sum.Problems)
	}
}

// The name decides, where the content is not that of another format.
func TestCSVByName(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"reviews.csv":    {"text\nx,y\n", ""},
		"reviews.CSV.gz": {"text\nx\n", "FILE:2 "},
		"reviews.tsv":    {"text\tlabel\nx\ta\n", "FILE:2 a"},
		"reviews.tab":    {"text\tlabel\nx\ta\n", "FILE:2 a"},
		"lines.csv":      {"{\"text\":\"t\"}\n", "FILE:1 "},
		"vectors.csv":    {"1 3:1\n", "FILE:1 1"},
		"reviews.txt":    {"text,label\nx,a\n", ""},
	} {
		file := t.TempDir() + "/" + name
		data := []byte(c.text)
		if strings.HasSuffix(name, ".gz") {
			data = zip(t, data)
		}
		testkit.Write(file, data)
		got, _, err := ids(t, Options{}, file)
		want := []string{strings.Replace(c.want, "FILE", file, 1)}
		if (c.want == "") != (err != nil) || err == nil && !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// A column "split" is known whether or not a part is asked for.
func TestSplitOfCSV(t *testing.T) {
	docs, err := collect(t, "split,text\ntrain,x\n,y\ntest,z\n", Options{Format: CSV})
	var got []string
	for _, d := range docs {
		got = append(got, d.Split)
	}
	testkit.OK(err)
	testkit.EqualSlices(t, got, []string{"train", "", "test"})
}

// Large inputs come in many pieces; a row with line breaks may be larger than
// a piece.
func TestCSVInPieces(t *testing.T) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	want := []string{}
	write := func(fields ...string) {
		testkit.OK(w.Write(fields))
	}
	write("id", "text")
	for i := range 2000 {
		text := strings.Repeat("a \"b\"\n,", i%400)
		if i%500 == 0 {
			text = strings.Repeat("long\n", frameBytes/3)
		}
		id := strings.Repeat("i", i%7+1)
		want = append(want, id+text)
		write(id, text)
	}
	w.Flush()
	docs := testkit.Must(collect(t, b.String(), Options{Format: CSV, MaxLine: 10_000}))
	testkit.Equal(testkit.Stop(t), len(docs), len(want), "documents")
	for i, d := range docs {
		testkit.Equal(testkit.Stop(t), d.ID+string(d.Text), want[i], "document", i)
	}
	if lines := strings.Count(b.String(), "\n"); docs[len(docs)-1].Source.Line > lines || docs[1].Source.Line < frameBytes/3 {
		t.Errorf("the second document is at %v, the last at %v", docs[1].Source, docs[len(docs)-1].Source)
	}
}

// A row costs its id and nothing else.
func TestCSVAllocations(t *testing.T) {
	const rows = 1000
	s := &Source{ctx: t.Context(), opt: Options{Format: CSV, Charset: "auto"}, labels: map[string]labelOrigin{}, total: newTally()}
	testkit.OK(s.opt.complete())
	c := csvLayout.open(s, "")
	data := []byte("label,text\n" + strings.Repeat("a,\"x \"\"y\"\" caf\xe9\"\n", rows))
	testkit.Must(c.cut(&frame{data: data, pos: document.Position{Line: 1}, encoding: charset.Latin1}, true))
	p := &csvParser{parser: s.newParser()}
	p.deliver = func(document.Document) error { return nil }
	got := testing.AllocsPerRun(5, func() {
		f := frame{pos: document.Position{File: "f", Line: 1}, data: data}
		testkit.OK(p.parse(c, &f))
	})
	if got > rows+10 {
		t.Errorf("%v allocations for %d rows", got, rows)
	}
}

// The counts of classes in the description of the data.
func TestOnlineShopping(t *testing.T) {
	longAlone(t)
	file := testkit.Corpus(t, "online_shopping_10_cats.csv.gz")
	for label, want := range map[string]map[string]int{
		"cat": {
			"书籍": 3851, "平板": 10000, "手机": 2323, "水果": 10000, "洗发水": 10000, "热水器": 575, "蒙牛": 2033, "衣服": 10000,
			"计算机": 3992, "酒店": 10000,
		},
		"label": {"0": 31046, "1": 31728},
	} {
		s := testkit.Must(Read(t.Context(), []string{file}, Options{TextField: "review", LabelField: label}))
		sizes, empty, marks := map[string]int{}, 0, 0
		for d := range testkit.All(s.Documents()) {
			sizes[d.Labels[0]]++
			marks += bytes.Count(d.Text, charset.Mark)
			if len(d.Text) == 0 {
				empty++
			}
		}
		sum := s.Summary()
		if sum.Documents != 62774 || empty != 1 || marks != 20 || len(sum.Skipped) != 0 || len(sum.Notes) != 0 {
			t.Errorf("%d empty, %d marks, %+v", empty, marks, sum)
		}
		testkit.Equal(t, maps.Equal(sizes, want), true, label, sizes)
	}
}

// Remembered names of labels and ids are those of other inputs.
func TestOptionalColumns(t *testing.T) {
	opt := Options{Format: CSV, LabelField: "class", IDField: "key", OptionalFields: true}
	docs, _, err := shown(t, "text\na\n", opt)
	testkit.OK(err)
	testkit.EqualSlices(testkit.Stop(t), docs, []string{`stdin:2 [] "a"`})
	opt.OptionalFields = false
	if _, _, err := shown(t, "text\na\n", opt); err == nil {
		t.Fatal("a column that was named is missing")
	}
}
