package words_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

func TestDocuments(t *testing.T) {
	c := enginetest.Build(t, "b:moon", "a,b:moon moon sun", "a:sun", "b:Moon! moon.", "c:star")
	got := testkit.Must(words.Documents(t.Context(), c, 2, "moon", "sun", "comet"))
	want := "[[{d1 [a b] 2 3} {d3 [b] 2 2}] [{d2 [a] 1 1} {d1 [a b] 1 3}] []]"
	// d1 was read before d2, though class a has both.
	want = strings.Replace(want, "{d2 [a] 1 1} {d1 [a b] 1 3}", "{d1 [a b] 1 3} {d2 [a] 1 1}", 1)
	testkit.Equal(t, fmt.Sprint(got), want)
	for _, n := range []int{0, -1} {
		testkit.Is(t, testkit.Err(words.Documents(t.Context(), c, n, "moon")), usage.ErrUsage, n, "documents")
	}
	testkit.Is(t, testkit.Err(words.Documents(t.Context(), nil, 1)), usage.ErrUsage, "nil corpus")
}

// texts gives documents, whose slices are overwritten behind the loop body, as readers do.
func texts(lines ...string) document.Batches {
	return func(yield func(document.Stream, error) bool) { yield(stream(lines), nil) }
}

func stream(lines []string) document.Stream {
	return func(yield func(document.Document, error) bool) {
		buffer := make([]byte, 0, 1<<10)
		for i, line := range lines {
			buffer = append(buffer[:0], line...)
			if !yield(document.Document{ID: fmt.Sprint("d", i), Text: buffer}, nil) {
				return
			}
			for j := range buffer {
				buffer[j] = '#'
			}
		}
	}
}

func linesOf(t *testing.T, a analysis.Options, o words.LineOptions, term string, docs ...string) string {
	found := testkit.Must(words.Lines(t.Context(), texts(docs...), a, o, words.OfTerms(term)...))
	var b strings.Builder
	for _, l := range found.Of[0].Lines {
		fmt.Fprintf(&b, "%s %s[%s]%s\n", l.ID, l.Left, l.Match, l.Right)
	}
	return b.String()
}

func TestLines(t *testing.T) {
	docs := []string{"The Moon,  over\n the sea; a moon\xff rises", "nothing", "moon above\tmoons.", "One moon."}
	for _, c := range []struct {
		o    words.LineOptions
		want string
	}{
		{words.LineOptions{Most: 9, Order: words.ByDocument}, "d0 The [Moon], over the sea; a moon\ufffd rises\nd0 The Moon, over the sea; a [moon]\ufffd rises\nd2 [moon] above moons.\nd3 One [moon].\n"},
		{words.LineOptions{Most: 9, Width: 6}, "d3 One [moon].\nd2 [moon] above\nd0 The [Moon], over\nd0 ea; a [moon]\ufffd rise\n"},
		{words.LineOptions{Most: 9, Width: 6, Order: words.ByLeft}, "d2 [moon] above\nd0 ea; a [moon]\ufffd rise\nd3 One [moon].\nd0 The [Moon], over\n"},
		{words.LineOptions{All: true, Width: 3}, "d3 ne [moon].\nd2 [moon] ab\nd0 he [Moon], o\nd0 a [moon]\ufffd r\n"},
		{words.LineOptions{}, ""},
	} {
		testkit.Equal(t, linesOf(t, analysis.Options{}, c.o, "moon", docs...), c.want, c.o)
	}
}

// No side begins or ends within what is one character to a reader, however wide it is.
func TestSidesEndBetweenCharacters(t *testing.T) {
	family, flag, letter, syllable := "👩\u200d👩\u200d👧", "🇫🇷", "e\u0301\u0323", "한"
	for _, one := range []string{family, flag, letter, syllable, "👍🏽", "क्ष", "1\ufe0f\u20e3"} {
		side := strings.Repeat(one, 9)
		for width := range 10 {
			got := linesOf(t, analysis.Options{}, words.LineOptions{Most: 1, Width: width + 2}, "moon", side+" moon "+side)
			side := strings.Repeat(one, min(width+1, 9))
			testkit.Equal(t, got, "d0 "+side+" [moon] "+side+"\n", one, width)
		}
		long := strings.Repeat(one, 200)
		got := linesOf(t, analysis.Options{}, words.LineOptions{Most: 1}, "moon", long+" moon "+long)
		testkit.Equal(t, strings.ReplaceAll(got, one, ""), "d0  [moon] \n", one)
	}
}

