package charset

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// inGB encodes a text.
func inGB(text string) string {
	return testkit.Must(simplifiedchinese.GB18030.NewEncoder().String(text))
}

func TestAutoCharset(t *testing.T) {
	for name, c := range map[string]struct{ text, encoding, want string }{
		"empty":                    {"", ASCII, ""},
		"ASCII":                    {"tea\x00\x7f", ASCII, "tea\x00\x7f"},
		"long ASCII":               {strings.Repeat("tea ", 99), ASCII, strings.Repeat("tea ", 99)},
		"UTF-8":                    {"café", UTF8, "café"},
		"UTF-8 with its mark":      {"\ufefftea", UTF8, "tea"},
		"the mark decides":         {"\ufeffcaf\xe9", UTF8, "caf\xe9"},
		"UTF-8 with NUL":           {"中\x00文", UTF8, "中\x00文"},
		"UTF-8, cut":               {"中文\xe6\x96", UTF8, "中文\xe6\x96"},
		"UTF-8, one bad byte":      {"中文中文中文\xff中文中文", UTF8, "中文中文中文\xff中文中文"},
		"French UTF-8, a byte bad": {strings.Repeat("été ", 9) + "\xff", UTF8, strings.Repeat("été ", 9) + "\xff"},
		"GBK, nearly UTF-8":        {strings.Repeat("\xba\xc3", 9), GB18030, strings.Repeat("好", 9)},
		"astral UTF-8":             {"𠀀😀", UTF8, "𠀀😀"},
		"UTF-16, little end":       {"\xff\xfe\x2d\x4e\x87\x65", markedUTF16, "中文"},
		"UTF-16, big end":          {"\xfe\xff\x4e\x2d\x65\x87", markedUTF16, "中文"},
		"UTF-16, astral":           {"\xff\xfe\x40\xd8\x00\xdc", markedUTF16, "𠀀"},
		"UTF-16, lone surrogate":   {"\xff\xfe\x40\xd8a\x00", markedUTF16, "\ufffda"},
		"UTF-16, odd":              {"\xff\xfea\x00b", markedUTF16, "a\ufffd"},
		"French":                   {"cr\xe9\xe9e, le gar\xe7on a \xe9t\xe9 \xe0 No\xebl", Latin1, "créée, le garçon a été à Noël"},
		"French, one pair":         {"cr\xe9\xe9e", Latin1, "créée"},
		"German":                   {"gr\xf6\xdfer f\xfcr \xdcbung", Latin1, "größer für Übung"},
		"German, one pair":         {"gr\xf6\xdfer", Latin1, "größer"},
		"Spanish":                  {"\xbfqu\xe9? ma\xf1ana, coraz\xf3n \xa1s\xed!", Latin1, "¿qué? mañana, corazón ¡sí!"},
		"Swedish":                  {"\xe5\xe4\xf6 \xc5\xc4\xd6", Latin1, "åäö ÅÄÖ"},
		"a letter at the end":      {"caf\xe9", Latin1, "café"},
		"lines of MS-DOS":          {"\xda\xc4\xc4\xc4\xc4\xc4\xc4\xbf", Latin1, "ÚÄÄÄÄÄÄ¿"},
		"Latin-1 and NUL":          {"\xe9\x00", Latin1, "é\x00"},
		"0xFF":                     {"\xd6\xd0\xce\xc4\xff", Latin1, "ÖÐÎÄÿ"},
		"GBK":                      {"\xd6\xd0\xce\xc4", GB18030, "中文"},
		"one character of GBK":     {"\xd6\xd0", Latin1, "ÖÐ"},
		"GBK among ASCII":          {"x \xd6\xd0\xce\xc4 y \xba\xc3", GB18030, "x 中文 y 好"},
		"GBK and NUL":              {"\xd6\xd0\x00\xce\xc4\xba\xc3", GB18030, "中\x00文好"},
		"GBK, a pair cut":          {"\xd6\xd0\xce\xc4\xba", GB18030, "中文\ufffd"},
		"four bytes, cut":          {"\xd6\xd0\xce\xc4\x95\x32\x82", GB18030, "中文\ufffd2\ufffd"},
		"four bytes":               {"\xd6\xd0\xce\xc4\x95\x32\x82\x36", GB18030, "中文𠀀"},
		"Euro sign of CP936":       {"\xd6\xd0\xce\xc4\x80", GB18030, "中文€"},
		"punctuation and forms":    {"\xa3\xa8\xd6\xd0\xce\xc4\xa3\xa9\xa1\xa3\xa3\xc1\xa3\xb1", GB18030, "（中文）。Ａ１"},
		"signs alone":              {"\xa1\xa3\xa1\xa3", Latin1, "¡£¡£"},
		"private use, not known":   {"\xd6\xd0\xce\xc4\xaa\xa1", GB18030, "中文\ufffd"},
		"GBK beyond GB2312":        {"\x81\x40\x81\x41", Latin1, "\u0081@\u0081A"},
		"GBK, then UTF-8":          {"\xd6\xd0\xce\xc4中文中文", Latin1, "ÖÐÎÄä\u00b8\u00adæ–‡ä\u00b8\u00adæ–‡"},
		"UTF-8, a little GBK":      {strings.Repeat("中文", 20) + "\xd6\xd0", UTF8, strings.Repeat("中文", 20) + "\xd6\xd0"},
		"GBK with an invalid end":  {"\xd6\xd0\xce\xc4\xba ", Latin1, "ÖÐÎÄº "},
	} {
		d := Decoder{Charset: "auto"}
		got, encoding := d.Decode([]byte(c.text))
		testkit.Equal(t, encoding, c.encoding, name, got)
		testkit.Equal(t, string(got), c.want, name, got)
	}
}

