package reader

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

const countsRemedy = `write "counts":{"term":3}`

// counts reads an object of terms with whole numbers from 1 on and returns them in the
// order of the terms' bytes. A term that occurs twice is an error, since it cannot be known
// which of its counts is meant.
func (j *jsonObject) counts(raw []byte) []document.Feature {
	if raw[0] != '{' {
		j.fail(`"counts" is not an object`, raw, countsRemedy)
		return nil
	}
	scratch := j.p
	if scratch.features == nil {
		scratch.features = []document.Feature{} // nil would say that there is a text
	}
	features := scratch.features[:0]
	rising := true
	s := j.scan(raw)
	s.object(func(key, value []byte) {
		name := j.short(key)
		if len(name) > j.p.s.opt.MaxName {
			j.failCount("a term is too long", fmt.Sprintf("a term of \"counts\" has %d bytes, more than %d: %q", len(name), j.p.s.opt.MaxName, quotable(name)),
				"raise the limit with --max-name")
			return
		}
		f := document.Feature{Term: scratch.terms.intern(name), Value: wholeCount(value)}
		if f.Value == 0 {
			j.failCount("a count is not a whole number", fmt.Sprintf("the count of %.80q is %s, not a whole number from 1 to %d",
				f.Term, j.plain(value), uint32(math.MaxUint32)), countsRemedy)
		}
		rising = rising && (len(features) == 0 || features[len(features)-1].Term < f.Term)
		features = append(features, f)
	})
	scratch.features = features
	if rising {
		return features
	}
	slices.SortFunc(features, func(a, b document.Feature) int { return strings.Compare(a.Term, b.Term) })
	for i := 1; i < len(features); i++ {
		if term := features[i].Term; term == features[i-1].Term {
			j.failCount("a term is counted twice", fmt.Sprintf("\"counts\" has %.80q twice", term), "add the counts of a term up")
		}
	}
	return features
}

// tokens returns the tokens of a text that is a list of them, each counted, in the order of
// their bytes. They are terms as they stand; one without a byte is none.
func (j *jsonObject) tokens(raw []byte) []document.Feature {
	scratch := j.p
	words := scratch.words[:0]
	s := j.scan(raw)
	s.array(func(value []byte) {
		if value[0] != '"' {
			j.fail(`"`+j.p.fields[jsonText]+`" is a list of other things than tokens`, value, "name another field with --text-field")
			return
		}
		name := j.short(value)
		if len(name) > j.p.s.opt.MaxName {
			j.failCount("a token is too long", fmt.Sprintf("a token has %d bytes, more than %d: %q", len(name), j.p.s.opt.MaxName, quotable(name)),
				"raise the limit with --max-name")
			return
		}
		if len(name) > 0 {
			words = append(words, scratch.terms.intern(name))
		}
	})
	scratch.words = words
	scratch.features = countTokens(words, scratch.features)
	return scratch.features
}

// countTokens returns the tokens in the order of their bytes with their counts, in the memory of
// features. It orders them.
func countTokens(tokens []string, features []document.Feature) []document.Feature {
	slices.Sort(tokens)
	if features == nil {
		features = []document.Feature{} // nil would say that there is a text
	}
	features = features[:0]
	for i, token := range tokens {
		if i == 0 || token != tokens[i-1] {
			features = append(features, document.Feature{Term: token})
		}
		features[len(features)-1].Value++
	}
	return features
}

// failCount is fail for a problem whose text names a term, so that it needs a kind.
func (j *jsonObject) failCount(kind, problem, remedy string) {
	if j.err == nil {
		j.err = &Error{Pos: j.pos, Kind: kind, Problem: "the document is not understood: " + problem, Remedy: remedy}
	}
}

// wholeCount returns the value of a whole number from 1 to 2^32-1, 0 for anything else.
func wholeCount(value []byte) float64 {
	if len(value) > len("4294967295") {
		return 0
	}
	n := uint64(0)
	for _, c := range value {
		if !isDigit(c) {
			return 0
		}
		n = n*10 + uint64(c-'0')
	}
	if n > math.MaxUint32 {
		return 0
	}
	return float64(n)
}

// plain returns a value for the text of an error, without objects and lists.
func (j *jsonObject) plain(value []byte) string {
	switch value[0] {
	case '"':
		return fmt.Sprintf("%.80q", j.short(value))
	case '{', '[':
		return "an object or list"
	}
	return fmt.Sprintf("%.80s", value)
}
