package reader

import (
	"bytes"
	"encoding/csv"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// shown reads a text and shows its documents.
func shown(t testing.TB, text string, opt Options) ([]string, Summary, error) {
	t.Helper()
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

func TestAcceptedCSV(t *testing.T) {
	both := func(o Options) Options { o.TextField, o.LabelField = "2", "1"; return o }
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string // documents joined by " | "
	}{
		"defaults":             {"id,label,text\nx,a,hello\n", Options{}, `x [a] "hello"`},
		"labels":               {"labels,text\na b,t", Options{}, `stdin:2 [a b] "t"`},
		"labels before label":  {"label,labels,text\na,b,t", Options{}, `stdin:2 [b] "t"`},
		"unlabelled":           {"text\nt\n", Options{}, `stdin:2 [] "t"`},
		"empty label":          {"label,text\n,t\n", Options{}, `stdin:2 [] "t"`},
		"empty id":             {"id,text\n,t\n", Options{}, `stdin:2 [] "t"`},
		"empty text":           {"label,text\na,\n", Options{}, `stdin:2 [a] ""`},
		"quoted":               {"label,text\n\"a\",\"x, \"\"y\"\"\"\n", Options{}, `stdin:2 [a] "x, \"y\""`},
		"line breaks":          {"label,text\na,\"x\ny\r\n\"\nb,z\n", Options{}, `stdin:2 [a] "x\ny\r\n" | stdin:5 [b] "z"`},
		"CR LF":                {"label,text\r\na,\"x\"\r\nb,y\r\n", Options{}, `stdin:2 [a] "x" | stdin:3 [b] "y"`},
		"CR alone":             {"label,text\na,x\ry\n", Options{}, `stdin:2 [a] "x\ry"`},
		"CR at the end":        {"label,text\na,\"x\"\r", Options{}, `stdin:2 [a] "x"`},
		"no line end":          {"label,text\na,x", Options{}, `stdin:2 [a] "x"`},
		"empty rows":           {"\n\r\nlabel,text\n\n\na,x\n\r\n", Options{}, `stdin:6 [a] "x"`},
		"quote in a field":     {"label,text\na,5\" or \"6\"\n", Options{}, `stdin:2 [a] "5\" or \"6\""`},
		"quote not doubled":    {"label,text\na,\"say \"hi\" now\"\n", Options{}, `stdin:2 [a] "say \"hi\" now"`},
		"space before a quote": {"label,text\na, \"x\"\n", Options{}, `stdin:2 [a] "x"`},
		"empty quotes":         {"text\n\"\"\n", Options{}, `stdin:2 [] ""`},
		"NUL":                  {"label,text\na,x\x00y\n", Options{}, `stdin:2 [a] "x\x00y"`},
		"BOM":                  {"\ufefftext\nt\n", Options{}, `stdin:2 [] "t"`},
		"BOM in a field":       {"text\n\ufefft\n", Options{}, `stdin:2 [] "\ufefft"`},
		"quoted BOM":           {"\ufeff\"text\"\nt\n", Options{}, `stdin:2 [] "t"`},
		"UTF-16":               {"\xff\xfet\x00e\x00x\x00t\x00\n\x00\x2d\x4e", Options{}, `stdin:2 [] "中"`},
		"spaces in the header": {" text , label\nt,a", Options{}, `stdin:2 [a] "t"`},
		"named":                {"c,t,k\na,x,7\n", Options{TextField: "t", LabelField: "c", IDField: "k"}, `7 [a] "x"`},
		"numbers":              {"c,t,k\na,x,7\n", Options{TextField: "2", LabelField: "1", IDField: "3"}, `7 [a] "x"`},
		"names are numbers":    {"2,1\nx,a\n", Options{TextField: "2", LabelField: "1"}, `stdin:2 [a] "x"`},
		"no header":            {"a,x\nb,y\n", both(Options{NoHeader: true}), `stdin:1 [a] "x" | stdin:2 [b] "y"`},
		"no header, one":       {"x\ny", Options{NoHeader: true, TextField: "1"}, `stdin:1 [] "x" | stdin:2 [] "y"`},
		"twice, not used":      {"x,x,text\n1,2,t", Options{}, `stdin:2 [] "t"`},
		"twice, by number":     {"text,text\n1,t", Options{TextField: "2"}, `stdin:2 [] "t"`},
		"split":                {"split,text\ntest,x\ntrain,y", Options{Split: "train"}, `stdin:3 [] "y"`},
		"Latin-1":              {"label,text\n\xe9,caf\xe9 \xe0\n", Options{}, `stdin:2 [é] "café à"`},
		"GBK, told by the row": {"label,text\n\xba\xc3,\xd6\xd0\xce\xc4\n", Options{}, `stdin:2 [好] "中文"`},
		"GBK header":           {"\xb1\xea\xc7\xa9,\xc6\xc0\xc2\xdb\na,x\n", Options{TextField: "评论", LabelField: "标签"}, `stdin:2 [a] "x"`},
		"gb2312":               {"text\n\xba\xc3\n", Options{Charset: "gb2312"}, `stdin:2 [] "好"`},
		"malformed UTF-8":      {"text\ncaf\xe9\n", Options{Charset: "utf-8"}, `stdin:2 [] "caf\xe9"`},
		"like JSON":            {"text\n{\"\n", Options{}, `stdin:2 [] "{\""`},
		"formula":              {"text\n=1+2\n", Options{}, `stdin:2 [] "=1+2"`},
		"long row":             {"text\n\"" + strings.Repeat("x\n", 40) + "\"\n", Options{MaxLine: 50}, ``},
		"many empty fields":    {strings.Repeat(",", 99) + "text\n" + strings.Repeat(",", 99) + "t", Options{}, `stdin:2 [] "t"`},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Format = CSV
			got, _, err := shown(t, c.text, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if joined := strings.Join(got, " | "); joined != c.want && c.want != "" || len(got) == 0 {
				t.Fatalf("%s, want %s", joined, c.want)
			}
		})
	}
}

