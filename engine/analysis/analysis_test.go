package analysis

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// plainTerms is the definition, rune by rune; it shares nothing with Counter.
func plainTerms(text []byte, tokens string, maxToken int) (terms []string, dropped int64) {
	text = plainSigmas(text)
	switch tokens {
	case "unicode":
		return shortTerms(plainSegments(text), maxToken)
	case "zh-bigrams":
		return shortTerms(plainBigrams(text), maxToken)
	}
	least := 1
	if tokens == "words" {
		least = 2
	}
	var word []rune
	flush := func() {
		lowered := string(word)
		if len(word) >= least && len(lowered) > maxToken {
			dropped++
		} else if len(word) >= least {
			terms = append(terms, lowered)
		}
		word = nil
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		malformed := r == utf8.RuneError && size == 1
		text = text[size:]
		inside := unicode.IsLetter(r) || tokens == "words" && (unicode.IsNumber(r) || r == '_')
		if malformed || !inside {
			flush()
		} else {
			word = append(word, unicode.ToLower(r))
		}
	}
	flush()
	return terms, dropped
}

// plainSigmas puts capital sigmas into lower case as Python does: a final one has a letter with
// case before it and none behind it, where marks and the like do not count.
func plainSigmas(text []byte) []byte {
	outside := func(r rune) bool {
		return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·\u0387\u055F\u05F4\u2018\u2019\u2024\u2027\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A", r)
	}
	cased := func(r rune) bool {
		return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.Is(unicode.Other_Lowercase, r) || unicode.Is(unicode.Other_Uppercase, r)
	}
	lower := bytes.Clone(text)
	for i := range text {
		if !bytes.HasPrefix(text[i:], []byte("Σ")) {
			continue
		}
		before, _ := utf8.DecodeLastRune(bytes.TrimRightFunc(text[:i], outside))
		behind, _ := utf8.DecodeRune(bytes.TrimLeftFunc(text[i+2:], outside))
		small := "σ"
		if cased(before) && !cased(behind) {
			small = "ς"
		}
		copy(lower[i:], small)
	}
	return lower
}

// shortTerms drops the long ones.
func shortTerms(tokens []string, maxToken int) (terms []string, dropped int64) {
	for _, token := range tokens {
		if len(token) <= maxToken {
			terms = append(terms, token)
		} else {
			dropped++
		}
	}
	return terms, dropped
}

func must(opt Options) *Analyzer { return testkit.Must(New(opt)) }

// checkText compares a counter, whatever it has seen, with the definition.
func checkText(t *testing.T, c *Counter, text []byte) {
	t.Helper()
	joined := bytes.ReplaceAll(text, []byte("\u00ad"), nil) // soft hyphens are no part of a word
	want, wantDropped := plainTerms(joined, c.a.opt.Tokens, c.a.opt.MaxToken)
	var order []string
	counts := map[string]uint32{}
	for _, term := range want {
		if counts[term]++; counts[term] == 1 {
			order = append(order, term)
		}
	}
	before := c.Dropped()
	got := c.Count(text, []TermCount{{7, 7}})
	if got[0] != (TermCount{7, 7}) || len(got)-1 != len(order) || c.Dropped()-before != wantDropped {
		t.Fatalf("%s of %q: %d terms, %d dropped; want %q, %d dropped", c.a.opt.Tokens, text, len(got)-1, c.Dropped()-before, order, wantDropped)
	}
	for i, tc := range got[1:] {
		if term := string(c.Term(tc.Term)); term != order[i] || tc.Count != counts[term] {
			t.Fatalf("%s of %q: term %d is %q %d times, want %q %d times", c.a.opt.Tokens, text, i, term, tc.Count, order[i], counts[order[i]])
		}
	}
}

func bothCounters(t testing.TB, maxToken int) []*Counter {
	return []*Counter{
		must(Options{MaxToken: maxToken}).NewCounter(),
		must(Options{Tokens: "letters", MaxToken: maxToken}).NewCounter(),
	}
}

// One character of each class; a malformed byte; the start of a longer character.
var alphabet = []string{"a", "B", "7", "_", " ", "\x00", "é", "É", "—", "四", "\xff", "\xe2\x80"}

