package analysis

import (
	"strings"
	"testing"
)

func TestSample(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"nothing":            {nil, "words"},
		"English":            {[]string{"The quick brown fox"}, "words"},
		"Chinese":            {[]string{"这本书很好"}, "zh-bigrams"},
		"half":               {[]string{"ab中文"}, "words"},
		"one more":           {[]string{"ab 中文", "字"}, "zh-bigrams"},
		"numbers do not say": {[]string{"1234567890 ... 中"}, "zh-bigrams"},
		"Japanese":           {[]string{"これはとても良い本です"}, "words"},
		"Russian":            {[]string{"Хорошая книга"}, "words"},
		"malformed":          {[]string{"\xff\xfe\xe4\xb8"}, "words"},
		"only the beginning": {[]string{strings.Repeat("a", SampleBytes), strings.Repeat("中", SampleBytes)}, "words"},
		"cut in a character": {[]string{strings.Repeat("中", SampleBytes), strings.Repeat("a", SampleBytes)}, "zh-bigrams"},
	} {
		var s Sample
		for _, text := range c.texts {
			s.Add([]byte(text))
		}
		if got := s.Tokens(); got != c.want {
			t.Errorf("%s: %s, want %s: %+v", name, got, c.want, s)
		}
		if got, want := s.Full(), len(strings.Join(c.texts, "")) >= SampleBytes; got != want {
			t.Errorf("%s: full %v", name, got)
		}
	}
}

// An analyzer cannot decide by itself, for it has no texts.
func TestAutoIsNoAnalyzer(t *testing.T) {
	if a, err := New(Options{Tokens: Auto}); err == nil {
		t.Fatalf("%+v", a.Options())
	}
	if _, err := New(Options{Tokens: "word"}); err == nil || !strings.Contains(err.Error(), "did you mean words?; known: auto words") {
		t.Fatal(err)
	}
}
