package reader

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/termsift/termsift/bench/corpora"
	"github.com/termsift/termsift/engine/usage"
)

// inGB encodes a text.
func inGB(t testing.TB, text string) string {
	t.Helper()
	encoded, err := simplifiedchinese.GB18030.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestAutoCharset(t *testing.T) {
	for name, c := range map[string]struct{ text, encoding, want string }{
		"empty":                    {"", inASCII, ""},
		"ASCII":                    {"tea\x00\x7f", inASCII, "tea\x00\x7f"},
		"long ASCII":               {strings.Repeat("tea ", 99), inASCII, strings.Repeat("tea ", 99)},
		"UTF-8":                    {"café", inUTF8, "café"},
		"UTF-8 with its mark":      {"\ufefftea", inUTF8, "tea"},
		"the mark decides":         {"\ufeffcaf\xe9", inUTF8, "caf\xe9"},
		"UTF-8 with NUL":           {"中\x00文", inUTF8, "中\x00文"},
		"UTF-8, cut":               {"中文\xe6\x96", inUTF8, "中文\xe6\x96"},
		"UTF-8, one bad byte":      {"中文中文中文\xff中文中文", inUTF8, "中文中文中文\xff中文中文"},
		"French UTF-8, a byte bad": {strings.Repeat("été ", 9) + "\xff", inUTF8, strings.Repeat("été ", 9) + "\xff"},
		"GBK, nearly UTF-8":        {strings.Repeat("\xba\xc3", 9), inGB18030, strings.Repeat("好", 9)},
		"astral UTF-8":             {"𠀀😀", inUTF8, "𠀀😀"},
		"UTF-16, little end":       {"\xff\xfe\x2d\x4e\x87\x65", inUTF16, "中文"},
		"UTF-16, big end":          {"\xfe\xff\x4e\x2d\x65\x87", inUTF16, "中文"},
		"UTF-16, astral":           {"\xff\xfe\x40\xd8\x00\xdc", inUTF16, "𠀀"},
		"UTF-16, lone surrogate":   {"\xff\xfe\x40\xd8a\x00", inUTF16, "\ufffda"},
		"UTF-16, odd":              {"\xff\xfea\x00b", inUTF16, "a\ufffd"},
		"French":                   {"cr\xe9\xe9e, le gar\xe7on a \xe9t\xe9 \xe0 No\xebl", inLatin1, "créée, le garçon a été à Noël"},
		"French, one pair":         {"cr\xe9\xe9e", inLatin1, "créée"},
		"German":                   {"gr\xf6\xdfer f\xfcr \xdcbung", inLatin1, "größer für Übung"},
		"German, one pair":         {"gr\xf6\xdfer", inLatin1, "größer"},
		"Spanish":                  {"\xbfqu\xe9? ma\xf1ana, coraz\xf3n \xa1s\xed!", inLatin1, "¿qué? mañana, corazón ¡sí!"},
		"Swedish":                  {"\xe5\xe4\xf6 \xc5\xc4\xd6", inLatin1, "åäö ÅÄÖ"},
		"a letter at the end":      {"caf\xe9", inLatin1, "café"},
		"lines of MS-DOS":          {"\xda\xc4\xc4\xc4\xc4\xc4\xc4\xbf", inLatin1, "ÚÄÄÄÄÄÄ¿"},
		"Latin-1 and NUL":          {"\xe9\x00", inLatin1, "é\x00"},
		"0xFF":                     {"\xd6\xd0\xce\xc4\xff", inLatin1, "ÖÐÎÄÿ"},
		"GBK":                      {"\xd6\xd0\xce\xc4", inGB18030, "中文"},
		"one character of GBK":     {"\xd6\xd0", inLatin1, "ÖÐ"},
		"GBK among ASCII":          {"x \xd6\xd0\xce\xc4 y \xba\xc3", inGB18030, "x 中文 y 好"},
		"GBK and NUL":              {"\xd6\xd0\x00\xce\xc4\xba\xc3", inGB18030, "中\x00文好"},
		"GBK, a pair cut":          {"\xd6\xd0\xce\xc4\xba", inGB18030, "中文\ufffd"},
		"four bytes, cut":          {"\xd6\xd0\xce\xc4\x95\x32\x82", inGB18030, "中文\ufffd2\ufffd"},
		"four bytes":               {"\xd6\xd0\xce\xc4\x95\x32\x82\x36", inGB18030, "中文𠀀"},
		"Euro sign of CP936":       {"\xd6\xd0\xce\xc4\x80", inGB18030, "中文€"},
		"punctuation and forms":    {"\xa3\xa8\xd6\xd0\xce\xc4\xa3\xa9\xa1\xa3\xa3\xc1\xa3\xb1", inGB18030, "（中文）。Ａ１"},
		"signs alone":              {"\xa1\xa3\xa1\xa3", inLatin1, "¡£¡£"},
		"private use, not known":   {"\xd6\xd0\xce\xc4\xaa\xa1", inGB18030, "中文\ufffd"},
		"GBK beyond GB2312":        {"\x81\x40\x81\x41", inLatin1, "\u0081@\u0081A"},
		"GBK, then UTF-8":          {"\xd6\xd0\xce\xc4中文中文", inLatin1, "ÖÐÎÄä\u00b8\u00adæ–‡ä\u00b8\u00adæ–‡"},
		"UTF-8, a little GBK":      {strings.Repeat("中文", 20) + "\xd6\xd0", inUTF8, strings.Repeat("中文", 20) + "\xd6\xd0"},
		"GBK with an invalid end":  {"\xd6\xd0\xce\xc4\xba ", inLatin1, "ÖÐÎÄº "},
	} {
		d := decoder{charset: "auto"}
		got, encoding, err := d.decode([]byte(c.text))
		if err != nil || encoding != c.encoding || string(got) != c.want {
			t.Errorf("%s: %s %q, %v, want %s %q", name, encoding, got, err, c.encoding, c.want)
		}
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
		d := decoder{charset: named(t, c.charset)}
		for range 2 { // the buffer is used again
			got, encoding, err := d.decode([]byte(c.text))
			if err != nil || string(got) != c.want || encoding != named(t, c.charset) {
				t.Errorf("%s: %s %q, %v", name, encoding, got, err)
			}
		}
	}
}

func TestCharsetsAreTaken(t *testing.T) {
	for _, charset := range Charsets() {
		body := "tea"
		if e := encodingOfName(charset); e != nil {
			body, _ = e.NewEncoder().String(body)
		}
		docs, err := collect(t, string(archive(t, member{name: "a/1", body: body})), Options{Charset: charset})
		if err != nil || len(docs) != 1 || string(docs[0].Text) != "tea" {
			t.Errorf("%s: %v", charset, err)
		}
	}
}

// The 73 posts that are not UTF-8 are in Latin-1, or in no charset at all.
func TestCharsetsOfNewsgroups(t *testing.T) {
	longAlone(t)
	_, sum, err := ids(t, Options{}, corpora.Path(t, "20news-bydate.tar.gz"))
	if err != nil || sum.Encodings[inASCII] != 18773 || sum.Encodings[inLatin1] != 73 || len(sum.Encodings) != 2 {
		t.Errorf("%v, %v", sum.Encodings, err)
	}
}

// fudan yields the documents of the Fudan corpus as they are.
func fudan(t testing.TB) func(yield func(name string, text []byte) bool) {
	t.Helper()
	file, err := os.Open(corpora.Path(t, "fudan-corpus.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string, []byte) bool) {
		defer file.Close()
		defer z.Close()
		archive := tar.NewReader(z)
		for {
			h, err := archive.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(archive)
			if err != nil {
				t.Fatal(err)
			}
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
		encoded := []byte(inGB(t, string(text)))
		d := decoder{charset: "auto"}
		utf, encoding, err := d.decode(encoded)
		if encoding != inGB18030 || err != nil || !bytes.Equal(utf, text) {
			t.Errorf("%s is read as %s, %v", name, encoding, err)
		}
		if cut := encoded[:min(len(encoded), 300+guessed)]; guessEncoding(cut) != inGB18030 {
			t.Errorf("%s: the first %d bytes are taken for %s", name, len(cut), guessEncoding(cut))
		}
	}
	if guessed != 500 {
		t.Errorf("%d documents", guessed)
	}
}

func TestASCIILength(t *testing.T) {
	for n := range 70 {
		text := []byte(strings.Repeat("x", n) + "\x80" + strings.Repeat("x", 40))
		if got := asciiLength(text); got != n || asciiLength(text[:n]) != n {
			t.Errorf("%d: %d and %d", n, got, asciiLength(text[:n]))
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{"caf\xe9", "\xd6\xd0\xce\xc4\xba", "\xff\xfe\x2d\x4e\x40\xd8", "中文\xe6\x96", "\x95\x32\x82\x36\x81\x30", "\ufeffx\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, charset := range Charsets() {
			d := decoder{charset: named(t, charset)}
			got, encoding, err := d.decode([]byte(text))
			if err != nil {
				t.Fatalf("%s: %v", charset, err)
			}
			if encoding != inUTF8 && !utf8.Valid(got) {
				t.Fatalf("%s: %q is not UTF-8", encoding, got)
			}
			if len(got) > 3*len(text) {
				t.Fatalf("%s: %d bytes from %d", encoding, len(got), len(text))
			}
			if charset == "auto" && encoding == inASCII && string(got) != text {
				t.Fatalf("ASCII became %q", got)
			}
		}
	})
}

// BenchmarkDecode decodes a text of 12 kB, the median of the Fudan corpus.
func BenchmarkDecode(b *testing.B) {
	chinese := strings.Repeat("图书评论是近代报刊业兴起后，在世界各国得到长足发展的一种新型评论体裁。", 116)
	for _, c := range []struct{ name, charset, text, encoding string }{
		{"set=chinese/from=utf-8", "auto", chinese, inUTF8},
		{"set=chinese/from=gb18030", "auto", inGB(b, chinese), inGB18030},
		{"set=chinese/from=gb18030,named", "gb18030", inGB(b, chinese), inGB18030},
		{"set=english/from=ascii", "auto", strings.Repeat("It was a bright cold day in April. ", 340), inASCII},
		{"set=french/from=latin-1", "auto", strings.Repeat("Le gar\xe7on a \xe9t\xe9 \xe0 la mer. ", 440), inLatin1},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := decoder{charset: c.charset}
			text := []byte(c.text)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, encoding, err := d.decode(text); encoding != c.encoding || err != nil {
					b.Fatalf("%s, %v", encoding, err)
				}
			}
		})
	}
	b.Run("set=chinese/from=utf-8,only-valid", func(b *testing.B) {
		text := []byte(chinese)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if !utf8.Valid(text) {
				b.Fatal("not UTF-8")
			}
		}
	})
}