func TestEveryShortString(t *testing.T) {
	length := 5
	if testing.Short() {
		length = 3
	}
	counters := bothCounters(t, 0)
	texts := []string{""}
	for range length {
		var longer []string
		for _, text := range texts {
			for _, character := range alphabet {
				longer = append(longer, text+character)
			}
		}
		for _, text := range longer {
			for _, c := range counters {
				checkText(t, c, []byte(text))
			}
		}
		texts = longer
	}
}

func TestShortStringsAtBlockEdges(t *testing.T) {
	counters := bothCounters(t, 0)
	for _, one := range alphabet {
		for _, two := range alphabet {
			for _, three := range alphabet {
				middle := one + two + three
				for _, filler := range []string{" ", "x", "ж"} {
					for before := 58; before <= 66; before++ {
						text := strings.Repeat(filler, before/len(filler)) + middle
						checkText(t, counters[before%2], []byte(text))
						checkText(t, counters[before%2], []byte(text+" "+filler+"yz"))
					}
				}
			}
		}
	}
}

func randomText(r *rand.Rand, size int) []byte {
	var text []byte
	for len(text) < size {
		switch r.IntN(24) {
		case 0:
			text = append(text, byte(r.Uint32()))
		case 1:
			text = append(text, alphabet[r.IntN(len(alphabet))]...)
		case 2:
			text = utf8.AppendRune(text, rune(r.IntN(0x3000)))
		case 3:
			text = utf8.AppendRune(text, rune(r.IntN(unicode.MaxRune)))
		case 4:
			text = append(text, strings.Repeat("Ж", 6+r.IntN(4))...)
		default:
			for range []int{1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31}[r.IntN(11)] {
				text = append(text, "abcDEF_9"[r.IntN(8)])
			}
			if r.IntN(3) > 0 {
				text = append(text, " \n.,-"[r.IntN(5)])
			}
		}
	}
	return text
}

func TestRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, maxToken := range []int{0, 5, 16, 17, 40} {
		counters := bothCounters(t, maxToken)
		for round := range 300 {
			text := randomText(r, r.IntN(600))
			checkText(t, counters[round%2], text)
		}
	}
}

// Pieces end at separators; a run longer than a piece makes the piece longer.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range bothCounters(t, 0) {
		for _, at := range []int{pieceBytes - 70, pieceBytes - 64, pieceBytes - 2, pieceBytes - 1, pieceBytes, pieceBytes + 1} {
			checkText(t, c, append(bytes.Repeat([]byte("ab "), at/3), " some_words across the edge"...))
			checkText(t, c, append(bytes.Repeat([]byte("x"), at), " y1 zz"...))
			checkText(t, c, append(append([]byte("..."), bytes.Repeat([]byte("é"), at)...), " ok "...))
			checkText(t, c, []byte(strings.Repeat("中文，", at)))
		}
		for _, behind := range []string{".", ". Α", ".Α", "'", "1", " Α", "Α"} { // what a capital sigma depends on may be in the next piece
			for _, sigma := range []string{"ΟΔΟΣ", ".Σ1"} {
				for at := pieceBytes - 12; at <= pieceBytes; at++ {
					checkText(t, c, append(bytes.Repeat([]byte("x "), at)[:at], sigma+behind+" ΟΔΟΣ"...))
				}
			}
		}
		checkText(t, c, randomText(r, 5*pieceBytes))
	}
}

