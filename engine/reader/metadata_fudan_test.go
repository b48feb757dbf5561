package reader

import (
	"bytes"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// stripped reads a document of a tree.
func stripped(t testing.TB, text, choice string) (string, []string) {
	t.Helper()
	opt := Options{StripMetadata: choice, Stdin: bytes.NewReader(archive(t, member{name: "a/1", body: text}))}
	s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
	var got string
	for d := range testkit.All(s.Documents()) {
		got = string(d.Text)
	}
	return got, s.Summary().Notes
}

func TestStripMetadata(t *testing.T) {
	const (
		number = "【 文献号 】1-2340\r\n"
		class  = "【分 类 名】出版工作\r\n"
		main   = "【 正  文 】"
		dates  = "【 日  期 】19960101\r\n【 版  号 】1\r\n"
	)
	for name, c := range map[string]struct{ text, auto, on string }{
		"in the layout":         {number + class + main + "\r\n    text\r\n", "\r\n    text\r\n", "\r\n    text\r\n"},
		"LF":                    {"【文献号】1\n【正文】\ntext", "\ntext", "\ntext"},
		"wide spaces":           {"【　文献号　】1\n【　正　文　】\ntext", "\ntext", "\ntext"},
		"date first":            {dates + main + "text", "text", "text"},
		"values in two lines":   {number + "【 标  题 】a\r\n    ——b\r\n" + main + "\r\ntext", "\r\ntext", "\r\ntext"},
		"nothing behind":        {number + main, "", ""},
		"other brackets behind": {number + main + "\r\n  【摘  要】a\r\n", "\r\n  【摘  要】a\r\n", "\r\n  【摘  要】a\r\n"},
		"a class behind": {
			number + main + "\r\n    【中图分类号】F116  【文献标识码】A\r\n    【分类号】 D\r\n    text", "    text", "    text",
		},
		"a class alone behind":  {number + main + "【中图分类号】F116", "", ""},
		"no main text":          {number + class + "text", number + class + "text", "text"},
		"no text":               {number + class, number + class, ""},
		"other field first":     {class + number + main + "text", class + number + main + "text", "text"},
		"main text in a line":   {number + "text " + main + "more", number + "text " + main + "more", "text " + main + "more"},
		"other brackets":        {"【新华社巴黎11月13日电】法国", "【新华社巴黎11月13日电】法国", "【新华社巴黎11月13日电】法国"},
		"not at the beginning":  {" " + number + main + "text", " " + number + main + "text", " " + number + main + "text"},
		"bracket without end":   {"【文献号 1\n【正文】text", "【文献号 1\n【正文】text", "【文献号 1\n【正文】text"},
		"bracket":               {"【", "【", "【"},
		"very long before main": {number + strings.Repeat("x\n", longestMetadata) + main + "t", number + strings.Repeat("x\n", longestMetadata) + main + "t", strings.Repeat("x\n", longestMetadata) + main + "t"},
		"English":               {"From: a\n\ntext", "From: a\n\ntext", "From: a\n\ntext"},
	} {
		for choice, want := range map[string]string{"": c.auto, "auto": c.auto, "on": c.on, "off": c.text} {
			got, notes := stripped(t, c.text, choice)
			testkit.Equal(t, got, want, name, choice)
			testkit.Equal(t, len(notes) == 1 && strings.HasPrefix(notes[0], "1 documents lost their metadata lines"),
				want != c.text, name, choice, notes)
		}
	}
}

// The corpus in GBK is in the layout as well.
func TestStripMetadataInGBK(t *testing.T) {
	if got, _ := stripped(t, inGB("【 文献号 】1-2340\r\n【 正  文 】\r\n    图书评论"), ""); got != "\r\n    图书评论" {
		t.Errorf("%q", got)
	}
}

// Of the 19,636 documents 9,880 are in the layout. Eight more begin with
// metadata lines and have no main text of its own.
func TestMetadataOfFudan(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: it reads 280 MB three times")
	}
	file := testkit.Corpus(t, "fudan-corpus.tar.zst")
	for choice, want := range map[string]int{"auto": 9880, "on": 9888, "off": 0} {
		s := testkit.Must(Read(t.Context(), []string{file}, Options{StripMetadata: choice}))
		documents, empty, named := 0, 0, 0
		for d := range testkit.All(s.Documents()) {
			documents++
			begin := string(bytes.TrimSpace(d.Text))
			begin, _, _ = strings.Cut(begin[:min(len(begin), 40)], "】")
			begin = strings.Join(strings.Fields(begin), "")
			if strings.HasPrefix(begin, "【") && (strings.HasSuffix(begin, "分类号") || strings.HasSuffix(begin, "分类名")) || begin == "【文献号" {
				named++
			}
			if len(bytes.TrimSpace(d.Text)) == 0 {
				empty++
			}
		}
		t.Logf("%s: %d documents, %d empty, %d begin with a class", choice, documents, empty, named)
		testkit.Equal(t, documents, 19636, choice, "documents, of")
		testkit.Equal(t, s.total.stripped, want, choice, "documents, of")
		testkit.Equal(t, named, map[string]int{"auto": 8, "on": 0, "off": 9231}[choice], choice)
	}
}

func TestMetadataOfNewsgroups(t *testing.T) {
	longAlone(t)
	s := testkit.Must(Read(t.Context(), []string{testkit.Corpus(t, "20news-bydate.tar.gz")}, Options{StripMetadata: "on"}))
	for range testkit.All(s.Documents()) {
	}
	testkit.Equal(t, s.total.documents, 18846)
	testkit.Equal(t, s.total.stripped, 0)
}

func FuzzMetadata(f *testing.F) {
	for _, text := range []string{"【文献号】1\n【正文】\n【分类号】F\ntext", "【 日  期 】1\r\n【 正  文 】", "【标题】x\ny", "【【】】"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, choice := range []string{"auto", "on", "off"} {
			p := &parser{s: &Source{opt: Options{StripMetadata: choice}}}
			got := string(p.withoutMetadata([]byte(text)))
			if !strings.HasSuffix(text, got) || (got != text) != (p.tally.stripped == 1) {
				t.Fatalf("%s: %q, %d", choice, got, p.tally.stripped)
			}
			if choice == "off" && got != text {
				t.Fatalf("%q", got)
			}
		}
	})
}
