package charset

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Guess guesses the encoding of a text without a byte order mark: UTF-8 if it is
// that, but for a few bytes or a character cut at its end; else GB18030 if it looks like
// Chinese; else Latin-1, in which every text is well-formed. UTF-8 with characters of two
// bytes only is tried after GB18030, since Chinese such as a review of nothing but 好 has
// many byte pairs that are well-formed in UTF-8.
func Guess(text []byte) string {
	rest := text[ASCIILength(text):]
	switch {
	case len(rest) == 0:
		return ASCII
	case utf8.Valid(rest) || nearlyUTF8(rest, 3):
		return UTF8
	case looksLikeGB(rest):
		return GB18030
	case nearlyUTF8(rest, 2):
		return UTF8
	}
	return Latin1
}

// ASCIILength returns the length of the ASCII at the front of a text. Recognising a text in
// ASCII by it costs nothing: utf8.Valid begins with the same scan.
func ASCIILength(text []byte) int {
	const high = 0x8080808080808080
	word := func(text []byte) uint64 { return binary.LittleEndian.Uint64(text) }
	rest := text[:len(text):len(text)] // whose capacity need not be computed again
	for len(rest) > 32 && (word(rest)|word(rest[8:])|word(rest[16:])|word(rest[24:]))&high == 0 {
		rest = rest[32:]
	}
	for len(rest) > 8 && word(rest)&high == 0 {
		rest = rest[8:]
	}
	for len(rest) > 0 && rest[0] < utf8.RuneSelf {
		rest = rest[1:]
	}
	return len(text) - len(rest)
}

// nearlyUTF8 reports whether a text has more than eight characters of length bytes or more
// for each byte that is malformed in UTF-8. In Latin-1 hardly any letters form such a
// character.
func nearlyUTF8(text []byte, length int) bool {
	const enough = 8
	good, bad := 0, 0
	for len(text) > 0 && utf8.FullRune(text) {
		if good+len(text)/2 <= enough*bad {
			return false // whatever comes
		}
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			bad++
		} else if size >= length {
			good++
		}
		text = text[size:]
		text = text[ASCIILength(text):]
	}
	return good > enough*bad
}

// looksLikeGB reports whether all bytes beyond ASCII form characters of GB18030, the last
// of which may be cut; two neighbouring ones are among the 6,763 Han characters of GB2312;
// and there are more of these than of other characters, signs not counted. In Latin-1 most
// letters beyond ASCII are followed by a space, or by a letter that forms no such character
// with them.
func looksLikeGB(text []byte) bool {
	han, others, run, longest := 0, 0, 0, 0
	for len(text) > 0 {
		if isHan(text) {
			text = text[2:]
			han++
			run++
			longest = max(longest, run)
			continue
		}
		run = 0
		if text[0] < utf8.RuneSelf {
			text = text[ASCIILength(text):]
			continue
		}
		size, whole := sizeInGB(text)
		if size == 0 {
			return false
		}
		if !whole {
			break
		}
		// One of GB2312 (punctuation, full-width forms, kana and the like), or that says nothing about the encoding, is
		// a sign.
		sign := size == 1 || size == 2 && (text[0] == text[1] || 0xa1 <= text[0] && text[0] <= 0xa9 && text[1] >= 0xa1)
		if !sign {
			others++
		}
		text = text[size:]
	}
	return longest > 1 && han > others
}

// isHan reports whether a text begins with a Han character of GB2312. The same byte twice
// is refused: it is hardly ever such a character, but draws lines in MS-DOS code pages.
func isHan(text []byte) bool {
	return len(text) >= 2 && 0xb0 <= text[0] && text[0] <= 0xf7 && 0xa1 <= text[1] && text[1] <= 0xfe && text[0] != text[1]
}

// sizeInGB returns the length in GB18030 of the character that a text begins with, 0 where
// it begins with none, and whether all of its bytes are there.
func sizeInGB(text []byte) (size int, whole bool) {
	in := func(i int, low, high byte) bool { // also behind the end
		return i >= len(text) || low <= text[i] && text[i] <= high
	}
	switch {
	case text[0] == 0x80: // the Euro sign, in code page 936
		return 1, true
	case !in(0, 0x81, 0xfe):
		return 0, false
	case in(1, 0x40, 0x7e) || in(1, 0x80, 0xfe):
		return 2, len(text) >= 2
	case in(1, '0', '9') && in(2, 0x81, 0xfe) && in(3, '0', '9'):
		return 4, len(text) >= 4
	}
	return 0, false
}

// bareUTF16 returns the encoding of a text in UTF-16 without a mark, "" for any other: an
// eighth of the first characters or more are ASCII in one order of bytes, four times as many
// as in the other, and none is a control character or half of a pair. What without its
// zeros is UTF-8, or ASCII for the most part, needs three in four.
func bareUTF16(text []byte) string {
	const shortest, longest = 8, 512
	head := text[:min(len(text), longest)&^1]
	if len(head) < shortest || bytes.IndexByte(head, 0) < 0 {
		return ""
	}
	little, ok := asciiUnits(head, binary.LittleEndian)
	big, fine := asciiUnits(head, binary.BigEndian)
	units := len(head) / 2
	enough := max(units/8, 2)
	if isTextWithZeros(head) {
		enough = units * 3 / 4
	}
	switch {
	case ok && little >= max(enough, 4*big):
		return "utf-16le"
	case fine && big >= max(enough, 4*little):
		return "utf-16be"
	}
	return ""
}

