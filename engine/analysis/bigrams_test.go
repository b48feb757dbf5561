package analysis

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
)

// plainBigrams is the definition of zh-bigrams, character by character.
func plainBigrams(text []byte) (tokens []string) {
	var word, han []rune
	flush := func() {
		if len(word) > 1 {
			tokens = append(tokens, string(word))
		}
		word = nil
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if 0xFF01 <= r && r <= 0xFF5E {
			r -= 0xFEE0
		}
		if unicode.Is(unicode.Han, r) {
			flush()
			if han = append(han, r); len(han) > 1 {
				tokens = append(tokens, string(han[len(han)-2:]))
			}
			continue
		}
		han = nil
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_') {
			word = append(word, unicode.ToLower(r))
		} else {
			flush()
		}
	}
	flush()
	return tokens
}

// Ideographs at the ends of the block and in it, Han characters beside it and
// beyond the basic plane, full-width forms, and what ends a run.
var chinese = []string{
	"一", "中", "文", "鿿", "的", "㐀", "々", "〇", "豈", "𠀀", "𰀀", "Ａ", "ｚ", "９", "＿", "，", "　", "。", "ア", "é",
	"a", "B", "7", "_", " ", "\x00", "\xe4", "\xe4\xb8", "\xf0\xa0\x80", "\xed\xa0\x80", "\ue000", "\ufffd",
}

func chineseText(r *rand.Rand, size int) []byte {
	var text []byte
	for len(text) < size {
		switch r.IntN(6) {
		case 0:
			text = append(text, byte(r.Uint32()))
		case 1:
			text = utf8.AppendRune(text, rune(r.IntN(unicode.MaxRune)))
		case 2:
			for range r.IntN(30) {
				text = utf8.AppendRune(text, '一'+r.Int32N(40))
			}
		default:
			text = append(text, chinese[r.IntN(len(chinese))]...)
		}
	}
	return text
}

// rounds gives fewer of them in a short run.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

func TestBigramsOfShortTexts(t *testing.T) {
	c := must(Options{Tokens: "zh-bigrams"}).NewCounter()
	for _, one := range chinese {
		for _, two := range chinese {
			for _, three := range chinese {
				checkText(t, c, []byte(one+two+three))
				checkText(t, c, []byte("中"+one+two+three+"文"))
			}
		}
	}
}

func TestBigramsOfRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, maxToken := range []int{0, 3, 6, 7, 16} {
		c := must(Options{Tokens: "zh-bigrams", MaxToken: maxToken}).NewCounter()
		for range rounds(1000) {
			checkText(t, c, chineseText(r, r.IntN(900)))
			checkText(t, c, randomText(r, r.IntN(300)))
		}
	}
}

func TestAddedBigramsAreTheSameTerms(t *testing.T) {
	c := must(Options{Tokens: "zh-bigrams"}).NewCounter()
	c.Count([]byte("中文信"), nil)
	added := []uint32{c.Add("中文"), c.Add("信息"), c.Add("𠀀中")}
	got := c.Count([]byte("文信息，𠀀中文"), nil)
	if added[0] != 0 || got[0].Term != 1 || got[1].Term != added[1] || got[2].Term != added[2] || got[3].Term != 0 || len(got) != 4 {
		t.Errorf("added %v, then %v", added, got)
	}
}

func FuzzBigrams(f *testing.F) {
	f.Add([]byte(strings.Join(chinese, "")), uint8(20))
	f.Add([]byte("中文信息"+strings.Join(chinese, "中文")), uint8(6))
	f.Fuzz(func(t *testing.T, text []byte, maxToken uint8) {
		c := must(Options{Tokens: "zh-bigrams", MaxToken: int(maxToken)}).NewCounter()
		checkText(t, c, text)
		checkText(t, c, text) // now from the tables
	})
}

func TestFudan(t *testing.T) {
	docs := needFudan(t)
	c := must(Options{Tokens: "zh-bigrams"}).NewCounter()
	tokens := 0
	for i, doc := range docs {
		if i%50 == 0 && !testing.Short() {
			checkText(t, must(Options{Tokens: "zh-bigrams"}).NewCounter(), doc)
		}
		c.scan(doc)
		tokens += len(c.ids)
	}
	got := [3]int{len(docs), c.Len(), tokens}
	testkit.Equal(t, got, [3]int{1786, 459_444, 6_251_042}, "documents, terms, tokens")
}
