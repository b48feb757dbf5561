package reader

import (
	"fmt"
	"hash/maphash"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/reader/charset"
)

// inGB encodes a text.
func inGB(text string) string {
	return testkit.Must(simplifiedchinese.GB18030.NewEncoder().String(text))
}

// The 73 posts that are not UTF-8 are in Latin-1, or in no charset at all.
func TestCharsetsOfNewsgroups(t *testing.T) {
	longAlone(t)
	_, sum, err := ids(t, Options{}, testkit.Corpus(t, "20news-bydate.tar.gz"))
	if err != nil || sum.Encodings[charset.ASCII] != 18773 || sum.Encodings[charset.Latin1] != 73 || len(sum.Encodings) != 2 {
		t.Errorf("%v, %v", sum.Encodings, err)
	}
}

// encodingNamed returns the encoding of a charset other than auto and UTF-8.
func encodingNamed(name string) encoding.Encoding {
	switch name {
	case charset.Latin1:
		return charmap.Windows1252
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	return testkit.Must(htmlindex.Get(name))
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
		testkit.Is(testkit.Stop(t), err, nil, c.charset)
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
			right := c.charset == charset.Latin1 || c.charset == charset.GB18030
			if err != nil || strings.Contains(notes, "most likely not") == right {
				t.Errorf("%s in %s: %v, %s", name, c.charset, err, notes)
			}
			if !right && !strings.Contains(notes, c.charset+" reads") && c.charset != "iso-8859-7" { // of which windows-1253 has the letters
				t.Errorf("%s in %s: %s", name, c.charset, notes)
			}
		}
	}
}

// Han letters within Latin words are no Chinese, and Latin letters stay Latin in what is advised; a few documents in a
// hundred are needed for a doubt.
func TestDoubtsOfLatinWords(t *testing.T) {
	rows := func(odd string, others int) string {
		return writeNamed(t, "rows.csv", "text,label\n"+odd+",a\n"+strings.Repeat("plain words,b\n", others))
	}
	files := map[string]string{"a/0": "Victoria\xd5s secret"}
	for i := range 150 {
		files[fmt.Sprintf("a/%d", i+1)] = "plain words"
	}
	for name, c := range map[string]struct{ input, want, not string }{
		"Han in words":  {rows("d\xb0\xa9\xb0\xb5sir\xb0\xa9e and caf\xb0\xa9s", 9), "Han letters within Latin words: most likely not GB18030", "Latin-1, in"},
		"an apostrophe": {rows("Victoria\xd5s secret", 9), `macintosh reads "Victoria’s"`, "windows-1251"},
		"Mac Roman":     {rows("the na\x95ve caf\x8e of Ren\x8e Descartes", 9), `macintosh reads "naïve café René"`, "windows-125"},
		"one of many":   {rows("Victoria\xd5s secret", 150), "were read as Latin-1", "most likely not"},
		"one file":      {directoryOf(t, files), "were read as Latin-1", "most likely not"},
		"Chinese":       {rows(inGB("我的iPhone手机 图书评论是近代报刊业兴起后 windows和linux"), 9), "were read as GB18030", "most likely not"},
		"micro":         {rows("5 \xb5m by \xb5torrent", 9), "were read as Latin-1", "most likely not"},
	} {
		_, sum, err := ids(t, Options{}, c.input)
		testkit.OK(err)
		notes := strings.Join(sum.Notes, "\n")
		testkit.Contains(t, notes, c.want, name)
		testkit.Equal(t, strings.Contains(notes, c.not), false, name, notes)
	}
}

// writeNamed writes a file of this name.
func writeNamed(t testing.TB, name, text string) string {
	return testkit.Write(filepath.Join(t.TempDir(), name), text)
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
	chinese := strings.Repeat("{\"text\":\""+inGB("图书评论是近代报刊业兴起后")+"\"}\n", 3000)
	one := func(text string) string { return `{"text":"` + text + `"}` + "\n" }
	for name, c := range map[string]struct{ text, encoding string }{
		"ASCII":                   {ascii(3 * frameBytes), charset.ASCII},
		"late":                    {ascii(len(line)*7000-1) + one("caf\xe9"), charset.Latin1},
		"at the end of a frame":   {ascii(frameBytes/len(line)*len(line)-1) + french, charset.Latin1},
		"first é, then Chinese":   {one("caf\xc3\xa9") + chinese, charset.GB18030},
		"one row, then French":    {one(inGB("中文")) + french, charset.Latin1},
		"UTF-8 behind the sample": {french + one("中文中文中文"), charset.Latin1},
		"Latin-1 behind UTF-8":    {strings.Repeat(one("créée à l’été"), 5000) + french, charset.UTF8},
	} {
		want := ""
		for _, slow := range []bool{false, true} {
			var stdin io.Reader = strings.NewReader(c.text)
			if slow {
				stdin = iotest.HalfReader(stdin)
			}
			s := testkit.Must(Read(t.Context(), []string{"-"}, Options{Format: JSONL, Stdin: stdin, SkipBad: true}))
			hash := maphash.Hash{}
			hash.SetSeed(charsetSeed)
			for d, err := range s.Documents() {
				testkit.Is(testkit.Stop(t), err, nil, name)
				_, _ = hash.Write(d.Text)
			}
			sum := s.Summary()
			got := fmt.Sprint(sum.Encodings, sum.Notes, sum.Documents, hash.Sum64())
			if want == "" {
				want = got
			}
			testkit.Equal(t, got, want, name, "slow", slow)
			for _, e := range []string{charset.Latin1, charset.GB18030} { // UTF-8 is not counted in JSON lines
				testkit.Equal(t, sum.Encodings[e] > 0, e == c.encoding, name, "read as", sum.Encodings)
			}
		}
	}
}

var charsetSeed = maphash.MakeSeed()

// Every format reads every charset, decoded whole or by the text.
func TestCharsetsOfFormats(t *testing.T) {
	for _, name := range charset.Names()[2:] { // without auto and UTF-8
		letters := ""
		for _, word := range []string{"слово", "łódź", "λόγος", "שלום", "سلام", "คำ", "日本", "한국", "中文", "été", "šķēle", "maċ", "ŵy", "țară", "việt"} {
			if _, err := encodingNamed(name).NewEncoder().String(word); err == nil {
				letters = word
				break
			}
		}
		if letters == "" {
			t.Errorf("%s has none of the words", name)
		}
		for format, c := range map[string]struct{ text, want string }{
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
			encoded := testkit.Must(encodingNamed(name).NewEncoder().String(c.text))
			docs, err := collect(t, encoded, Options{Format: format, Charset: name})
			got := ""
			for _, d := range docs {
				got += string(d.Text) + " " + strings.Join(d.Labels, "|")
			}
			testkit.OK(err)
			testkit.Equal(t, got, c.want, format, "in", name)
		}
	}
}
