package reader

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

const (
	bookContainer = `<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
	openText      = "application/vnd.oasis.opendocument.text"
)

// wordOf returns a document of Word with paragraphs.
func wordOf(t testing.TB, body string, more ...member) string {
	return string(zipOf(t, append([]member{
		{name: "[Content_Types].xml", body: "<Types/>"},
		{name: "word/document.xml", body: `<?xml version="1.0"?><w:document><w:body>` + body + `</w:body></w:document>`},
	}, more...)...))
}

// openOf returns a document of OpenDocument.
func openOf(t testing.TB, kind, manifest, body string) string {
	return string(zipOf(t, member{name: "mimetype", body: kind}, member{name: "META-INF/manifest.xml", body: manifest},
		member{name: "content.xml", body: "<office:document-content><office:body><office:text>" + body + "</office:text></office:body></office:document-content>"}))
}

// bookOf returns a book of chapters by their names in the archive, and of an index.
func bookOf(t testing.TB, index string, chapters ...member) string {
	return string(zipOf(t, append([]member{
		{name: "mimetype", body: "application/epub+zip"},
		{name: "META-INF/container.xml", body: bookContainer},
		{name: "OPS/book.opf", body: "<package><manifest>" + index + "</spine></package>"},
	}, chapters...)...))
}

const (
	twoChapters = `<item id="b" href="../Text%202/b&amp;c.xhtml"/><item id="a" href="a.xhtml"/><item id="i" media-type="image/png" href="i.png"/>
		</manifest><spine><itemref idref="a"/><itemref idref="i"/><itemref idref="none"/><itemref idref="b"/><itemref idref="a"/>`
	paragraph = "<w:p><w:r><w:t>words</w:t></w:r></w:p>"
)

func page(body string) string {
	return "<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>no title</title></head>\n<body>" + body + "</body></html>"
}

// The text of a document is what a person sees, wherever the document is.
func TestOfficeText(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"words.docx": {
			wordOf(t, paragraph+`<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t xml:space="preserve">a &amp;  b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:br/><w:t/><w:t>e</w:t></w:r></w:p>`),
			"words\na & b c-d\ne\n",
		},
		"changes.DOCX": {
			wordOf(t, `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>`),
			"new\n",
		},
		"boxes.docx": {
			wordOf(t, `<w:p><w:r><w:t>at</w:t></w:r><mc:AlternateContent><mc:Choice>`+paragraph+`</mc:Choice><mc:Fallback>`+paragraph+`</mc:Fallback></mc:AlternateContent><w:r><w:t>end</w:t></w:r></w:p><w:tbl><w:tc>`+paragraph+`</w:tc><w:tc>`+paragraph+`</w:tc></w:tbl>`),
			"at\nwords\nend\nwords\nwords\n",
		},
		"notes.docx": {wordOf(t, paragraph, member{name: "word/endnotes.xml", body: "<w:p><w:t>end</w:t></w:p>"}, member{name: "word/footnotes.xml", body: "<w:p><w:t>foot</w:t></w:p>"},
			member{name: "word/header1.xml", body: paragraph}, member{name: "word/comments.xml", body: paragraph}), "words\nfoot\nend\n"},
		"another name.docx": {
			string(zipOf(t, member{name: `word\document2.xml`, body: paragraph}, member{name: "_rels/.rels", body: `<Relationship Type="x/officeDocument" Target="/word/document2.xml"/>`})),
			"words\n",
		},
		"UTF-16.docx": {string(zipOf(t, member{name: "word/document.xml", body: "\xff\xfe" + strings.Join(strings.Split(paragraph, ""), "\x00") + "\x00"})), "words\n"},
		"a.odt": {
			openOf(t, openText, "", `<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Head</text:h><text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d
			e<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>foot</text:p></text:note-body></text:note><office:annotation><text:p>no</text:p></office:annotation></text:p>`),
			"Head\na b c\nd e\nfoot\n",
		},
		"a.epub": {
			bookOf(t, twoChapters, member{name: "Text 2/b&c.xhtml", body: page("<p>Gr&uuml;&#223;e</p>")},
				member{name: "OPS/a.xhtml", body: page("<h1>One</h1><p>It was\n the <i>best</i><a role='doc-noteref'>1</a> <s>of</s>\ttimes<br>and <ruby>漢<rt>kan</rt></ruby><!-- <p>no</p> --></p><table><td>a</td><td>b</td></table><script>if (a<b) no()</script><p>1 < 2</p>")}),
			"One\nIt was the best of times\nand 漢\na\nb\n1 2\nGrüße\n",
		},
		"plain.docx": {"no zip", "no zip"},
	} {
		files := map[string]string{"n/x/" + name: c.data, "n/y/b.txt": c.want}
		inputs := []string{directoryOf(t, files), writeFile(t, archive(t, membersOf(files)...)), writeFile(t, zipOf(t, membersOf(files)...))}
		if strings.HasPrefix(c.data, "PK") {
			inputs = append(inputs, testkit.Write(filepath.Join(t.TempDir(), name), c.data))
		}
		for _, input := range inputs {
			var got []string
			s := testkit.Must(Read(t.Context(), []string{input}, Options{Unlabelled: true, Charset: "koi8-r"})) // of other texts
			for d := range testkit.All(s.Documents()) {
				got = append(got, string(d.Text))
			}
			testkit.Equal(t, got[0], c.want, name, input)
		}
	}
}

// What is wrong in a document is an error that names the file and says what to do, and takes little memory.
func TestHostileOffice(t *testing.T) {
	chapter := member{name: "OPS/a.xhtml", body: page("<p>x</p>")}
	word := wordOf(t, paragraph)
	at := strings.LastIndex(word, "PK\x01\x02") + len("PK\x01\x02vvvv") // the flags of the text
	locked := word[:at] + string(word[at]|1) + word[at+1:]
	deep := strings.Repeat("<w:p><w:t a='1'>", 1<<18)
	for name, c := range map[string]struct{ file, data, want string }{
		"cut":            {"a.docx", word[:len(word)-9], "the .docx is broken: zip: not a valid zip file; it may be damaged"},
		"no text":        {"a.docx", string(zipOf(t, member{name: "x", body: "x"})), `the .docx is broken: it has no part "word/document.xml"; it may be damaged`},
		"a table":        {"a.docx", string(zipOf(t, member{name: "[Content_Types].xml"}, member{name: "xl/workbook.xml"})), "of the kind Excel, which is not read; save it as CSV"},
		"a book":         {"a.docx", bookOf(t, twoChapters, chapter), "of the kind EPUB, which is not read; call it .epub"},
		"Pages":          {"a.docx", string(zipOf(t, member{name: "Index/Document.iwa"})), "of the kind Pages, which is not read; save it as .docx"},
		"sheet":          {"a.odt", openOf(t, "application/vnd.oasis.opendocument.spreadsheet", "", ""), "of the kind OpenDocument, which is not read; call a text .odt; save anything else as"},
		"encrypted":      {"a.odt", openOf(t, openText, "<manifest:encryption-data/>", ""), "the document is encrypted; save it without a password"},
		"encrypted part": {"a.docx", locked, "the member is encrypted; unpack the archive with its password"},
		"a sold book": {
			"a.epub", bookOf(t, twoChapters, chapter, member{name: "META-INF/encryption.xml", body: `<enc:CipherReference URI="OPS/a.xhtml"/>`}),
			"the document is encrypted; save it without a password or copy protection",
		},
		"no spine":        {"a.epub", bookOf(t, "</manifest>", chapter), "the .epub is broken: it names no chapters"},
		"no index":        {"a.epub", string(zipOf(t, member{name: "META-INF/container.xml"})), `it has no part ""`},
		"a chapter fails": {"a.epub", bookOf(t, twoChapters, chapter), `it has no part "Text 2/b&c.xhtml"`},
		"leads out":       {"a.epub", bookOf(t, `<item id="a" href="../../../a"/><itemref idref="a"/>`, chapter), `it has no part "../../a"`},
		"odd escape":      {"a.epub", bookOf(t, `<item id="a" href="%zz"/><itemref idref="a"/>`, chapter), "the .epub is broken: invalid URL escape"},
		"a large part":    {"a.docx", wordOf(t, strings.Repeat(" ", 9<<20)), "the document has more than 8388608 bytes; raise the limit with --max-document"},
		"large together":  {"a.epub", bookOf(t, strings.ReplaceAll(twoChapters, "../Text%202/b&amp;c", "b"), member{name: "OPS/a.xhtml", body: strings.Repeat(" ", 5<<20)}, member{name: "OPS/b.xhtml", body: strings.Repeat(" ", 5<<20)}), "--max-document"},
		"nested deep":     {"a.docx", wordOf(t, deep, member{name: "word/footnotes.xml", body: strings.Repeat("x", 9<<20)}), "--max-document"},
		"a bomb":          {"a.docx", wordOf(t, strings.Repeat(" ", 7<<20)), "raise the limit with --max-expansion"},
	} {
		copies := 1
		if name == "a bomb" {
			copies = 10
		}
		files := map[string]string{}
		for i := range copies {
			files[fmt.Sprint("n/x/", i, c.file)] = c.data
		}
		inputs := []string{directoryOf(t, files), writeFile(t, zipOf(t, membersOf(files)...))}
		if copies == 1 {
			inputs = append(inputs, testkit.Write(filepath.Join(t.TempDir(), c.file), c.data))
		}
		for _, input := range inputs {
			opt := Options{Unlabelled: true, MaxDocument: 8 << 20, MaxExpansion: int64(2000 / copies)}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := ids(t, opt, input)
			runtime.ReadMemStats(&after)
			testkit.Refused(t, err, ErrBadInput, c.want, name)
			testkit.Says(t, err, c.file, name)
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 512<<20 {
				t.Errorf("%s: %d MB allocated", name, allocated>>20)
			}
			opt.SkipBad = true
			_, sum, err := ids(t, opt, input)
			if skipped := len(sum.Problems) > 0; skipped == (name == "a bomb") {
				t.Errorf("%s, skipped: %+v, %v", name, sum.Problems, err)
			}
		}
	}
}

// Every cut of a document, and every byte that is another, is read or refused, without a crash.
func TestFlippedOffice(t *testing.T) {
	for name, data := range map[string]string{
		"a.docx": wordOf(t, paragraph, member{name: "_rels/.rels", body: `<Relationship Type="x/officeDocument" Target="word/document.xml"/>`}),
		"a.odt":  openOf(t, openText, "<manifest/>", "<text:p>words</text:p>"),
		"a.epub": bookOf(t, `<item id="a" href="a"/><itemref idref="a"/>`, member{name: "OPS/a", body: "<p>words</p>"}),
	} {
		read := func(data []byte) ([]string, error) {
			p := newParser(t, Options{})
			p.meter.limit = 1000
			text, err := p.expanded(document.Position{File: name}, data)
			return strings.Fields(string(text)), err
		}
		testkit.EqualSlices(t, testkit.Must(read([]byte(data))), []string{"words"}, name)
		for at := range data {
			if at >= len("PK\x03\x04") {
				testkit.Is(testkit.Stop(t), testkit.Err(read([]byte(data[:at]))), ErrBadInput, name, "cut at", at)
			}
			for _, bit := range []byte{1, 0x80} {
				flipped := bytes.Clone([]byte(data))
				flipped[at] ^= bit
				if _, err := read(flipped); err != nil {
					testkit.Is(testkit.Stop(t), err, ErrBadInput, name, "flipped", at)
				}
			}
		}
	}
}