func TestAcceptedTSV(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"tabs":             {"label\ttext\na\tx, \"y\"\n", `stdin:2 [a] "x, \"y\""`},
		"quoted":           {"\"label\"\ttext\na\t\"x\n\"\"\"\n", `stdin:2 [a] "x\n\""`},
		"backslashes stay": {"text\nx\\ty\n", `stdin:2 [] "x\\ty"`},
		"spaces stay":      {"label\ttext\n a\tx \n", `stdin:2 [ a] "x "`},
	} {
		got, _, err := shown(t, c.text, Options{Format: TSV})
		if err != nil || !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestBadCSV(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string // part of the error
	}{
		"no text column":        {"cat,label,review\n", Options{}, `stdin:1: there is no column "text"; there are "cat", "label", "review"; name one with --text-field`},
		"behind empty rows":     {"\n\ncat\n", Options{}, `stdin:3: there is no column "text"`},
		"no named label":        {"text\n", Options{LabelField: "cat"}, `no column "cat"; there are "text"; name one with --label-field`},
		"no named id":           {"text\n", Options{IDField: "key"}, `name one with --id-field`},
		"number too large":      {"text\n", Options{TextField: "2"}, `no column "2"`},
		"number zero":           {"text\n", Options{TextField: "0"}, `no column "0"`},
		"name twice":            {"text,text\n", Options{}, `several columns "text"; give the column's number with --text-field`},
		"label twice":           {"text,a,a\n", Options{LabelField: "a"}, `several columns "a"; give the column's number with --label-field`},
		"no header, no number":  {"x,y\n", Options{NoHeader: true}, `no column "text"; there are 2; give a number with --text-field`},
		"split twice":           {"text,split,split\nx,a,b", Options{}, `several columns "split"; give one of them another name`},
		"many columns":          {strings.Repeat(",", 1<<16), Options{}, "stdin:1: the row has 65537 columns, more than 65536"},
		"no split":              {"text\nx", Options{Split: "train"}, `no column "split"`},
		"no such split":         {"text,split\nx,dev", Options{Split: "train"}, `: dev`},
		"unterminated":          {"text\nx\n\"y\nz\n", Options{}, `stdin:3:1: a quote opens a field here, and no quote closes it: "\"y\nz\n"`},
		"unterminated, later":   {"label,text\n\"a\nb\",\"y\nz\n", Options{}, `stdin:3:4: a quote opens`},
		"unterminated header":   {"id,\"text\n", Options{}, `stdin:1:4: a quote opens`},
		"unterminated, endless": {"text\nx\n\"" + strings.Repeat("y\n", 1<<18), Options{MaxDocument: 1000, MaxLine: 1000}, `stdin:3:1: a quote opens`},
		"endless line":          {"text\n" + strings.Repeat("y", 1<<19), Options{MaxLine: 1000}, `stdin:2: the line has more than 1000 bytes`},
		"endless header":        {strings.Repeat("y", 1<<19), Options{MaxLine: 1000}, `stdin:1: the line has more than 1000 bytes`},
		"long line":             {"text\nx\n" + strings.Repeat("y", 51), Options{MaxLine: 50}, `stdin:3: the line has more than 50 bytes`},
		"long text":             {"text\nx\n" + strings.Repeat("y", 51), Options{MaxDocument: 50}, `stdin:3: the text has more than 50 bytes`},
		"header only":           {"text\n", Options{}, "no documents in -"},
		"blank":                 {"\n\n", Options{}, "no documents in -"},
		"empty":                 {"", Options{}, "no documents in -"},
		"all ragged":            {"a,text\nx\ny\n", Options{}, "no documents in - (2: row with another number of fields than the header)"},
		"too many labels":       {"text,label\nx,a\nx,b", Options{MaxClasses: 1}, "more than 1 distinct labels"},
		"very many columns":     {strings.Repeat("c,", 1000) + "c\n", Options{}, `and 981 more; name one`},
		"of terms and counts":   {"term,count\nx,1\n", Options{}, `there are "term", "count"`},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Format = CSV
			_, _, err := shown(t, c.text, c.opt)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			if !errors.Is(err, ErrBadInput) && !errors.Is(err, ErrEmpty) || len(err.Error()) > 1200 {
				t.Fatalf("%T of %d bytes: %v", err, len(err.Error()), err)
			}
		})
	}
}

