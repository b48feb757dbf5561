package reader

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// showAll reads a text as standard input and shows its documents, one a line.
func showAll(t testing.TB, text string, opt Options) string {
	opt.Stdin = strings.NewReader(text)
	s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
	var shown []string
	for d := range testkit.All(s.Documents()) {
		shown = append(shown, show(d))
	}
	return strings.Join(shown, "\n")
}

// story writes a document of the collection's usual layout.
func story(attributes, topics, text string) string {
	return "<REUTERS " + attributes + ">\n<DATE>26-FEB-1987</DATE>\n<TOPICS>" + topics + "</TOPICS>\n<PLACES><D>usa</D></PLACES>\n" +
		"<UNKNOWN>\n&#5;C T</UNKNOWN>\n<TEXT" + text + "</TEXT>\n</REUTERS>\n"
}

func TestReuters(t *testing.T) {
	const usual = `TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="9" NEWID="7"`
	const text = `>&#2;<TITLE>T</TITLE><DATELINE> NY - </DATELINE><BODY>B&#3;</BODY>`
	places := Options{Labels: "places"}
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string // one document a line
	}{
		"usual":                   {story(usual, "<D>a</D><D>b</D>", text), Options{}, `7 [a b] "T\nB "`},
		"behind a DOCTYPE":        {"<!doctype Lewis SYSTEM \"lewis.dtd\">\n" + story(usual, "", text), Options{}, `7 [] "T\nB "`},
		"BOM":                     {"\ufeff" + story(usual, "", text), Options{}, `7 [] "T\nB "`},
		"other labels":            {story(usual, "<D>a</D>", text), places, `7 [usa] "T\nB "`},
		"no such labels":          {story(usual, "<D>a</D>", text), Options{Labels: "orgs"}, `7 [] "T\nB "`},
		"CRLF":                    {strings.ReplaceAll(story(usual, "<D>a</D>", text), "\n", "\r\n"), Options{}, `7 [a] "T\nB "`},
		"lower case":              {strings.ToLower(story(usual, "<D>a</D>", text)), Options{Split: "train"}, `7 [a] "t\nb "`},
		"attributes in any order": {story("NEWID=\"7\" LEWISSPLIT=\"TEST\"\n TOPICS=\"YES\"", "", text), Options{Split: "test"}, `7 [] "T\nB "`},
		"attributes unquoted":     {story("NEWID=7 LEWISSPLIT=TEST TOPICS = YES", "", text), Options{Split: "test"}, `7 [] "T\nB "`},
		"attributes in '":         {story("NEWID='7' LEWISSPLIT='TEST' TOPICS='YES'", "", text), Options{Split: "test"}, `7 [] "T\nB "`},
		"> in an attribute":       {story(`CSECS="1>2" NEWID="7"`, "", text), Options{}, `7 [] "T\nB "`},
		"attribute without value": {story(`CSECS NEWID=7`, "", text), Options{}, `7 [] "T\nB "`},
		"attribute twice":         {story(`NEWID=6 NEWID=7`, "", text), Options{}, `7 [] "T\nB "`},
		"no NEWID":                {"\n" + story("", "", text), Options{}, `stdin:2 [] "T\nB "`},
		"no attributes":           {"<REUTERS><BODY>b</BODY></REUTERS>", Options{}, `stdin:1 [] "b"`},
		"nothing inside":          {"<REUTERS NEWID=7></REUTERS>", Options{}, `7 [] ""`},

		"references":         {story(usual, "", "><BODY>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#252;&#0065;</BODY>"), Options{}, `7 [] "<>&\"'ABüA"`},
		"control references": {story(usual, "", "><BODY>a&#3;b&#127;c&#x1F;d&#10;e&#0;f&#133;g</BODY>"), Options{}, `7 [] "a b c d e f g"`},
		"unknown references": {story(usual, "", "><BODY>&nbsp; AT&T &lt &; &#; &#x; &#xD800; &#99999999; &#-1; &</BODY>"), Options{}, `7 [] "&nbsp; AT&T &lt &; &#; &#x; &#xD800; &#99999999; &#-1; &"`},
		"&lt; in the title":  {story(usual, "", "><TITLE>HUGHES &lt;HT> UP</TITLE>"), Options{}, `7 [] "HUGHES <HT> UP"`},
		"no reference twice": {story(usual, "", "><BODY>&amp;lt;</BODY>"), Options{}, `7 [] "&lt;"`},

		"topics empty":     {story(usual, "", text), Options{}, `7 [] "T\nB "`},
		"label twice":      {story(usual, "<D>a</D><D>b</D><D>a</D>", text), Options{}, `7 [a b] "T\nB "`},
		"empty label":      {story(usual, "<D></D><D>a</D><D> </D>", text), Options{}, `7 [a] "T\nB "`},
		"unclosed label":   {story(usual, "<D>a<D>b", text), Options{}, `7 [a b] "T\nB "`},
		"label with space": {story(usual, "<D> a&amp;b </D>", text), Options{}, `7 [a&b] "T\nB "`},
		"label with <":     {story(usual, "<D>a<b</D>", text), Options{}, `7 [a<b] "T\nB "`},
		"beside labels":    {story(usual, "x<D>a</D>y", text), Options{}, `7 [a] "T\nB "`},
		"label in no set":  {"<REUTERS NEWID=7><D>a</D></REUTERS>", Options{}, `7 [] ""`},
		"unclosed set":     {"<REUTERS NEWID=7><TOPICS><D>a<PLACES><D>b<TEXT><BODY>c</REUTERS>", Options{}, `7 [a] "c"`},
		"order of sets":    {"<REUTERS NEWID=7><TEXT><BODY>c</BODY></TEXT><PLACES><D>b</D></PLACES><TOPICS><D>a</D></TOPICS></REUTERS>", Options{}, `7 [a] "c"`},

		"UNPROC":                {story(usual, "", " TYPE=\"UNPROC\">&#2;\nWHOLE\nSTORY\n&#3;"), Options{}, `7 [] "WHOLE\nSTORY"`},
		"UNPROC with title":     {story(usual, "", " TYPE=UNPROC>\nx<TITLE>T</TITLE>y\n"), Options{}, `7 [] "T\nxy"`},
		"BRIEF":                 {story(usual, "", " TYPE=\"BRIEF\">***<TITLE>T</TITLE>Blah blah blah."), Options{}, `7 [] "T"`},
		"beside BODY":           {story(usual, "", ">x<TITLE>T</TITLE>y<BODY>B</BODY>z"), Options{}, `7 [] "T\nB"`},
		"no BODY":               {story(usual, "", "><TITLE>T</TITLE>\n<AUTHOR>A</AUTHOR>\n"), Options{}, `7 [] "T"`},
		"BODY before the title": {story(usual, "", "><BODY>B</BODY><TITLE>T</TITLE>"), Options{}, `7 [] "T\nB"`},
		"two BODYs":             {story(usual, "", "><BODY>B</BODY><BODY>C</BODY>"), Options{}, `7 [] "BC"`},
		"BODY outside TEXT":     {"<REUTERS NEWID=7><TITLE>T</TITLE><BODY>B</BODY></REUTERS>", Options{}, `7 [] "T\nB"`},
		"AUTHOR and DATELINE":   {story(usual, "", "><AUTHOR>A</AUTHOR><DATELINE>D</DATELINE>"), Options{}, `7 [] ""`},
		"notes":                 {"<REUTERS NEWID=7><MKNOTE>m</MKNOTE><UNKNOWN>u<BODY>b</BODY></REUTERS>", Options{}, `7 [] "b"`},

		"tags in BODY":     {story(usual, "", "><BODY>a<b <D>c</D> <TITLE>d <5 </P></BODY>"), Options{}, `7 [] "a<b <D>c</D> <TITLE>d <5 </P>"`},
		"tag without >":    {story(usual, "", "><BODY>a</BODY <b</BODY>"), Options{}, `7 [] "a</BODY <b"`},
		"unclosed title":   {story(usual, "", "><TITLE>T<BODY>B</BODY>"), Options{}, `7 [] "T\nB"`},
		"unclosed BODY":    {story(usual, "", "><BODY>B"), Options{}, `7 [] "B"`},
		"nothing closed":   {"<REUTERS NEWID=7><TEXT><BODY>B\n<REUTERS NEWID=8><TEXT><TITLE>T", Options{}, "7 [] \"B\\n\"\n8 [] \"T\""},
		"behind documents": {"<REUTERS NEWID=7><BODY>b</BODY></REUTERS> <TITLE>no</TITLE>", Options{}, `7 [] "b"`},
		"no element name":  {story(usual, "", "><BODY>B</BODY><REUTERSX><5></>"), Options{}, `7 [] "B"`},

		"single label":        {story(usual, "<D>a</D>", text) + story(usual, "<D>a</D><D>b</D>", text) + story(usual, "", text), Options{SingleLabel: true}, `7 [a] "T\nB "`},
		"single, label twice": {story(usual, "<D>a</D><D>a</D>", text) + story("NEWID=8", "<D>a</D>", text), Options{SingleLabel: true}, `8 [a] "T\nB "`},
		"first label":         {story(usual, "<D>b</D><D>a</D>", text), Options{FirstLabel: true}, `7 [b] "T\nB "`},
		"classes":             {story(usual, "<D>b</D><D>a</D>", text) + story("NEWID=8", "<D>b</D>", text), Options{Classes: []string{"a"}}, "7 [a] \"T\\nB \"\n8 [] \"T\\nB \""},
		"classes, labelled":   {story(usual, "<D>b</D>", text) + story("NEWID=8", "<D>a</D>", text), Options{Classes: []string{"a"}, Labelled: true}, `8 [a] "T\nB "`},
		"Latin-1":             {story(usual, "", "><BODY>caf\xe9</BODY>") + story("NEWID=8", "", "><BODY>\xe0</BODY>"), Options{}, "7 [] \"café\"\n8 [] \"à\""},
		"skipped":             {story("NEWID=\"6", "", text) + story(usual, "", text), Options{SkipBad: true}, `7 [] "T\nB "`},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Equal(testkit.Stop(t), showAll(t, c.text, c.opt), c.want)
		})
	}
}

