package reader

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// What --skip-bad leaves out are documents: the array around them must be whole.
func TestSkipBadArrays(t *testing.T) {
	docs, s, err := shown(t, `[{"text":"a"},{"txt":"b"},{"text":tru},{"text":"c"}]`, Options{SkipBad: true})
	if err != nil || !slices.Equal(docs, []string{`stdin:1 [] "a"`, `stdin:4 [] "c"`}) || len(s.Problems) != 2 {
		t.Fatal(docs, s.Problems, err)
	}
	if _, _, err := shown(t, `[{"text":"a"},{"txt":"b"}`, Options{SkipBad: true}); err == nil {
		t.Fatal("an array that breaks off is taken")
	}
}

// However large the array, it comes in frames, with the same documents and places.
func TestArrayInFrames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	var all []map[string]any
	var want []string
	for i := range 3000 {
		text := strings.Repeat(string(`ab"\{}[],: é`[rnd.IntN(12)]), rnd.IntN(600))
		text = strings.ToValidUTF8(text, "é")
		all = append(all, map[string]any{"text": text, "label": i % 3})
		want = append(want, fmt.Sprintf("stdin:%d [%d] %q", i+1, i%3, text))
	}
	compact := testkit.Must(json.Marshal(all))
	indented := testkit.Must(json.MarshalIndent(all, "", "\t"))
	for _, text := range []string{string(compact), string(indented)} {
		got, _, err := shown(t, text, Options{})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d documents, %v", len(got), err)
		}
		wrong := strings.LastIndex(text, `"text":`) + len(`"text"`)
		broken := text[:wrong] + ";" + text[wrong+1:]
		line, column := strings.Count(broken[:wrong], "\n")+1, wrong-strings.LastIndex(broken[:wrong], "\n")
		_, _, err = shown(t, broken, Options{})
		var e *Error
		if !errors.As(err, &e) || e.Pos.Line != line || e.Pos.Column != column {
			t.Fatalf("%v, want it at %d:%d", err, line, column)
		}
	}
}

// Every cut of an array is an error, except where white space is gone.
func TestCutArrays(t *testing.T) {
	const text = "[ {\"text\":\"a\\\"]}\"} ,\n{\"text\":\"b\",\"label\":[1]}\n]"
	for cut := 1; cut < len(text); cut++ {
		if _, _, err := shown(t, text[:cut], Options{Format: JSON}); !errors.Is(err, ErrBadInput) {
			t.Errorf("%q: %v", text[:cut], err)
		}
	}
}

func FuzzArrayLikeTheReference(f *testing.F) {
	for _, seed := range []string{`[{"text":"a"},{"text":"b"}]`, `[{"text":"\\\""} , {"text":"]","x":{}}]`, `[`, `[]`, `[{}]`, "[{\"text\":\"a\"}\n,{\"te"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "\ufeff") || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return // the reference knows no byte order marks
		}
		var elements []json.RawMessage
		valid := json.Unmarshal([]byte(text), &elements) == nil && elements != nil
		got, _, err := shown(t, text, Options{Format: JSON, Charset: "utf-8"}) // the reference guesses no charset
		if err == nil && !valid {
			t.Fatalf("%q is taken, and is no array", text)
		}
		if !valid {
			return
		}
		for i, element := range elements {
			want := plainJSONLine(string(element))
			if want == "" {
				if err == nil {
					t.Fatalf("%q is taken", element)
				}
				return
			}
			if err == nil && strings.ReplaceAll(want, "f:1 ", fmt.Sprintf("stdin:%d ", i+1)) != got[i] {
				t.Fatalf("%q: %s, want %s", element, got[i], want)
			}
		}
		if err != nil && !errors.Is(err, ErrEmpty) {
			t.Fatal(err)
		}
	})
}