func TestSkipBadCSV(t *testing.T) {
	got, sum, err := shown(t, "text\nx\n"+strings.Repeat("y", 51)+"\nz\n\"w\n", Options{Format: CSV, MaxDocument: 50, SkipBad: true})
	if err != nil || !slices.Equal(got, []string{`stdin:2 [] "x"`, `stdin:4 [] "z"`}) {
		t.Fatalf("%v, %v", got, err)
	}
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
	if err != nil || !slices.Equal(got, []string{"train", "", "test"}) {
		t.Errorf("%q, %v", got, err)
	}
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
	docs, err := collect(t, b.String(), Options{Format: CSV, MaxLine: 10_000})
	if err != nil || len(docs) != len(want) {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	for i, d := range docs {
		if d.ID+string(d.Text) != want[i] {
			t.Fatalf("document %d is %.60q, want %.60q", i, d.ID+string(d.Text), want[i])
		}
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
	c := openCSV(s, "")
	data := []byte("label,text\n" + strings.Repeat("a,\"x \"\"y\"\" caf\xe9\"\n", rows))
	testkit.Must(c.cut(data, true, charset.Latin1))
	p := &csvParser{parser: s.borrow()}
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
	file := lab.Corpus(t, "online_shopping_10_cats.csv.gz")
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
		if !maps.Equal(sizes, want) {
			t.Errorf("%s: %v", label, sizes)
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"id,label,text\nx,a,hello\n", "text\n\"a\"\"b\nc\"\r\n\"d\"e\n\"f", "text,x\n\"a\",b\"c\"\n\n,\"\"\n", "text\n\xd6\xd0\xce\xc4\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkFuzz(t, text, CSV) })
}

func FuzzTSV(f *testing.F) {
	f.Add("label\ttext\na\t\"x\ty\n\"\"\"\n")
	f.Add("text\nx\\ty\r\n\"")
	f.Add("sep=;\ntext; \"label\"\ra;\"b\"\r\r\n")
	f.Fuzz(func(t *testing.T, text string) { checkFuzz(t, text, TSV) })
}

// The separator is found by looking, and commas are tried first.
func TestSeparators(t *testing.T) {
	joined := Options{TextField: "title,body", LabelField: "3"}
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"semicolons":        {"text;label\na, b;x\n", Options{}, `stdin:2 [x] "a, b"`},
		"tabs":              {"text\tlabel\r\na, b;\tx\r\n", Options{}, `stdin:2 [x] "a, b;"`},
		"quotes":            {"\"label\";\"text\"\n\"x\";\"a\n\"\"b\"\"; c\"\n", Options{}, `stdin:2 [x] "a\n\"b\"; c"`},
		"an empty line":     {"\r\ntext;label\na;x\n", Options{}, `stdin:3 [x] "a"`},
		"commas win":        {"text,label;x\na;b,c\n", Options{LabelField: "label;x"}, `stdin:2 [c] "a;b"`},
		"one column":        {"text\na;b,c\n", Options{}, `skipped`},
		"one column, quote": {"text\n\"a;b,c\"\n", Options{}, `stdin:2 [] "a;b,c"`},
		"without a header":  {"a;hello, world\nb;bye\n", Options{NoHeader: true, LabelField: "1", TextField: "2"}, `stdin:1 [a] "hello, world"; stdin:2 [b] "bye"`},
		"ragged commas":     {"a,hello\nb,c,d\n", Options{NoHeader: true, LabelField: "1", TextField: "2"}, `stdin:1 [a] "hello"`},
		"joined":            {"title;body;c\nA;b;x\n", joined, `stdin:2 [x] "A\nb"`},
		"half of joined":    {"a;body;c\nA;b;x\n", joined, `stdin:2 [x] "b"`},
		"a whole name":      {"x;\"title,body\";c\nA;b;x\n", joined, `stdin:2 [x] "b"`},
		"no end of line":    {"text;label", Options{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Format = CSV
			docs, s, err := shown(t, c.text, c.opt)
			got := strings.Join(docs, "; ")
			if c.want == "skipped" && len(s.Skipped) > 0 && errors.Is(err, ErrEmpty) {
				return
			}
			if c.want == "" && errors.Is(err, ErrEmpty) {
				return
			}
			if err != nil || got != c.want {
				t.Fatalf("%s, %v, want %s", got, err, c.want)
			}
		})
	}
	for text, want := range map[string]string{
		"cat;review\nx;y\n":      `there is no column "text"; there are "cat", "review"; name one with --text-field`,
		"cat;Texts;c,d\nx;y;z\n": `there are "cat", "Texts", "c,d"; did you mean "Texts"? name one with --text-field`,
	} {
		if _, _, err := shown(t, text, Options{Format: CSV}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, _, err := shown(t, "x;y\n1;2\n", Options{Format: CSV, TextField: "title,body"}); err == nil || !strings.Contains(err.Error(), `there is no column "title,body"; there are "x", "y"`) {
		t.Error(err)
	}
	_, s, _ := shown(t, "a;body\nA;b\n", Options{Format: CSV, TextField: "title,body"})
	if want := `no document has the field "title" of --text-field; it is taken as empty`; !slices.Equal(s.Notes, []string{want}) {
		t.Errorf("%q", s.Notes)
	}
}

// Remembered names of labels and ids are those of other inputs.
func TestOptionalColumns(t *testing.T) {
	opt := Options{Format: CSV, LabelField: "class", IDField: "key", OptionalFields: true}
	docs, _, err := shown(t, "text\na\n", opt)
	if err != nil || !slices.Equal(docs, []string{`stdin:2 [] "a"`}) {
		t.Fatal(docs, err)
	}
	opt.OptionalFields = false
	if _, _, err := shown(t, "text\na\n", opt); err == nil {
		t.Fatal("a column that was named is missing")
	}
}
