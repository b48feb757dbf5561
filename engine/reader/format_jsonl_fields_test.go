package reader

import (
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestPathsAndJoinedFields(t *testing.T) {
	path := Options{TextField: "data.text", LabelField: "data.meta.class", IDField: "data.id"}
	joined := Options{TextField: "title, data.body"}
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"a path":                {`{"data":{"text":"a\nb","meta":{"class":3},"id":"x"}}`, path, `x [3] "a\nb"`},
		"escaped keys":          {`{"d\u0061ta":{"te\u0078t":"é"}}`, path, `stdin:1 [] "é"`},
		"a name like a path":    {`{"data":{"text":"no"},"data.text":"yes"}`, path, `stdin:1 [] "yes"`},
		"such a name inside":    {`{"data":{"meta.class":"yes","meta":{"class":"no"},"text":""}}`, path, `stdin:1 [yes] ""`},
		"the longest beginning": {`{"data.meta":{"class":"yes"},"data":{"meta":{"class":"no"},"text":"t"}}`, path, `stdin:1 [yes] "t"`},
		"the last of two":       {`{"data":{"text":"a"},"data":{"text":"b"}}`, path, `stdin:1 [] "b"`},
		"not UTF-8":             {"{\"data\":{\"text\":\"a\xffb\"}}", path, `stdin:1 [] "aÿb"`},
		"two fields":            {`{"title":"A","data":{"body":"b"}}`, joined, `stdin:1 [] "A\nb"`},
		"one of them":           {`{"data":{"body":"b"},"label":"x"}`, joined, `stdin:1 [x] "b"`},
		"one of them null":      {`{"title":null,"data":{"body":""}}`, joined, `stdin:1 [] ""`},
		"a name with a comma":   {`{"title, data.body":"t","title":"no"}`, joined, `stdin:1 [] "t"`},
	} {
		t.Run(name, func(t *testing.T) {
			docs, err := collect(t, c.text, c.opt)
			if err != nil || len(docs) != 1 || show(docs[0]) != c.want {
				t.Fatalf("%v, %v, want %s", docs, err, c.want)
			}
		})
	}
}

func TestFieldsThatAreMissing(t *testing.T) {
	for name, c := range map[string]struct {
		text, field, want string
	}{
		"another name":        {`{"texts":"t","id":1}`, "", `it has neither "text" nor "counts"; there are "texts", "id"; did you mean "texts"? name the field of the text with --text-field`},
		"in capitals":         {`{"TEXT":"t"}`, "", `did you mean "TEXT"?`},
		"nothing near":        {`{"review":"t","stars":5}`, "", `there are "review", "stars"; name the field of the text`},
		"no field":            {`{}`, "", `nor "counts"; name the field`},
		"a path to nothing":   {`{"data":{"body":"t"}}`, "data.text", `there are "data.body"; name the field`},
		"a path to an object": {`{"data":{"text":{"en":"t"}}}`, "data.text", `"data.text" is not text, nor a list of tokens: "{\"en\":\"t\"}"`},
		"a path into a text":  {`{"data":"t"}`, "data.text", `neither "data.text" nor "counts"; there are "data"`},
		"a path into a list":  {`{"data":[{"text":"t"}]}`, "data.text", `there are "data"`},
		"all of the joined":   {`{"x":"t"}`, "title,body", `neither "title,body" nor "counts"; there are "x"`},
		"a joined number":     {`{"title":5,"body":"t"}`, "title,body", `"title" is not text: "5"`},
		"text and counts":     {`{"title":"t","counts":{"a":1}}`, "title,body", `both "title,body" and "counts"`},
		"many fields":         {`{` + strings.Repeat(`"x":1,`, 30) + `"y":1}`, "", `and 11 more`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collect(t, c.text, Options{Format: JSONL, TextField: c.field})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
		})
	}
}

// A part that no document has is told, because it may be misspelt.
func TestPartsThatNoDocumentHas(t *testing.T) {
	for text, want := range map[string]string{
		`{"title":"a"}` + "\n" + `{"title":"b"}`:  `no document has the field "body" of --text-field; it is taken as empty`,
		`{"title":"a"}` + "\n" + `{"body":"b"}`:   "",
		`{"title,body":"a"}` + "\n" + `{"x":"b"}`: "",
	} {
		_, s, _ := shown(t, text, Options{Format: JSONL, TextField: "title,body"})
		if got := strings.Join(s.Notes, ""); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
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
		"null is a label": {`{"text":"t","label":null}`, Options{}, `there are "text", "label"; did you mean "label"?`},
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
