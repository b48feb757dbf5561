package reader

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file finds the fields of JSON that are no fields of the object itself: paths such as
// data.text, and texts that are joined of several fields.

// follow looks up the fields that the object itself does not have. A field whose name is the
// whole path goes before the path.
func (j *jsonObject) follow() {
	for f, name := range j.p.fields {
		if j.p.paths[f] && j.fields[f] == nil {
			j.fields[f] = j.inside(j.line, name)
		}
	}
	if j.p.parts != nil && j.field(jsonText) == nil {
		j.join()
	}
}

// inside returns the bytes of the field that a path leads to, nil for none. Of the fields
// whose name begins the path the longest is followed.
func (j *jsonObject) inside(object []byte, path string) []byte {
	var whole, within []byte
	longest := 0
	s := jsonScan{data: object}
	s.object(func(key, value []byte) {
		name := j.short(key)
		switch n := len(name); {
		case string(name) == path:
			whole = value
		case n >= longest && n < len(path) && path[n] == '.' && path[:n] == string(name):
			longest, within = n, value
		}
	})
	if whole != nil || len(within) == 0 || within[0] != '{' {
		return whole
	}
	return j.inside(within, path[longest+1:])
}

// join makes the text of the fields that are there.
func (j *jsonObject) join() {
	joined, some := j.p.join(j.p.parts, func(part int) ([]byte, bool) {
		raw := j.inside(j.line, j.p.parts[part])
		switch {
		case raw == nil || string(raw) == "null":
			return nil, false
		case raw[0] != '"':
			j.fail(`"`+j.p.parts[part]+`" is not text`, raw, "name other fields with --text-field")
			return nil, false
		}
		return j.short(raw), true
	})
	if some {
		j.joined = joined
	}
}

// mostNested is how deep the names of fields are listed.
const mostNested = 3

// names lists the fields of the object that are no objects, those within objects as paths.
func (j *jsonObject) names() (all fieldNames) {
	j.eachField(func(name string, _ []byte) { all = append(all, name) })
	return all
}

// eachField calls yield with the fields of the object that are no objects, those within objects as paths.
func (j *jsonObject) eachField(yield func(name string, value []byte)) {
	var list func(object []byte, prefix string, depth int)
	list = func(object []byte, prefix string, depth int) {
		s := jsonScan{data: object}
		s.object(func(key, value []byte) {
			name := prefix + strings.ToValidUTF8(string(unescape(nil, key[1:len(key)-1])), "\ufffd")
			if value[0] == '{' && depth < mostNested {
				list(value, name+".", depth+1)
				return
			}
			yield(name, value)
		})
	}
	list(j.line, "", 1)
}

// missing fails because the document has neither a text nor counts.
func (j *jsonObject) missing(name string) {
	if j.err != nil {
		return
	}
	if null := j.nullText(); null != "" {
		j.fail(`its "`+null+`" is null`, nil, "--skip-bad leaves such documents out; name another field with --text-field")
		return
	}
	there := j.names()
	e := &Error{Pos: j.pos, Kind: `the document is not understood: it has neither "` + name + `" nor "counts"`}
	e.textless, e.Fields = j.p.s.opt.TextField == "", there
	e.Problem, e.Remedy = e.Kind, there.remedy(name, "name the field of the text with --text-field")
	j.eachField(func(name string, value []byte) {
		if rest := bytes.TrimLeft(value[1:], " \t\r\n"); value[0] == '[' && rest[0] == '{' {
			e.Remedy = fmt.Sprintf("the list %.40q has objects: if they are the documents, write it alone, as jq '.%.40s' FILE does", name, name)
		}
	})
	has := func(name string) bool { return slices.Contains(there, name) }
	if has("columns") && has("data") || has("schema.fields") && has("data") || has("0."+name) { // other orients of a data frame
		e.Remedy = frameRemedy
	}
	if len(there) > 0 {
		e.Problem += "; there are " + there.String()
	}
	j.err = e
}

// nullText returns the name of the text, or of the first part of it, that is there and null; ""
// if none is.
func (j *jsonObject) nullText() string {
	if j.fields[jsonText] != nil {
		return j.p.fields[jsonText]
	}
	for _, name := range j.p.parts {
		if j.inside(j.line, name) != nil {
			return name
		}
	}
	return ""
}

// frameRemedy says how a program that has a data frame writes what is read.
const frameRemedy = `a data frame is written by to_json(orient="records")`

// refuseFrame fails for an object with the columns of a data frame, each an object of the
// values by their numbers, as pandas writes it by default.
func (j *jsonObject) refuseFrame() {
	text := j.field(jsonText)
	if text == nil || text[0] != '{' {
		return
	}
	columns := false
	s := jsonScan{data: text}
	s.object(func(key, _ []byte) { columns = columns || string(key) == `"0"` })
	if columns {
		j.fail("its fields are columns of a data frame", text, frameRemedy)
	}
}

