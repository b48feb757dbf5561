package reader

import (
	"slices"
	"strings"
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
	s := j.scan(object)
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
	joined, some, _ := j.p.join(j.p.parts, func(part int) ([]byte, bool, error) {
		raw := j.inside(j.line, j.p.parts[part])
		switch {
		case raw == nil || string(raw) == "null":
			return nil, false, nil
		case raw[0] != '"':
			j.fail(`"`+j.p.parts[part]+`" is not text`, raw, "name other fields with --text-field")
			return nil, false, j.err
		}
		j.p.text = unescape(j.p.text[:0], raw[1:len(raw)-1])
		return j.p.text, true, nil
	})
	if some {
		j.joined = joined
	}
}

// mostNested is how deep the names of fields are listed.
const mostNested = 3

// names lists the fields of the object that are no objects, those within objects as paths.
func (j *jsonObject) names() fieldNames {
	var all fieldNames
	var list func(object []byte, prefix string, depth int)
	list = func(object []byte, prefix string, depth int) {
		s := jsonScan{data: object, out: make([]byte, len(object))}
		s.object(func(key, value []byte) {
			name := prefix + strings.ToValidUTF8(string(unescape(nil, key[1:len(key)-1])), "\ufffd")
			if value[0] == '{' && depth < mostNested {
				list(value, name+".", depth+1)
				return
			}
			all = append(all, name)
		})
	}
	list(j.line, "", 1)
	return all
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
	e.Problem, e.Remedy = e.Kind, there.remedy(name, "name the field of the text with --text-field")
	if there.ofFrame(name) {
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
	s := j.scan(text)
	s.object(func(key, _ []byte) { columns = columns || string(key) == `"0"` })
	if columns {
		j.fail("its fields are columns of a data frame", text, frameRemedy)
	}
}

// ofFrame reports whether the names are those that pandas gives to a data frame by other
// orients: by its parts, or by the numbers of the rows.
func (n fieldNames) ofFrame(text string) bool {
	has := func(name string) bool { return slices.Contains(n, name) }
	return has("columns") && has("data") || has("schema.fields") && has("data") || has("0."+text)
}

// unlabelled records the document as one without a field of labels.
func (j *jsonObject) unlabelled() { j.p.noLabel(j.pos, j.names) }
