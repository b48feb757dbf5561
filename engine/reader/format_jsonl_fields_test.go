package reader

import (
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

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