func TestBadReuters(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string // part of the error
	}{
		"unclosed tag":    {"<REUTERS NEWID=6></REUTERS>\n\n<REUTERS NEWID=7\n<BODY>", Options{}, `stdin:3: the tag <REUTERS is not closed: "<REUTERS NEWID=7\n<BODY>"; close it`},
		"unclosed quote":  {"<REUTERS NEWID=\"7>\n<BODY>", Options{}, "stdin:1: the tag <REUTERS is not closed"},
		"= without name":  {"<REUTERS =7>", Options{}, "stdin:1: the tag <REUTERS is not closed"},
		"large":           {"<REUTERS NEWID=6></REUTERS>\n<REUTERS NEWID=7>" + strings.Repeat("x", 100), Options{MaxDocument: 50}, "stdin:2: the document has more than 50 bytes; raise the limit with --max-document"},
		"large, in parts": {"<REUTERS NEWID=6></REUTERS>\n<REUTERS NEWID=7>" + strings.Repeat("x", 600_000), Options{MaxDocument: 50, MaxLine: 50}, "stdin:2: the document has more than 50 bytes; raise the limit with --max-document"},
		"many labels":     {story("NEWID=7", "<D>a</D><D>b</D>", ">"), Options{MaxLabels: 1}, "stdin:1: the document has more than 1 labels; raise the limit with --max-labels"},
		"many classes":    {story("NEWID=7", "<D>a</D><D>b</D>", ">"), Options{MaxClasses: 1}, "there are more than 1 distinct labels"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collect(t, c.text, c.opt)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
		})
	}
}