// What is malformed in a charset that the user names is no error.
func TestForcedCharset(t *testing.T) {
	for name, c := range map[string]struct{ charset, text, want string }{
		"GBK, a pair cut":     {"gb18030", "\xd6\xd0\xce", "中\ufffd"},
		"a lead, then ASCII":  {"gb18030", "\xd6 x", "\ufffd x"},
		"a byte of its own":   {"gb18030", "\xffx\xff\xff", "\ufffdx\ufffd\ufffd"},
		"four bytes, cut":     {"gb18030", "\x81\x30\x81", "\ufffd0\ufffd"},
		"unassigned":          {"gb18030", "\xfe\x30\x81\x30", "\ufffd0\ufffd0"},
		"UTF-8 as GBK":        {"gb18030", "中文", "涓\ufffd枃"},
		"NUL":                 {"gb18030", "\xd6\xd0\x00", "中\x00"},
		"ASCII":               {"gb18030", "tea", "tea"},
		"gbk":                 {"gbk", "\xd6\xd0", "中"},
		"gb2312":              {"gb2312", "\xd6\xd0", "中"},
		"GBK as UTF-8":        {"utf-8", "\xd6\xd0", "\xd6\xd0"},
		"UTF-8 with its mark": {"utf-8", "\ufeffx", "x"},
		"GBK as Latin-1":      {"latin-1", "\xd6\xd0", "ÖÐ"},
		"UTF-16 as Latin-1":   {"latin-1", "\xff\xfex\x00", "ÿþx\x00"},
	} {
		d := Decoder{Charset: named(c.charset)}
		for range 2 { // the buffer is used again
			got, encoding := d.Decode([]byte(c.text))
			testkit.Equal(t, string(got), c.want, name, got)
			testkit.Equal(t, encoding, named(c.charset), name, got)
		}
	}
}

// fudan yields the documents of the Fudan corpus as they are.
func fudan(t testing.TB) func(yield func(name string, text []byte) bool) {
	t.Helper()
	file := testkit.Must(os.Open(testkit.Corpus(t, "fudan-corpus.tar.zst")))
	z := testkit.Must(zstd.NewReader(file, zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderConcurrency(1)))
	return func(yield func(string, []byte) bool) {
		defer file.Close()
		defer z.Close()
		archive := tar.NewReader(z)
		for {
			h, err := archive.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			testkit.OK(err)
			text := testkit.Must(io.ReadAll(archive))
			if h.Typeflag == tar.TypeReg && !yield(h.Name, text) {
				return
			}
		}
	}
}