// isTextWithZeros reports whether a text without its zeros is UTF-8, or ASCII for the most
// part, without control characters.
func isTextWithZeros(text []byte) bool {
	rest, ascii := bytes.ReplaceAll(text, []byte{0}, nil), 0
	for _, c := range rest {
		if c < utf8.RuneSelf {
			ascii++
			if isControl(rune(c)) {
				return false
			}
		}
	}
	return ascii*4 >= len(rest)*3 || utf8.Valid(wholeRunes(rest))
}

// isControl reports whether a character of a text is none that texts have.
func isControl(c rune) bool {
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' || 0x7f <= c && c < 0xa0 || c == 0xfffe || c == 0xffff
}

// asciiUnits counts the code units of a text that are ASCII. It is not ok if one is none of a
// text.
func asciiUnits(text []byte, order binary.ByteOrder) (ascii int, ok bool) {
	for i := 0; i < len(text); i += 2 {
		unit := rune(order.Uint16(text[i:]))
		switch {
		case isControl(unit):
			return ascii, false
		case utf16.IsSurrogate(unit):
			i += 2
			if i < len(text) && utf16.DecodeRune(unit, rune(order.Uint16(text[i:]))) == utf8.RuneError {
				return ascii, false
			}
		case unit < utf8.RuneSelf:
			ascii++
		}
	}
	return ascii, true
}

// hasUTF16Mark reports whether a prefix is a byte order mark of UTF-16.
func hasUTF16Mark(prefix []byte) bool {
	return bytes.HasPrefix(prefix, []byte("\xff\xfe")) || bytes.HasPrefix(prefix, []byte("\xfe\xff"))
}

// IsUTF16 reports whether a text is UTF-16, with a byte order mark or without.
func IsUTF16(text []byte) bool { return hasUTF16Mark(text) || bareUTF16(text) != "" }

// What follows doubts guesses. Any bytes are text in Latin-1, and pairs of bytes beyond ASCII are
// often characters of GB18030. A wrong guess shows in the words: no capital follows a small
// letter, no sign stands between letters, scripts do not mix, and Latin words have no letter of another.

const (
	doubtBytes = 512 // of a text are looked at, from the first word on that is not ASCII
	mostDoubts = 3   // other encodings that a note names
)

// A Doubt says that a text is most likely not in the encoding that was guessed, and has some of its words as they read in
// that. It refers to the text.
type Doubt struct {
	reading
	sample []byte
}

// DoubtOf returns the doubt of an encoding that was guessed for a text, nil for none.
func DoubtOf(encoding string, text []byte) *Doubt {
	if encoding != Latin1 && encoding != GB18030 {
		return nil
	}
	d := &Doubt{sample: fromFirstWord(text)}
	d.reading = readings(encoding, d.sample)
	if !d.plausible() || encoding == GB18030 && isOtherHan(d.sample) || encoding == Latin1 && d.letters > 2*d.ascii && d.letters >= 6 {
		return d
	}
	return nil
}

// OthersOf says how names that look odd in an encoding read in others, as [Doubt.Others] does.
func OthersOf(encoding string, names []byte) string {
	d := &Doubt{sample: fromFirstWord(names)}
	if d.reading = readings(encoding, d.sample); d.plausible() {
		return ""
	}
	return d.Others()
}

// Doubtful is part of every [Doubt.Kind].
const Doubtful = "most likely not "

// Kind says what is doubted, with what speaks for it.
func (d *Doubt) Kind() string {
	switch {
	case d.encoding == Latin1:
		return Doubtful + "Latin-1"
	case d.isLatin() && d.foreign > 0 && !d.plausible():
		return "Han letters within Latin words: " + Doubtful + "GB18030"
	}
	return Doubtful + "GB18030"
}

// Others says how the words read in the other encodings in which they look best: ": koi8-r reads ..", "" if in none.
func (d *Doubt) Others() string {
	var list []reading
	for _, name := range candidates {
		if r := readings(name, d.sample); name != d.encoding && r.words > 0 && r.plausible() {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(a.oddWords()*10+a.capitals, b.oddWords()*10+b.capitals) })
	said, before := "", ":"
	for _, r := range list[:min(len(list), mostDoubts)] {
		said += fmt.Sprintf("%s %s reads %q", before, r.encoding, r.Words)
		before = ","
	}
	return said
}

// A reading is a sample in an encoding.
type reading struct {
	encoding string
	Words    string // its first words that are not ASCII
	words    int    // that are not ASCII
	strange  int    // of these
	foreign  int    // of these, in which most letters are ASCII and one is of another script than Latin
	letters  int    // of these, no ASCII
	ascii    int    // letters of ASCII in these words
	capitals int
}