// The attributes decide, and a value that the collection does not have is of no
// part but counted.
func TestReutersSplits(t *testing.T) {
	tags := []string{
		"LEWISSPLIT=TRAIN TOPICS=YES", "LEWISSPLIT=TRAIN TOPICS=NO", "LEWISSPLIT=TRAIN TOPICS=BYPASS", "LEWISSPLIT=TEST TOPICS=YES",
		"LEWISSPLIT=TEST TOPICS=NO", "LEWISSPLIT=NOT-USED TOPICS=YES", "LEWISSPLIT=maybe TOPICS=YES", "LEWISSPLIT=TRAIN TOPICS=maybe",
		"TOPICS=YES", "CGISPLIT=TRAINING-SET", "CGISPLIT=published-testset",
	}
	var text strings.Builder
	for i, tag := range tags {
		fmt.Fprintf(&text, "<REUTERS NEWID=%d %s></REUTERS>\n", i, tag)
	}
	for _, c := range []struct {
		split, part, want string
		odd               int
	}{
		{"modapte", "train", "0", 5},
		{"modapte", "test", "3", 5},
		{"modapte", "unused", "1 2 4 5 6 7 8 9 10", 0},
		{"modapte", "all", "0 1 2 3 4 5 6 7 8 9 10", 0},
		{"modlewis", "train", "0 1", 5},
		{"modlewis", "test", "3 4", 5},
		{"modlewis", "unused", "2 5 6 7 8 9 10", 0},
		{"modhayes", "train", "9", 9},
		{"modhayes", "test", "10", 9},
		{"modhayes", "unused", "0 1 2 3 4 5 6 7 8", 0},
	} {
		opt := Options{Split: c.part, ReutersSplit: c.split, Stdin: strings.NewReader(text.String())}
		got, sum, err := ids(t, opt, "-")
		testkit.OK(err)
		testkit.Equal(t, strings.Join(strings.Fields(strings.Join(got, " ")), " "), c.want, c.split, c.part, got)
		testkit.Equal(t, sum.Skipped["document whose attributes are of no split"], c.odd, c.split, c.part,
			"of no split")
	}
}