// Documents in Chinese are found out whole and cut anywhere.
func TestGuessFudanInGB(t *testing.T) {
	guessed := 0
	for name, text := range fudan(t) {
		if guessed == 500 {
			break
		}
		if slices.IndexFunc(text, func(c byte) bool { return c >= utf8.RuneSelf }) < 0 {
			continue
		}
		guessed++
		encoded := []byte(inGB(string(text)))
		d := Decoder{Charset: "auto"}
		utf, encoding := d.Decode(encoded)
		testkit.Equal(t, encoding, GB18030, name, "is read as")
		testkit.EqualSlices(t, utf, text, name, "is read as", encoding)
		testkit.Equal(t, Guess(encoded[:min(len(encoded), 300+guessed)]), GB18030, name, "the first",
			"bytes are taken for")
	}
	testkit.Equal(t, guessed, 500)
}

func TestASCIILength(t *testing.T) {
	for n := range 70 {
		text := []byte(strings.Repeat("x", n) + "\x80" + strings.Repeat("x", 40))
		if got := ASCIILength(text); got != n || ASCIILength(text[:n]) != n {
			t.Errorf("%d: %d and %d", n, got, ASCIILength(text[:n]))
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{"caf\xe9", "\xd6\xd0\xce\xc4\xba", "\xff\xfe\x2d\x4e\x40\xd8", "中文\xe6\x96", "\x95\x32\x82\x36\x81\x30", "\ufeffx\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, charset := range Names() {
			d := Decoder{Charset: named(charset)}
			got, encoding := d.Decode([]byte(text))
			if encoding != UTF8 && !utf8.Valid(got) {
				t.Fatalf("%s: %q is not UTF-8", encoding, got)
			}
			if len(got) > 3*len(text) {
				t.Fatalf("%s: %d bytes from %d", encoding, len(got), len(text))
			}
			if charset == "auto" && encoding == ASCII && string(got) != text {
				t.Fatalf("ASCII became %q", got)
			}
		}
	})
}

// Labels of WHATWG's standard, and what comes near them, mean one charset.
func TestParseCharset(t *testing.T) {
	for label, want := range map[string]string{
		"": "auto", "AUTO": "auto", "utf8": "utf-8", "UTF-8": "utf-8", "latin-1": "latin-1", "latin1": "latin-1", "ISO-8859-1": "latin-1", "iso_8859_1": "latin-1",
		"windows-1252": "latin-1", "cp1252": "latin-1", "ascii": "latin-1", "gbk": "gb18030", "gb2312": "gb18030", "GB18030": "gb18030", "Shift_JIS": "shift_jis", "sjis": "shift_jis",
		"shift-jis": "shift_jis", " koi8-r ": "koi8-r", "koi8_r": "koi8-r", "cp1251": "windows-1251", "utf-16": "utf-16le", "utf-16le": "utf-16le", "mac": "macintosh",
		"cp866": "ibm866", "iso-8859-9": "windows-1254", "latin-2": "iso-8859-2", "euc_kr": "euc-kr", "ks_c_5601-1987": "euc-kr", "big5-hkscs": "big5",
	} {
		if got, err := Parse(label); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", label, got, err, want)
		}
	}
	for _, name := range Names() {
		if got, err := Parse(name); got != name || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for label, want := range map[string]string{"windows-1521": "did you mean windows-1251", "ebcdic": "Known: auto utf-8 latin-1", "replacement": "unknown", "x-user-defined": "unknown", "hz-gb-2312": "unknown"} {
		_, err := Parse(label)
		testkit.Refused(t, err, usage.ErrUsage, want, label)
	}
}

// named returns the name of a charset.
func named(label string) string { return testkit.Must(Parse(label)) }
