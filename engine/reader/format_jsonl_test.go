package reader

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// A documentParser parses the lines of a format.
type documentParser interface {
	document(line []byte, pos document.Position) error
}

// documentParsers are those of the parsers of tests, so that a line finds the memory of those before.
var documentParsers = map[*parser]map[string]documentParser{}

func documentParserOf(p *parser, f string) documentParser {
	if documentParsers[p] == nil {
		documentParsers[p] = map[string]documentParser{JSONL: newJSONParser(p), SVMLight: &svmlightParser{parser: p}}
	}
	return documentParsers[p][f]
}

// parseLine reads one line of a format with a parser.
func parseLine(p *parser, f string, line string) (shown string, err error) {
	p.deliver = func(d document.Document) error {
		shown += show(d)
		return nil
	}
	err = documentParserOf(p, f).document([]byte(line), document.Position{File: "f", Line: 1})
	return shown, err
}

func newParser(t testing.TB, opt Options) *parser {
	s := testkit.Must(Read(t.Context(), nil, opt))
	return s.newParser()
}

// plainJSONLine is the reference: it reads a line by encoding/json. It gives ""
// where the line is refused.
func plainJSONLine(line string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &fields) != nil {
		return ""
	}
	maps.DeleteFunc(fields, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	d := document.Document{ID: "f:1"}
	if raw, ok := fields["id"]; ok {
		var id string
		var number json.Number
		if json.Unmarshal(raw, &id) == nil && id != "" {
			d.ID = id
		} else if id == "" && string(raw) != `""` {
			if json.Unmarshal(raw, &number) == nil {
				d.ID = number.String()
			} // else nobody asked for it
		}
	}
	raw, ok := fields["labels"]
	if !ok {
		raw, ok = fields["label"]
	}
	if ok {
		many := []json.RawMessage{raw}
		if raw[0] == '[' && json.Unmarshal(raw, &many) != nil {
			return ""
		}
		for _, value := range many {
			var text string
			switch c := value[0]; {
			case c == '{' || c == '[' || c == 'n':
				return ""
			case c != '"':
				text = string(value) // a number, true or false
			case json.Unmarshal(value, &text) != nil:
				return ""
			}
			if text != "" {
				d.Labels = append(d.Labels, text)
			}
		}
	}
	if lossy(raw, d.Labels...) || lossy(fields["id"], d.ID) {
		return ""
	}
	d.Labels = distinct(d.Labels)
	text, counts := fields["text"], fields["counts"]
	if (text == nil) == (counts == nil) {
		return ""
	}
	if text != nil && text[0] == '[' {
		if d.Features = plainTokens(text); d.Features == nil {
			return ""
		}
		return show(d)
	}
	if text != nil {
		var s string
		if json.Unmarshal(text, &s) != nil {
			return ""
		}
		d.Text = []byte(s)
		return show(d)
	}
	if d.Features = plainCounts(counts); d.Features == nil {
		return ""
	}
	return show(d)
}

// plainTokens gives nil where a list has other things than tokens.
func plainTokens(raw json.RawMessage) []document.Feature {
	var tokens []any
	if json.Unmarshal(raw, &tokens) != nil {
		return nil
	}
	counts := map[string]float64{}
	for _, token := range tokens {
		word, ok := token.(string)
		if !ok {
			return nil
		}
		if word != "" {
			counts[word]++
		}
	}
	features := []document.Feature{}
	for _, term := range slices.Sorted(maps.Keys(counts)) {
		features = append(features, document.Feature{Term: term, Value: counts[term]})
	}
	return features
}

// lossy says that what means no character became U+FFFD in a name.
func lossy(raw []byte, names ...string) bool {
	given := strings.Count(string(raw), "\ufffd") + strings.Count(strings.ToLower(string(raw)), `\ufffd`)
	return strings.Count(strings.Join(names, ""), "\ufffd") > given
}

