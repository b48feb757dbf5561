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
		testkit.OK(err)
		testkit.EqualSlices(testkit.Stop(t), got, want, len(got), "documents")
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
				testkit.Fails(testkit.Stop(t), err, element, "is taken")
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

// A part that no document has is told, because it may be misspelt.
func TestPartsThatNoDocumentHas(t *testing.T) {
	for text, want := range map[string]string{
		`{"title":"a"}` + "\n" + `{"title":"b"}`:  `no document has the field "body" of --text-field; it is taken as empty`,
		`{"title":"a"}` + "\n" + `{"body":"b"}`:   "",
		`{"title,body":"a"}` + "\n" + `{"x":"b"}`: "",
	} {
		_, s, _ := shown(t, text, Options{Format: JSONL, TextField: "title,body"})
		testkit.Equal(t, strings.Join(s.Notes, ""), want, text)
	}
}

func TestLabelHint(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"JSON":            {`{"text":"t","Labels":"x","data":{"y":1}}`, Options{}, `stdin:1 has no field "labels" or "label"; there are "text", "Labels", "data.y"; did you mean "Labels"? name the field with --label-field`},
		"a named one":     {`{"text":"t","category":1}`, Options{LabelField: "catgory"}, `no field "catgory"; there are "text", "category"; did you mean "category"?`},
		"null is a label": {`{"text":"t","label":null}`, Options{}, `the field "label" of stdin:1 is null; name another field with --label-field`},
		"labelled":        {`{"text":"t","labels":[]}`, Options{}, ""},
		"CSV":             {"text,class\nt,a\n", Options{Format: CSV}, `stdin:2 has no field "labels" or "label"; there are "text", "class"; name the field`},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Stdin = strings.NewReader(c.text)
			s := testkit.Must(Read(t.Context(), []string{"-"}, c.opt))
			for range testkit.All(s.Documents()) {
			}
			if got := s.LabelHint(); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Fatalf("%q, want %q", got, c.want)
			}
		})
	}
}

// JSON that holds rows in another way is refused with the way out, or read with a note where it may be meant.
func TestJSONThatIsNoRow(t *testing.T) {
	for text, c := range map[string]struct{ refused, note string }{
		`{"text":["alpha one","beta"],"label":["a","b"]}`:               {refused: "its text and its labels are lists of the same length, as columns of a data frame"},
		`{"t":["alpha one","beta"],"label":["a","b"]}`:                  {refused: `there are "t", "label"`},
		`{"text":["alpha","beta"],"label":["a","b"]}`:                   {note: "are lists of the same length, as columns of a data frame"},
		`{"text":["One sentence.","Two."],"label":"a"}`:                 {note: `one has a space in it: "One sentence."; join the elements`},
		`{"text":["new york","x"],"label":["a","b","c"]}`:               {note: `one has a space in it: "new york"`},
		`{"text":["alpha","beta"],"labels":["a","b"]}`:                  {},
		`{"text":["alpha","beta"],"label":["a"]}`:                       {},
		`{"data":[{"text":"x","label":"a"}]}`:                           {refused: `the list "data" has objects: if they are the documents, write it alone, as jq '.data' FILE does`},
		`{"meta":{"n":1},"hits":{"hits":[ {"text":"x","label":"a"} ]}}`: {refused: `as jq '.hits.hits' FILE does`},
		`{"data":[["x","a"]],"columns":["text","label"]}`:               {refused: "to_json"},
		`{"title":"x","tags":["y"],"list":[]}`:                          {refused: "name the field of the text with --text-field"},
	} {
		for _, format := range []string{JSONL, JSON} {
			_, sum, err := shown(t, text, Options{Format: format})
			if c.refused != "" {
				testkit.Refused(t, err, ErrBadInput, c.refused, text)
				continue
			}
			testkit.OK(err)
			testkit.Contains(t, strings.Join(sum.Notes, "\n"), c.note, text)
			testkit.Equal(t, len(sum.Notes) > 0, c.note != "", text, sum.Notes)
		}
	}
}