// candidates are the encodings that a note names, the usual ones first.
var candidates = []string{
	"windows-1251", "koi8-r", "windows-1250", "windows-1253", "windows-1255", "windows-1256", "shift_jis", "euc-jp", "euc-kr",
	"big5", GB18030, "ibm866", "iso-8859-2", "iso-8859-5", "iso-8859-7", "macintosh", "windows-1254", "windows-1257", "windows-874",
}

// isLatin reports whether most letters of the words are those of ASCII. Then a letter of another script is strange.
func (r *reading) isLatin() bool { return r.ascii > r.letters }

// oddWords returns how many words are strange.
func (r *reading) oddWords() int {
	if r.isLatin() {
		return max(r.strange, r.foreign)
	}
	return r.strange
}

func (r *reading) plausible() bool { return r.oddWords()*8 <= r.words }

// isOtherHan reports whether pairs of bytes that are characters of GB18030 are rather Japanese
// or Korean: kana are many, or of the common Han characters, which are in the order of their
// sounds, hardly any is of the second half.
func isOtherHan(sample []byte) bool {
	kana, first, second, all := 0, 0, 0, 0
	for i := 0; i+1 < len(sample); i++ {
		lead := sample[i]
		if lead < utf8.RuneSelf {
			continue
		}
		all++
		switch {
		case lead == 0xa4 || lead == 0xa5:
			kana++
		case 0xb0 <= lead && lead <= 0xc8:
			first++
		case 0xc9 <= lead && lead <= 0xd7:
			second++
		}
		i++
	}
	return kana*5 > all || first >= 8 && second*10 < first
}

// fromFirstWord returns what follows the first word that is not ASCII, with it.
func fromFirstWord(text []byte) []byte {
	at := ASCIILength(text)
	for at > 0 && text[at-1] > ' ' {
		at--
	}
	return text[at:][:min(len(text)-at, doubtBytes)]
}

// readings reads a sample in an encoding.
func readings(encoding string, sample []byte) reading {
	r := reading{encoding: encoding}
	var d Decoder
	utf := d.As(encoding, sample)
	var shown []string
	for _, word := range bytes.FieldsFunc(utf, endsWord) {
		if ASCIILength(word) == len(word) {
			continue
		}
		r.word(word)
		if len(shown) < 3 {
			shown = append(shown, string(word[:min(len(word), len(wholeRunes(word[:min(len(word), 24)])))]))
		}
	}
	r.Words = strings.Join(shown, " ")
	return r
}

// endsWord reports whether a character is no letter of ASCII, but ASCII or white space: fields of
// rows and objects are apart.
func endsWord(c rune) bool {
	return c < utf8.RuneSelf && (c|0x20 < 'a' || c|0x20 > 'z') || unicode.IsSpace(c)
}

// word counts a word, and that it is strange if it is.
func (r *reading) word(word []byte) {
	r.words++
	strange, ascii, foreign := false, r.ascii, 0
	script := (*unicode.RangeTable)(nil)
	var before, last rune // the last letter, and the last character
	sign := false         // stands between before and here
	for _, c := range string(word) {
		if c >= utf8.RuneSelf && unicode.In(c, unicode.L, unicode.M) && !unicode.In(c, unicode.Latin, unicode.Common, unicode.Inherited) {
			foreign++
		}
		switch {
		case c == utf8.RuneError || unicode.Is(unicode.C, c) && c != '\u00ad' || c == utf8.MaxRune:
			strange = true
		case unicode.IsLetter(c):
			mixed := script != nil && c >= utf8.RuneSelf && !unicode.Is(script, c)
			strange = strange || sign || mixed || unicode.IsUpper(c) && unicode.IsLower(before) && (c >= utf8.RuneSelf || before >= utf8.RuneSelf)
			if c >= utf8.RuneSelf {
				r.letters++
				script = scriptOf(c)
			} else {
				r.ascii++
			}
			if unicode.IsUpper(c) {
				r.capitals++
			}
			before, sign = c, false
		case unicode.IsLetter(last) && c >= utf8.RuneSelf && !joins(c):
			sign = true
		case c < utf8.RuneSelf || joins(c):
			before, sign = 0, false
		}
		last = c
	}
	if strange {
		r.strange++
	}
	if foreign > 0 && r.ascii-ascii > foreign {
		r.foreign++
	}
}

// joins reports whether a sign that is not ASCII may stand between letters.
func joins(c rune) bool {
	return strings.ContainsRune("\u00a0\u00ad·’‘´`“”„–—…«»/", c) || unicode.Is(unicode.M, c) || c >= 0x3000
}

// scripts are those whose letters do not mix with others in a word. Han, kana and Hangul
// count as one.
var scripts = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic, unicode.Thai}

func scriptOf(c rune) *unicode.RangeTable {
	for _, s := range scripts {
		if unicode.Is(s, c) {
			return s
		}
	}
	return nil
}