// plainCounts gives nil where the counts are refused. A map would hide a term that
// stands there twice.
func plainCounts(raw json.RawMessage) []document.Feature {
	features := []document.Feature{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		key, _ := d.Token()
		term := key.(string)
		value, err := d.Token()
		number, ok := value.(json.Number)
		n, bad := strconv.ParseUint(number.String(), 10, 32)
		if err != nil || !ok || bad != nil || n == 0 || seen[term] {
			return nil
		}
		seen[term] = true
		features = append(features, document.Feature{Term: term, Value: float64(n)})
	}
	slices.SortFunc(features, func(a, b document.Feature) int { return strings.Compare(a.Term, b.Term) })
	return features
}

// checkJSON compares with the reference. The reference knows no limit for
// names, so that no line may reach it.
func checkJSON(t *testing.T, p *parser, line string) {
	t.Helper()
	if len(strings.TrimSpace(line)) == 0 || len(line) > p.s.opt.MaxName {
		return
	}
	got, err := parseLine(p, JSONL, line)
	if want := plainJSONLine(line); got != want || (err == nil) != (want != "") {
		t.Fatalf("%q: got %s, %v; want %s", line, got, err, want)
	}
}

var jsonSeeds = []string{
	`{"id":"x","labels":["a","b","a"],"text":"hi\u0041\n\t\"\\\/\b\f\r"}`, `{"id":7,"label":null,"counts":{"a":1}}`,
	`{"text":"\ud83d\ude00 \ud83d \ude00 \ud83d\u0041 \uD83Dx\u00e9"}`, `{"te\u0078t":"t","more":[1,-2.5e+3,true,false,null,{}]}`,
	`{"text":"a","text":"b","labels":"x","labels":["y"]}`, `{"text":"a","label":1.50}`, `{"text":"","labels":[true,-1e9,"é",false,7]}`, ` { "counts" : { "b" : 2 , "a" : 4294967295 } } `,
	`{"id":-0.5e10,"text":""}`, `{"id":"","text":"0123456789\\0123456789"}`, `{"counts":{"a":01}}`, `{"counts":{"é":1,"\u00e9":2}}`,
	`{"text":"t","x":.5}`, `{"text":"t","x":1.}`, `{"text":"t","x":1e}`, `{"text":"t","x":-}`, `{"text":"t","x":00}`, `{"text":"t"]`,
	"{\"text\":\"caf\xe9 \xe4\xb8\\u0041\xff\"}", "{\"t\xe9xt\":1,\"text\":\"\x7f\"}", "{\"text\":\"a\tb\"}", "{\"text\":\"a\x00b\"}",
	`null`, `[]`, `"text"`, `{}`, `{"text":nul}`, `{"text":"t"}{}`, `{"text" "t"}`, `{"text":"\x41"}`, `{"text":"\u12g4"}`, `{"text":"\'"}`,
	`{"text":["b","a","b",""],"label":"","labels":["","x"]}`, `{"text":[],"id":true}`, `{"text":["a",1],"id":{"$oid":"7"}}`, `{"text":[null]}`, `{"text":["\u00e9","é"],"id":[]}`,
	`{"text":"t",}`, `{,"text":"t"}`, `{"text":"t","x":[1,]}`, `{"text":"t","x":[,1]}`, "{\"text\":\"t\"}\v", "\ufeff{\"text\":\"t\"}",
}

func TestJSONLikeTheReference(t *testing.T) {
	p := newParser(t, Options{})
	for _, line := range jsonSeeds {
		checkJSON(t, p, line)
		for cut := range len(line) {
			checkJSON(t, p, line[:cut])
		}
	}
	eachMutation(rand.New(rand.NewPCG(4, 2)), jsonSeeds, "{}[]\",:\\ue0 19.-+tfn\x00\x1f\x80\xff", 20_000, func(line string) { checkJSON(t, p, line) })
}

func FuzzJSONLikeTheReference(f *testing.F) {
	for _, line := range jsonSeeds {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) { checkJSON(t, newParser(t, Options{}), line) }) // a parser remembers labels
}

// Every place of every byte that ends a run of plain text, in words of eight.
func TestPlainLength(t *testing.T) {
	for length := 1; length < 40; length++ {
		for at := range length {
			for c := range 256 {
				text := bytes.Repeat([]byte{0x80 | byte(length)}, length)
				text[at] = byte(c)
				want := indexOrEnd(text[:at+1], byte(c))
				if c != '"' && c != '\\' && c >= ' ' {
					want = length
				}
				testkit.Equal(testkit.Stop(t), plainLength(text), want, "length of", string(text))
			}
		}
	}
}