// A file that ends in the middle of a document says so.
func TestReutersOpenEnd(t *testing.T) {
	for text, notes := range map[string]int{
		"<REUTERS></REUTERS>":                     0,
		"<REUTERS></reuters >\n</LEWIS>":          0,
		"<REUTERS></REUTERS><REUTERS><BODY>x":     1,
		"<REUTERS></REUTERS><REUTERS></REUTERS":   1,
		"<REUTERS><REUTERS><BODY>x</D></REUTERS>": 0,
	} {
		_, sum, err := ids(t, Options{Stdin: strings.NewReader(text)}, "-")
		testkit.OK(err)
		testkit.Equal(t, len(sum.Notes), notes, text)
	}
}

// Wherever frames end, the documents and their lines are the same.
func TestReutersFrames(t *testing.T) {
	var text strings.Builder
	text.WriteString("<!DOCTYPE lewis>\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "<REUTERS CSECS=%d>\n<BODY>%s</BODY>\n", i, strings.Repeat("<reuter&lt;s ", i%100))
	}
	docs := testkit.Must(collect(t, text.String(), Options{}))
	testkit.Equal(testkit.Stop(t), len(docs), 3000, "documents")
	for i, d := range docs {
		if want := fmt.Sprintf("stdin:%d", 2+2*i); d.ID != want || string(d.Text) != strings.Repeat("<reuter<s ", i%100) {
			t.Fatalf("document %d: %s, %q, want %s", i, d.ID, d.Text, want)
		}
	}
}

func TestReutersDetection(t *testing.T) {
	for text, want := range map[string]bool{
		"<!DOCTYPE LEWIS SYSTEM \"lewis.dtd\">": true, "\n <reuters NEWID=1>": true, "<REUTERS>": true,
		"<REUTERSX>": false, "<!DOCTYPE html>": false, "<REUTERS": false, "": false,
	} {
		testkit.Equal(t, reutersLayout.detect([]byte(text), true), want, text)
	}
}

// unpacked writes the files of a collection into a directory.
func unpacked(t testing.TB, collection string) (archive, dir string) {
	t.Helper()
	archive, dir = testkit.Corpus(t, collection), t.TempDir()
	file := testkit.Must(os.Open(archive))
	defer file.Close()
	z := testkit.Must(gzip.NewReader(file))
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return archive, dir
		}
		testkit.OK(err)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		body, err := io.ReadAll(r)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(h.Name)), body, 0o600)
		}
		testkit.OK(err)
	}
}

// count reads an input and counts its documents by label.
func count(t testing.TB, opt Options, inputs ...string) (documents, labels int, sizes map[string]int) {
	s := testkit.Must(Read(t.Context(), inputs, opt))
	sizes = map[string]int{}
	for d := range testkit.All(s.Documents()) {
		documents++
		labels += len(d.Labels)
		for _, label := range d.Labels {
			sizes[label]++
		}
	}
	return documents, labels, sizes
}

func common(t testing.TB, opt Options, inputs ...string) []string {
	return testkit.Must(CommonClasses(t.Context(), inputs, opt))
}