// named returns the name of a charset.
func named(t testing.TB, label string) string {
	t.Helper()
	name, err := ParseCharset(label)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// encodingOfName returns the encoding of a value of Options.Charset, nil for auto and UTF-8.
func encodingOfName(charset string) encoding.Encoding {
	if charset == "auto" || charset == inUTF8 {
		return nil
	}
	return encodingNamed(charset)
}

// sentences are texts in charsets that nothing but their words tells from Latin-1 or GB18030,
// and texts that are in these.
var sentences = []struct{ charset, text string }{
	{"latin-1", "Le garçon a été à la mer, où l’œuvre était achevée dès l'aube. Ça c'est Noël, n’est-ce pas? «Très bien!»"},
	{"latin-1", "Größere Übungen für Anfänger: die Straße heißt „Müßiggang“, kostet 5 € und ist schön"},
	{"latin-1", "¿Qué mañana? El niño está aquí, ¡sí! Corazón, pingüino, árbol y canción: 3ª edición"},
	{"latin-1", "A açúcar não é só do João; você põe três pães à mesa"},
	{"latin-1", "Ålen åd ærter på øen, så blev den rød og gik i å"},
	{"latin-1", "Äiti söi yön ääressä, ja hääyöaie säästyi. Öljyä älä äyskäröi"},
	{"latin-1", "Það er ekki gott að vera þögull á Íslandi, sagði Ásgeir"},
	{"latin-1", "NAÏVE CAFÉ, RÉSUMÉ AND ÜBER: that isn’t 100 % “right” – 20 °C in São Tomé"},
	{"gb18030", "图书评论是近代报刊业兴起后，在世界各国得到长足发展的一种新型评论体裁。"},
	{"windows-1251", "Съешь ещё этих мягких французских булок, да выпей же чаю"},
	{"koi8-r", "Съешь ещё этих мягких французских булок, да выпей же чаю"},
	{"ibm866", "Съешь ещё этих мягких французских булок, да выпей же чаю"},
	{"iso-8859-5", "Съешь ещё этих мягких французских булок, да выпей же чаю"},
	{"windows-1250", "Zażółć gęślą jaźń, łódź i źródło: książka była święta"},
	{"iso-8859-2", "Zażółć gęślą jaźń, łódź i źródło: książka była święta"},
	{"windows-1253", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και το παιδί"},
	{"iso-8859-7", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και το παιδί"},
	{"windows-1255", "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה"},
	{"windows-1256", "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر"},
	{"windows-874", "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน"},
	{"shift_jis", "いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ。図書館で本を読みます"},
	{"euc-jp", "いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ。図書館で本を読みます"},
	{"euc-kr", "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다"},
	{"big5", "視野無限廣，窗外有藍天。圖書館裡的學生正在讀書，他們都很認真"},
	{"macintosh", "Le garçon a été à la mer, où l’œuvre était achevée dès l'aube"},
}

// What is guessed wrong is doubted, and the charset that it is in is among those that the note
// names; what is guessed right is not doubted.
func TestDoubts(t *testing.T) {
	for _, c := range sentences {
		encoded, err := encodingNamed(c.charset).NewEncoder().String(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.charset, err)
		}
		for name, input := range map[string]string{
			"rows":  string("text,label\n" + strings.ReplaceAll(encoded, ",", " ") + ",a\nok go,b\n"),
			"files": string(archive(t, member{name: "a/1", body: encoded})),
		} {
			file := writeNamed(t, name+".csv", input)
			if name == "files" {
				file = writeFile(t, []byte(input))
			}
			_, sum, err := ids(t, Options{}, file)
			notes := strings.Join(sum.Notes, "\n")
			right := c.charset == inLatin1 || c.charset == inGB18030
			if err != nil || strings.Contains(notes, "most likely not") == right {
				t.Errorf("%s in %s: %v, %s", name, c.charset, err, notes)
			}
			if !right && !strings.Contains(notes, c.charset+" reads") && c.charset != "iso-8859-7" { // of which windows-1253 has the letters
				t.Errorf("%s in %s: %s", name, c.charset, notes)
			}
		}
	}
}

// writeNamed writes a file of this name.
func writeNamed(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// An input is in one charset, which its bytes decide: neither the sizes of reads, nor frames,
// nor threads. The bytes from the first on that is no ASCII are the sample.
func TestInputCharset(t *testing.T) {
	line := `{"text":"` + strings.Repeat("tea ", 20) + `"}` + "\n"
	ascii := func(bytes int) string { return strings.Repeat(line, bytes/len(line)+1)[:bytes] + "\n" }
	var rows strings.Builder
	for range 3000 {
		rows.WriteString("{\"text\":\"cr\xe9\xe9e \xe0 caf\xe9\"}\n")
	}
	french := rows.String()
	chinese := strings.Repeat("{\"text\":\""+inGB(t, "图书评论是近代报刊业兴起后")+"\"}\n", 3000)
	one := func(text string) string { return `{"text":"` + text + `"}` + "\n" }
	for name, c := range map[string]struct{ text, encoding string }{
		"ASCII":                   {ascii(3 * frameBytes), inASCII},
		"late":                    {ascii(len(line)*7000-1) + one("caf\xe9"), inLatin1},
		"at the end of a frame":   {ascii(frameBytes/len(line)*len(line)-1) + french, inLatin1},
		"first é, then Chinese":   {one("caf\xc3\xa9") + chinese, inGB18030},
		"one row, then French":    {one(inGB(t, "中文")) + french, inLatin1},
		"UTF-8 behind the sample": {french + one("中文中文中文"), inLatin1},
		"Latin-1 behind UTF-8":    {strings.Repeat(one("créée à l’été"), 5000) + french, inUTF8},
	} {
		want := ""
		for _, threads := range []int{1, 7} {
			for _, slow := range []bool{false, true} {
				var stdin io.Reader = strings.NewReader(c.text)
				if slow {
					stdin = iotest.HalfReader(stdin)
				}
				s, err := Read(t.Context(), []string{"-"}, Options{Format: JSONL, Stdin: stdin, Threads: threads, SkipBad: true})
				if err != nil {
					t.Fatal(err)
				}
				hash := maphash.Hash{}
				hash.SetSeed(charsetSeed)
				for d, err := range s.Documents() {
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					_, _ = hash.Write(d.Text)
				}
				sum := s.Summary()
				got := fmt.Sprint(sum.Encodings, sum.Notes, sum.Documents, hash.Sum64())
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s, %d threads: %s, want %s", name, threads, got, want)
				}
				for _, e := range []string{inLatin1, inGB18030} { // UTF-8 is not counted in JSON lines
					if (sum.Encodings[e] > 0) != (e == c.encoding) {
						t.Errorf("%s: read as %v", name, sum.Encodings)
					}
				}
			}
		}
	}
}

var charsetSeed = maphash.MakeSeed()

// Labels of WHATWG's standard, and what comes near them, mean one charset.
func TestParseCharset(t *testing.T) {
	for label, want := range map[string]string{
		"": "auto", "AUTO": "auto", "utf8": "utf-8", "UTF-8": "utf-8", "latin-1": "latin-1", "latin1": "latin-1", "ISO-8859-1": "latin-1", "iso_8859_1": "latin-1",
		"windows-1252": "latin-1", "cp1252": "latin-1", "ascii": "latin-1", "gbk": "gb18030", "gb2312": "gb18030", "GB18030": "gb18030", "Shift_JIS": "shift_jis", "sjis": "shift_jis",
		"shift-jis": "shift_jis", " koi8-r ": "koi8-r", "koi8_r": "koi8-r", "cp1251": "windows-1251", "utf-16": "utf-16le", "utf-16le": "utf-16le", "mac": "macintosh",
		"cp866": "ibm866", "iso-8859-9": "windows-1254", "latin-2": "iso-8859-2", "euc_kr": "euc-kr", "ks_c_5601-1987": "euc-kr", "big5-hkscs": "big5",
	} {
		if got, err := ParseCharset(label); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", label, got, err, want)
		}
	}
	for _, name := range Charsets() {
		if got, err := ParseCharset(name); got != name || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for label, want := range map[string]string{"windows-1521": "did you mean windows-1251", "ebcdic": "Known: auto utf-8 latin-1", "replacement": "unknown", "x-user-defined": "unknown", "hz-gb-2312": "unknown"} {
		_, err := ParseCharset(label)
		if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", label, err)
		}
	}
}

// Every format reads every charset, decoded whole or by the text.
func TestCharsetsOfFormats(t *testing.T) {
	for _, charset := range charsets {
		letters := ""
		for _, word := range []string{"слово", "łódź", "λόγος", "שלום", "سلام", "คำ", "日本", "한국", "中文", "été", "šķēle", "maċ", "ŵy", "țară", "việt"} {
			if _, err := encodingNamed(charset).NewEncoder().String(word); err == nil {
				letters = word
				break
			}
		}
		if letters == "" {
			t.Errorf("%s has none of the words", charset)
		}
		for name, c := range map[string]struct{ text, want string }{
			"jsonl": {`{"text":"` + letters + `","label":"` + letters + `"}` + "\n", letters + " " + letters},
			"csv":   {"text,label\n" + letters + "," + letters + "\n", letters + " " + letters},
			"lines": {"one two\n" + letters + "\n", "one two " + letters + " "},
			"lyrl":  {".I 1\n.W\n" + letters + "\n", letters + " "},
			"reuters": {
				`<REUTERS NEWID="1" LEWISSPLIT="TRAIN" TOPICS="YES"><TOPICS><D>` + letters + `</D></TOPICS><TEXT><BODY>` + letters + "</BODY></TEXT></REUTERS>\n",
				letters + " " + letters,
			},
			"svmlight": {letters + " 1:1\n", " " + letters},
		} {
			encoded, err := encodingNamed(charset).NewEncoder().String(c.text)
			if err != nil {
				t.Fatal(err)
			}
			docs, err := collect(t, encoded, Options{Format: Format(name), Charset: charset})
			got := ""
			for _, d := range docs {
				got += string(d.Text) + " " + strings.Join(d.Labels, "|")
			}
			if err != nil || got != c.want {
				t.Errorf("%s in %s: %q, %v, want %q", name, charset, got, err, c.want)
			}
		}
	}
}