// Of what is left out the summary has the kinds, whatever stands in the lines.
func TestBadLinesByKind(t *testing.T) {
	for format, c := range map[string]struct {
		text string
		want map[string]int
	}{
		JSONL: {
			`{"counts":{"a":0}}` + "\n" + `{"counts":{"b":1.5}}` + "\n" + `{"counts":{"c":1,"a":1,"c":1}}` + "\n" + `{` + "\n" + `{"text":}` + "\n" + `{"text":"good"}`,
			map[string]int{"a count is not a whole number": 2, "a term is counted twice": 1, "malformed JSON": 2},
		},
		SVMLight: {
			"1 3:1 3:1\n1 4:1 4:1\n1 5:x\n2 1:1", map[string]int{"an index stands there twice": 2, "the value is not a decimal number": 1},
		},
	} {
		s := testkit.Must(Read(t.Context(), []string{"-"}, Options{Format: format, SkipBad: true, Stdin: strings.NewReader(c.text)}))
		for range testkit.All(s.Documents()) {
		}
		got := map[string]int{}
		for _, p := range s.Summary().Problems {
			got[p.Kind] = p.Count
		}
		if !maps.Equal(got, c.want) || s.Summary().Documents != 1 {
			t.Errorf("%s: %v, %d documents", format, got, s.Summary().Documents)
		}
	}
}

// A line costs its id, and nothing else once its labels and terms are known.
func TestLineAllocations(t *testing.T) {
	for name, c := range map[string]struct {
		line   string
		format string
		want   float64
	}{
		"text":     {`{"id":"an id","labels":["a","b"],"text":"escaped\n\u00e9","more":[1,{"x":null}]}`, JSONL, 1},
		"verbatim": {`{"label":"a","text":"` + strings.Repeat("plain ", 1000) + `"}`, JSONL, 1},
		"counts":   {`{"id":"an id","labels":["a","b"],"counts":{"x":1,"a\u00e9":70000}}`, JSONL, 1},
		"svmlight": {"1,2 qid:7 1:1 70000:0.25 9999999999:1e-3 # comment", SVMLight, 1},
	} {
		p := newParser(t, Options{})
		documents := 0
		p.deliver = func(document.Document) error {
			documents++
			return nil
		}
		line, pos := []byte(c.line), document.Position{File: "f", Line: 123456}
		parse := documentParserOf(p, c.format).document
		if got := testing.AllocsPerRun(100, func() { _ = parse(line, pos) }); got > c.want || documents != 101 {
			t.Errorf("%s: %v allocations for each of %d documents", name, got, documents)
		}
	}
}

// A field may hold several labels, with something between them.
func TestLabelSeparator(t *testing.T) {
	for text, opt := range map[string]Options{
		"label,text\n\"a, b,,a \",t\n":       {Format: CSV, LabelSeparator: ","},
		"label\ttext\na | b\tt\n":            {Format: TSV, LabelSeparator: "|"},
		"label,text\na::b,t\n":               {Format: CSV, LabelSeparator: "::"},
		`{"label":"a,b","text":"t"}`:         {LabelSeparator: ","},
		`{"labels":["a,b"," b"],"text":"t"}`: {LabelSeparator: ","},
	} {
		docs, err := collect(t, text, opt)
		if err != nil || len(docs) != 1 || !slices.Equal(docs[0].Labels, []string{"a", "b"}) {
			t.Errorf("%s: %v, %v", text, docs, err)
		}
	}
	docs, err := collect(t, "label,text\n\"a,b\",t\n", Options{Format: CSV})
	testkit.OK(err)
	testkit.EqualSlices(t, docs[0].Labels, []string{"a,b"}, "without a separator", docs)
	_, err = collect(t, "label,text\n\""+strings.Repeat("a,", 50)+"\",t\n", Options{Format: CSV, LabelSeparator: ",", MaxLabels: 20})
	testkit.Says(t, err, "more than 20 labels", "many labels")
}
