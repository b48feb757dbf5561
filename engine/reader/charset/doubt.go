package charset

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file doubts guesses. Any bytes are text in Latin-1, and pairs of bytes beyond ASCII are
// often characters of GB18030. A wrong guess shows in the words: no capital follows a small
// letter, no sign stands between letters, scripts do not mix, and Latin words have no letter of another.

const (
	doubtBytes = 512 // of a text are looked at, from the first word on that is not ASCII
	mostDoubts = 3   // other encodings that a note names
)

// A Doubt says that a text is most likely not in the encoding that was guessed.
type Doubt struct {
	encoding string
	sample   []byte
	han      bool // within Latin words
}

// DoubtOf returns the doubt of an encoding that was guessed for a text, nil for none.
func DoubtOf(encoding string, text []byte) *Doubt {
	if encoding != Latin1 && encoding != GB18030 {
		return nil
	}
	sample := fromFirstWord(text)
	r := readings(encoding, sample)
	switch {
	case !r.plausible():
		return &Doubt{encoding, bytes.Clone(sample), encoding == GB18030 && r.isLatin() && r.foreign > 0}
	case encoding == GB18030 && isOtherHan(sample):
	case encoding == Latin1 && r.letters > 2*r.ascii && r.letters >= 6:
	default:
		return nil
	}
	return &Doubt{encoding: encoding, sample: bytes.Clone(sample)}
}

// OthersOf says how names that look odd in an encoding read in others, as [Doubt.Others] does.
func OthersOf(encoding string, names []byte) string {
	sample := fromFirstWord(names)
	if r := readings(encoding, sample); r.plausible() {
		return ""
	}
	return (&Doubt{encoding: encoding, sample: sample}).Others()
}

// Doubtful is part of every [Doubt.Kind].
const Doubtful = "most likely not "

// Kind says what is doubted, with what speaks for it.
func (d *Doubt) Kind() string {
	kind := Doubtful + map[string]string{Latin1: "Latin-1", GB18030: "GB18030"}[d.encoding]
	if d.han {
		return "Han letters within Latin words: " + kind
	}
	return kind
}

// Words returns some words of the text in the encoding that was guessed.
func (d *Doubt) Words() string { return readings(d.encoding, d.sample).shown }

// Others says how the words read in other encodings: ": koi8-r reads ..", "" if in none.
func (d *Doubt) Others() string {
	var list []string
	for _, r := range others(d.encoding, d.sample) {
		list = append(list, fmt.Sprintf(" %s reads %q", r.encoding, r.shown))
	}
	if list == nil {
		return ""
	}
	return ":" + strings.Join(list, ",")
}

// A reading is a sample in an encoding.
type reading struct {
	encoding string
	shown    string // its first words that are not ASCII
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

// others returns the other encodings in which a sample looks best.
func others(encoding string, sample []byte) []reading {
	var list []reading
	for _, name := range candidates {
		if r := readings(name, sample); name != encoding && r.words > 0 && r.plausible() {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(a.oddWords()*10+a.capitals, b.oddWords()*10+b.capitals) })
	return list[:min(len(list), mostDoubts)]
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
	r.shown = strings.Join(shown, " ")
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