// refuseLists fails for lists that are columns: as many labels as elements of the text, and these have more words than
// one.
func (j *jsonObject) refuseLists(d document.Document) {
	n, labels := len(j.p.words), 0
	if raw := j.field(jsonLabel); raw != nil && raw[0] == '[' {
		s := jsonScan{data: raw}
		s.array(func([]byte) { labels++ })
	}
	const columns = "its text and its labels are lists of the same length, as columns of a data frame"
	switch {
	case n < 2 || labels != n:
	case spacedWord(d.Features) != "":
		j.fail(columns, j.field(jsonText), frameRemedy)
	default:
		j.p.tally.remark(j.p.frame, wrong(j.pos, columns, j.field(jsonText), "they were read as the tokens and labels of one document; "+frameRemedy).of(columns))
	}
}

// spacedWord returns the first term with a space in it, "" for none.
func spacedWord(features []document.Feature) string {
	for _, f := range features {
		if strings.IndexByte(f.Term, ' ') >= 0 {
			return f.Term
		}
	}
	return ""
}

const countsRemedy = `write "counts":{"term":3}`

// counts reads an object of terms with whole numbers from 1 on and returns them in the
// order of the terms' bytes. A term that occurs twice is an error, since it cannot be known
// which of its counts is meant.
func (j *jsonObject) counts(raw []byte) []document.Feature {
	if raw[0] != '{' {
		j.fail(`"counts" is not an object`, raw, countsRemedy)
		return nil
	}
	features := j.p.features[:0]
	rising := true
	s := jsonScan{data: raw}
	s.object(func(key, value []byte) {
		name := j.short(key)
		if len(name) > j.p.s.opt.MaxName {
			j.tooLong("a term", "a term of \"counts\"", name)
			return
		}
		count, err := strconv.ParseUint(string(value), 10, 32)
		f := document.Feature{Term: j.p.terms.intern(name), Value: float64(count)}
		if err != nil || count == 0 {
			j.fail(fmt.Sprintf("the count of %.80q is %s, not a whole number from 1 to %d", f.Term, j.plain(value), uint32(math.MaxUint32)),
				nil, countsRemedy).of("a count is not a whole number")
		}
		rising = rising && (len(features) == 0 || features[len(features)-1].Term < f.Term)
		features = append(features, f)
	})
	j.p.features = features
	if rising {
		return features
	}
	slices.SortFunc(features, func(a, b document.Feature) int { return strings.Compare(a.Term, b.Term) })
	for i := 1; i < len(features); i++ {
		if term := features[i].Term; term == features[i-1].Term {
			j.fail(fmt.Sprintf("\"counts\" has %.80q twice", term), nil, "add the counts of a term up").of("a term is counted twice")
		}
	}
	return features
}

// tokens returns the tokens of a text that is a list of them, each counted, in the order of
// their bytes. They are terms as they stand; one without a byte is none.
func (j *jsonObject) tokens(raw []byte) []document.Feature {
	words := j.p.words[:0]
	s := jsonScan{data: raw}
	s.array(func(value []byte) {
		if value[0] != '"' {
			j.fail(`"`+j.p.fields[jsonText]+`" is a list of other things than tokens`, value, "name another field with --text-field")
			return
		}
		name := j.short(value)
		if len(name) > j.p.s.opt.MaxName {
			j.tooLong("a token", "a token", name)
			return
		}
		if len(name) > 0 {
			words = append(words, j.p.terms.intern(name))
		}
	})
	j.p.words = words
	return j.p.countWords(j.pos)
}

// countWords returns the words of the document in the order of their bytes, with their counts.
func (p *parser) countWords(pos document.Position) []document.Feature {
	slices.Sort(p.words)
	p.features = p.features[:0]
	for i, word := range p.words {
		if i == 0 || word != p.words[i-1] {
			p.features = append(p.features, document.Feature{Term: word})
		}
		p.features[len(p.features)-1].Value++
	}
	if word := spacedWord(p.features); word != "" {
		p.tally.remark(p.frame, wrong(pos, "the text is a list, whose elements are terms as they stand, and one has a space in it", word,
			"join the elements to one text if they are sentences").of("a list with a space in an element"))
	}
	return p.features
}

// tooLong fails for a name that is longer than names may be.
func (j *jsonObject) tooLong(kind, what string, name []byte) {
	problem := fmt.Sprintf("%s has %d bytes, more than %d: %q", what, len(name), j.p.s.opt.MaxName, quotable(name))
	j.fail(problem, nil, "raise the limit with --max-name").of(kind + " is too long")
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