// A run of token bytes may be remembered only if folding is final: a folded
// character folds to itself and stays in its class.
func TestFoldingIsFinal(t *testing.T) {
	counters := bothCounters(t, 0)
	for r := range rune(unicode.MaxRune + 1) {
		low := unicode.ToLower(r)
		if unicode.ToLower(low) != low || unicode.IsLetter(r) != unicode.IsLetter(low) || unicode.IsNumber(r) != unicode.IsNumber(low) {
			t.Fatalf("%U folds to %U", r, low)
		}
		if r < 0x3000 && r != 0xAD { // a soft hyphen goes before
			checkText(t, counters[0], []byte("a"+string(r)+"b "+string(r)))
			checkText(t, counters[1], []byte("a"+string(r)+"b "+string(r)))
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, text := range alphabet {
		f.Add([]byte(text+"Word "+text+text), uint8(20))
	}
	f.Fuzz(func(t *testing.T, text []byte, maxToken uint8) {
		for _, c := range bothCounters(t, int(maxToken)) {
			checkText(t, c, text)
			checkText(t, c, text) // now from the table
		}
	})
}

// Figures of scikit-learn's CountVectorizer on the same decoded posts.
func TestNewsgroups(t *testing.T) {
	docs := needNewsgroups(t)
	c := must(Options{}).NewCounter()
	var found []TermCount
	postings, tokens := 0, 0
	for _, doc := range docs {
		found = c.Count(doc, found[:0])
		postings += len(found)
		for _, tc := range found {
			tokens += int(tc.Count)
		}
	}
	got := [4]int{len(docs), c.Len(), postings, tokens}
	testkit.Equal(t, got, [4]int{11314, 130_107, 1_787_565, 3_369_673}, "documents, terms, postings, tokens")
}

func TestCountAllocatesOnlyForNewWords(t *testing.T) {
	text := []byte(strings.Repeat("Some words, naïve ones; “quoted” a-b 1990s électroencéphalographiques antidisestablishmentarianism — the running dogs. 中文信息处理，２１世纪𠀀𠀁々。 don't\xff ", 50))
	for _, opt := range []Options{{}, {Stop: "smart", Stem: "porter2"}, {Headers: "subject"}, {MaxToken: 6}, {Tokens: "unicode"}, {Tokens: "zh-bigrams"}, {Tokens: "zh-bigrams", MaxToken: 5}, {NGrams: "1-3"}, {Tokens: "unicode", NGrams: "2"}} {
		c := must(opt).NewCounter()
		doc := text
		if opt.Headers != "" {
			doc = append([]byte("From: me\nSubject: you\nLines: 7\n\n"), text...)
		}
		found := c.Count(doc, nil)
		testkit.Equal(t, testing.AllocsPerRun(20, func() { found = c.Count(doc, found[:0]) }), 0, opt)
	}
}

func TestBadInput(t *testing.T) {
	long, longer := strings.Repeat("a", 256), strings.Repeat("b", 257)
	for _, test := range []struct {
		name, text string
		want       [4]string // of words, letters, unicode, zh-bigrams
	}{
		{"empty", "", [4]string{}},
		{"NUL bytes", "ab\x00cd\x00中文\x00字", [4]string{"ab cd 中文", "ab cd 中文 字", "ab cd 中 文 字", "ab cd 中文"}},
		{"cut at the end", "ab中文\xe5\xad", [4]string{"ab中文", "ab中文", "ab 中 文", "ab 中文"}},
		{"cut within", "中\xe6\x96文\xf0\xa0\x80字ab\xe6cd", [4]string{"字ab cd", "中 文 字ab cd", "中 文 字 ab cd", "ab cd"}},
		{"control characters", "one\x00two\x08three\x1bfour\x7ffive", [4]string{"one two three four five", "one two three four five", "one two three four five", "one two three four five"}},
		{"lone continuation", "ab\x80cd", [4]string{"ab cd", "ab cd", "ab cd", "ab cd"}},
		{"overlong", "ab\xc0\xafcd\xe0\x80\x80ef", [4]string{"ab cd ef", "ab cd ef", "ab cd ef", "ab cd ef"}},
		{"surrogate", "中\xed\xa0\x80文", [4]string{"", "中 文", "中 文", ""}},
		{"private use", "中\ue000文\U000F0000字", [4]string{"", "中 文 字", "中 文 字", ""}},
		{"replacement character", "ab\ufffdcd", [4]string{"ab cd", "ab cd", "ab cd", "ab cd"}},
		{"beyond Unicode", "ab\xf4\x90\x80\x80cd", [4]string{"ab cd", "ab cd", "ab cd", "ab cd"}},
		{"256 bytes", long + " cd", [4]string{long + " cd", long + " cd", long + " cd", long + " cd"}},
		{"257 bytes", longer + " cd", [4]string{"cd", "cd", "cd", "cd"}},
	} {
		for i, tokens := range Tokenizers()[:4] {
			testkit.Equal(t, strings.Join(must(Options{Tokens: tokens}).Terms([]byte(test.text)), " "), test.want[i],
				test.name, tokens)
		}
	}
}

func TestStopAndStem(t *testing.T) {
	var cases []struct {
		O          Options
		Text, Want string
	}
	testkit.ReadJSON("testdata/terms.json", &cases)
	for _, test := range cases {
		testkit.Equal(t, strings.Join(must(test.O).Terms([]byte(test.Text)), " "), test.Want, test.O,
			test.Text)
	}
}

func TestWordsWithTheSameStemAreOneTerm(t *testing.T) {
	c := must(Options{Stem: "porter2"}).NewCounter()
	got := c.Count([]byte("run running RUNS run. runner Éclair éclairs"), nil)
	testkit.EqualSlices(t, got, []TermCount{{0, 4}, {1, 1}, {2, 2}})
}

func TestAddTakesTermsVerbatim(t *testing.T) {
	c := must(Options{}).NewCounter()
	c.Count([]byte("alpha beta"), nil)
	terms := []string{"beta", "Beta", "", "a\x00", "a", "beta ", "gamma", "CAFé"}
	var ids []uint32
	for _, term := range terms {
		ids = append(ids, c.Add(term))
	}
	testkit.EqualSlices(t, ids, []uint32{1, 2, 3, 4, 5, 6, 7, 8}, "ids")
	for i, id := range ids {
		testkit.Equal(t, string(c.Term(id)), terms[i], "is term")
		testkit.Equal(t, c.Add(terms[i]), id, terms[i], "is term", c.Term(id))
	}
	got := c.Count([]byte("Gamma CAFé café delta"), nil)
	if want := []TermCount{{7, 1}, {9, 2}, {10, 1}}; !slices.Equal(got, want) || c.Len() != 11 {
		t.Errorf("got %v, %d terms", got, c.Len())
	}
}

func TestTermsStayValid(t *testing.T) {
	c := must(Options{}).NewCounter()
	c.Count([]byte("first"), nil)
	first := c.Term(0)
	for i := range 100_000 {
		c.Add(fmt.Sprint("term", i))
	}
	if string(first) != "first" || string(append(first, 'x')) != "firstx" || string(c.Term(1)) != "term0" {
		t.Errorf("%q, then %q", first, c.Term(1))
	}
}

// Columns are what Count lists, behind what they had, and a document knows nothing of the last one.
func TestCountColumns(t *testing.T) {
	a := must(Options{})
	list, columns := a.NewCounter(), a.NewCounter()
	terms, counts := []uint32{9}, []uint32{8}
	want := []TermCount{{9, 8}}
	for _, text := range []string{"one two one", "", "two two three", "a b", "one two three four four"} {
		want = list.Count([]byte(text), want)
		terms, counts = columns.CountColumns([]byte(text), terms, counts)
	}
	var got []TermCount
	for i, term := range terms {
		got = append(got, TermCount{term, counts[i]})
	}
	if !slices.Equal(got, want) || len(counts) != len(terms) || len(want) != 9 {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestHeaders(t *testing.T) {
	const mail = "From: Ann\nSubject: red\n\tfox\nX-Two: no: yes\nSUBJECT: again\n\nbody: one\n\ntwo"
	for _, test := range []struct{ option, text, want string }{
		{"", mail, "from ann subject red fox x two no yes subject again body one two"},
		{"none", mail, "body one two"},
		{"subject", mail, "red fox again body one two"},
		{" Subject, x-two,subject", mail, "red fox no yes again body one two"},
		{"none", strings.ReplaceAll(mail, "\n", "\r\n"), "body one two"},
		{"subject", strings.ReplaceAll(mail, "\n", "\r\n"), "red fox again body one two"},
		{"none", "From: Ann\nSubject: red", ""},
		{"subject", "From: Ann\nSubject: red\n", "red"},
		{"none", "Plain text\nFrom: Ann\n\nbody", "plain text from ann body"},
		{"none", "Note: this\nis no header\n\nbody", "note this is no header body"},
		{"none", " From: Ann\n\nbody", "from ann body"},
		{"none", "\nFrom: Ann\n\nbody", "from ann body"},
		{"none", "1st: no\n\nbody", "st no body"},
		{"none", "From: Ann\n \t\nLines: 1\n\nbody", "body"}, // as in 5 of the posts
		{"none", "From: Ann\n \t\nbody", "from ann body"},
		{"none", "", ""},
		{"none", ":\n\nbody", "body"},
		{"none", "From:\n\nbody", "body"},
		{"none", "From:", ""},
		{"none", "From: me\nLines: 1\nthe text", "from me lines the text"},
		{"none", "From: Andr\xe9\n\ncaf\xe9", "caf"},
	} {
		a := must(Options{Tokens: "letters", Headers: test.option})
		testkit.Equal(t, strings.Join(a.Terms([]byte(test.text)), " "), test.want, "headers", test.option,
			test.text)
	}
}

func TestOptions(t *testing.T) {
	got := must(Options{Headers: " Subject, From,subject"}).Options()
	if got.Tokens != "words" || got.Stop != "none" || got.Stem != "none" || got.Headers != "subject,from" || got.MaxToken != 256 {
		t.Errorf("%+v", got)
	}
	again := must(got).Options()
	testkit.Equal(t, fmt.Sprint(again), fmt.Sprint(got), "became")
	for _, test := range []struct {
		opt  Options
		want string
	}{
		{Options{Tokens: "word"}, `unknown tokens "word"; did you mean words? Known: auto words letters unicode zh-bigrams char char_wb pattern:REGEX`},
		{Options{Stop: "Glasgo"}, `unknown stop list "Glasgo"; did you mean glasgow? Known: none chinese danish dutch english finnish french german glasgow hungarian italian norwegian portuguese russian sklearn smart snowball spanish swedish turkish`},
		{Options{Stem: "lovins"}, `unknown stemmer "lovins". Known: none porter porter-c porter2 arabic danish dutch english finnish french german hungarian irish italian norwegian portuguese romanian russian spanish swedish tamil turkish`},
		{Options{Headers: "subject:"}, `unknown headers "subject:". Known: keep none names separated by commas, as subject,keywords`},
		{Options{Headers: "a,,b"}, `unknown headers "a,,b". Known: keep none names separated by commas, as subject,keywords`},
		{Options{NGrams: "0"}, `unknown n-grams "0". Known: a number of words up to 5, or two with a hyphen, as 1-2`},
		{Options{NGrams: "2-1"}, `unknown n-grams "2-1". Known: a number of words up to 5, or two with a hyphen, as 1-2`},
		{Options{MaxToken: -1}, `unknown token limit "-1". Known: a number of bytes above 0`},
	} {
		_, err := New(test.opt)
		var option *usage.UnknownError
		if !errors.As(err, &option) || err.Error() != test.want {
			t.Errorf("%+v: %v, want %s", test.opt, err, test.want)
		}
	}
}

func TestAnAnalyzerIsSafeForConcurrentUse(t *testing.T) {
	a := must(Options{Stop: "smart", Stem: "porter", Headers: "subject"})
	text := []byte("Subject: dogs\n\nThe running dogs were naïvely running")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				testkit.Equal(t, strings.Join(a.Terms(text), " "), "dog run dog naïv run")
			}
		})
	}
	group.Wait()
}

func TestStopWordsComeBeforeStems(t *testing.T) {
	a := testkit.Must(New(Options{Stem: "porter2", StopWords: []string{"Running"}}))
	got := a.Terms([]byte("Running runs run RUNNING runner"))
	testkit.EqualSlices(t, got, strings.Fields("run run runner"))
}

// An analyzer cannot decide by itself, for it has no texts.
func TestAutoIsNoAnalyzer(t *testing.T) {
	if a, err := New(Options{Tokens: Auto}); err == nil {
		t.Fatalf("%+v", a.Options())
	}
	testkit.Says(testkit.Stop(t), testkit.Err(New(Options{Tokens: "word"})), "did you mean words? Known: auto words")
}