// The counts that the collection's README and the papers give.
func TestReutersCollection(t *testing.T) {
	longAlone(t)
	_, dir := unpacked(t, "reuters21578.tar.gz")
	r90, r52 := common(t, Options{}, dir), common(t, Options{SingleLabel: true}, dir)
	_, _, topics := count(t, Options{Split: "train"}, dir)
	largest := slices.SortedFunc(maps.Keys(topics), func(a, b string) int { return cmp.Compare(topics[b], topics[a]) })[:10]
	r8 := slices.DeleteFunc(slices.Clone(r52), func(c string) bool { return !slices.Contains(largest, c) })
	testkit.Equal(t, len(r90), 90, "classes in both parts")
	testkit.Equal(t, len(r52), 52, "classes in both parts")
	testkit.EqualSlices(t, r8, strings.Fields("acq crude earn grain interest money-fx ship trade"), "R8")
	for name, c := range map[string]struct {
		opt                   Options
		train, test, unused   int
		trainClass, testClass int
	}{
		"ModApte":           {Options{}, 9603, 3299, 8676, 115, 93},
		"ModApte, labelled": {Options{Labelled: true}, 7775, 3019, 0, 115, 93},
		"R90":               {Options{Labelled: true, Classes: r90}, 7770, 3019, 0, 90, 90},
		"R52":               {Options{SingleLabel: true, Classes: r52}, 6532, 2568, 0, 52, 52},
		"R8":                {Options{SingleLabel: true, Classes: r8}, 5485, 2189, 0, 8, 8},
		"ModLewis":          {Options{ReutersSplit: "modlewis"}, 13625, 6188, 1765, 0, 0},
		"ModHayes":          {Options{ReutersSplit: "modhayes"}, 20856, 722, 0, 0, 0},
	} {
		for _, part := range []struct {
			split              string
			documents, classes int
		}{{"train", c.train, c.trainClass}, {"test", c.test, c.testClass}, {"unused", c.unused, 0}} {
			if part.documents == 0 {
				continue
			}
			opt := c.opt
			opt.Split = part.split
			documents, _, sizes := count(t, opt, dir)
			if documents != part.documents || part.classes != 0 && len(sizes) != part.classes {
				t.Errorf("%s %s: %d documents of %d classes", name, part.split, documents, len(sizes))
			}
		}
	}
}

// An archive, a directory and its files give the same.
func TestReutersInputs(t *testing.T) {
	longAlone(t)
	archive, dir := unpacked(t, "reuters21578.tar.gz")
	files := testkit.Must(filepath.Glob(filepath.Join(dir, "*.sgm")))
	testkit.Equal(testkit.Stop(t), len(files), 22, "files")
	var texts []string
	for _, inputs := range [][]string{{archive}, {dir}, files} {
		s := testkit.Must(Read(t.Context(), inputs, Options{}))
		number := 0
		for d := range testkit.All(s.Documents()) {
			number++
			_, place, _ := strings.Cut(d.Source.String(), "reut2-")
			text := strings.Join(append(d.Labels, d.ID, place, string(d.Text)), "\n")
			if len(inputs) == 1 && inputs[0] == archive {
				texts = append(texts, text)
			} else if text != texts[number-1] {
				t.Fatalf("%s: %s, want %s", inputs[0], text, texts[number-1])
			}
			testkit.Equal(testkit.Stop(t), d.ID, strconv.Itoa(number), inputs[0], "document", number, "has the id")
		}
		if sum := s.Summary(); number != 21578 || sum.Encodings["latin-1"] != 1 {
			t.Errorf("%s: %d documents, %+v", inputs[0], number, sum)
		}
	}
}

func TestCommonClasses(t *testing.T) {
	root := plant(t, "train/a/1", "train/b/1", "train/c/1", "test/c/2", "test/b/2", "test/d/2")
	testkit.EqualSlices(t, common(t, Options{Classes: []string{"a"}}, root), []string{"b", "c"})
	if got := common(t, Options{}, plant(t, "train/a/1", "test/b/2")); got == nil || len(got) != 0 {
		t.Errorf("%#v", got)
	}
	for name, c := range map[string]struct {
		input string
		is    error
		want  string
	}{
		"standard input": {"-", ErrOnce, "- is a pipe; name a file"},
		"no test part":   {plant(t, "train/a/1", "b/1"), ErrEmpty, "nothing for --split test"},
		"no such file":   {"nowhere", os.ErrNotExist, "nowhere"},
	} {
		testkit.Refused(t, testkit.Err(CommonClasses(t.Context(), []string{c.input}, Options{})), c.is, c.want, name)
	}
}