// Terms are found by the analysis that made them.
func TestLinesOfAnalyses(t *testing.T) {
	for _, c := range []struct {
		a          analysis.Options
		term, text string
		want       string
	}{
		{analysis.Options{Stem: "porter2"}, "run", "He runs, she was RUNNING.", "d0 He runs, she was [RUNNING].\nd0 He [runs], she was RUNNING.\n"},
		{analysis.Options{NGrams: "1-2", Stop: "glasgow"}, "new york", "in New and York, not new  york", "d0 in New and York, not [new york]\nd0 in [New and York], not new york\n"},
		{analysis.Options{Tokens: "zh-bigrams"}, "月亮", "今天月亮很圆", "d0 今天[月亮]很圆\n"},
		{analysis.Options{Tokens: "char_wb", NGrams: "3"}, " ca", "the café of\tcats", "d0 the [ca]fé of cats\nd0 the café of [ca]ts\n"},
		{analysis.Options{Tokens: "char", NGrams: "3"}, "e b", "the  bee", "d0 th[e b]ee\n"},
		{analysis.Options{}, "cooperate", "to co\u00adoperate", "d0 to [cooperate]\n"},
		{analysis.Options{Tokens: "unicode"}, "cooperate", "to co\u00adope\u00adrate", "d0 to [cooperate]\n"},
		{analysis.Options{StripAccents: "unicode"}, "cafe", "un cafe\u0301 noir", "d0 un [cafe\u0301] noir\n"},
		{analysis.Options{}, "cafe", "un cafe\u0301 noir", "d0 un [cafe\u0301] noir\n"},
		{analysis.Options{StripAccents: "unicode"}, "noir", "\u00e9te\u0301 noir e\u0302te\u0301", "d0 \u00e9te\u0301 [noir] e\u0302te\u0301\n"},
		{analysis.Options{StripAccents: "unicode", NGrams: "2"}, "cafe noir", "un Café noir", "d0 un [Café noir]\n"},
		{analysis.Options{Phrases: analysis.Phrases{"new york"}}, "new_york", "in New  York, not york", "d0 in [New York], not york\n"},
		{analysis.Options{Tokens: "unicode"}, "don't", "I don't know", "d0 I [don't] know\n"},
		{analysis.Options{Sentences: true}, "moon", "Out.\nThe moon\nrose. It set.", "d0 The [moon] rose.\n"},
		{analysis.Options{Sentences: true, NGrams: "2"}, "moon it", "The moon. It set", ""},
		{analysis.Options{Headers: "subject"}, "moon", "Subject: the moon\nFrom: moon\n\nbody moon", "d0 the [moon]\nd0 body [moon]\n"},
	} {
		testkit.Equal(t, linesOf(t, c.a, words.LineOptions{Most: 5}, c.term, c.text), c.want, c.a)
	}
}

func TestLinesOfBadInput(t *testing.T) {
	moon := words.OfTerms("moon")[0]
	counted := ingest.Batched(document.Of(document.Document{ID: "d", Features: []document.Feature{{Term: "moon", Value: 1}}}))
	if _, err := words.Lines(t.Context(), counted, analysis.Options{}, words.LineOptions{Most: 1}, moon); !errors.Is(err, usage.ErrData) {
		t.Errorf("counted documents: %v", err)
	}
	failure := errors.New("the stream fails")
	failing := ingest.Batched(func(yield func(document.Document, error) bool) { yield(document.Document{}, failure) })
	if _, err := words.Lines(t.Context(), failing, analysis.Options{}, words.LineOptions{Most: 1}, moon); !errors.Is(err, failure) {
		t.Errorf("a failing stream: %v", err)
	}
	for _, c := range []struct {
		docs document.Batches
		a    analysis.Options
		o    words.LineOptions
	}{
		{nil, analysis.Options{}, words.LineOptions{}},
		{texts("moon"), analysis.Options{Stem: "nobody"}, words.LineOptions{}},
		{texts("moon"), analysis.Options{}, words.LineOptions{Most: -1}},
		{texts("moon"), analysis.Options{}, words.LineOptions{Order: "middle"}},
		{texts("moon"), analysis.Options{}, words.LineOptions{Order: "1R,0L"}},
		{texts("moon"), analysis.Options{}, words.LineOptions{Order: "1R,"}},
		{texts("moon"), analysis.Options{}, words.LineOptions{Order: "1R,2R,3R,4R"}},
	} {
		testkit.Is(t, testkit.Err(words.Lines(t.Context(), c.docs, c.a, c.o, moon)), usage.ErrUsage, c.o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := words.Lines(ctx, texts("moon"), analysis.Options{}, words.LineOptions{Most: 1}, moon); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Up to three keys order the lines, a later one those that are equal in those before.
func TestOrders(t *testing.T) {
	var docs []document.Document
	for i, text := range []string{"b moon x y. z moon", "a moon x x", "b moon", "a moon w y"} {
		docs = append(docs, document.Document{ID: fmt.Sprint("d", i), Text: []byte(text), Labels: []string{"vu"[i%2 : i%2+1]}})
	}
	for order, want := range map[words.Order]string{
		"right": "d0z d2b d3a d1a d0b", "left": "d1a d3a d0b d2b d0z", "document": "d0b d0z d1a d2b d3a",
		"1R": "d0z d2b d3a d0b d1a", "1R,2R": "d0z d2b d3a d1a d0b", "1R,1L": "d2b d0z d3a d1a d0b", "2R,1L": "d2b d0z d1a d3a d0b",
		"class": "d1a d3a d0b d0z d2b", "class,1R": "d3a d1a d0z d2b d0b", "document,1R": "d0z d0b d1a d2b d3a", "1L,class,2R": "d1a d3a d2b d0b d0z",
		"2L": "d0b d1a d2b d3a d0z",
	} {
		found := testkit.Must(words.Lines(t.Context(), batchesOf(docs, 3), analysis.Options{Tokens: "unicode"}, words.LineOptions{All: true, Order: order}, words.OfTerms("moon")...))
		var got []string
		for _, l := range found.Of[0].Lines {
			left := strings.TrimSpace(l.Left)
			got = append(got, l.ID+left[len(left)-1:])
		}
		testkit.Equal(t, strings.Join(got, " "), want, order)
	}
}
