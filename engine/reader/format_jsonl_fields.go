package reader

import "strings"

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

// join makes the text of the fields that are there, one line behind the other.
func (j *jsonObject) join() {
	joined := j.p.joined[:0]
	for _, name := range j.p.parts {
		raw := j.inside(j.line, name)
		switch {
		case raw == nil || string(raw) == "null":
			continue
		case raw[0] != '"':
			j.fail(`"`+name+`" is not text`, raw, "name other fields with --text-field")
			return
		}
		if j.joined != nil {
			joined = append(joined, '\n')
		}
		joined = unescape(joined, raw[1:len(raw)-1])
		if joined == nil {
			joined = []byte{}
		}
		j.joined = joined
		j.p.seenPart(name)
	}
	j.p.joined = joined
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
	there := j.names()
	e := &Error{Pos: j.pos, Kind: `the document is not understood: it has neither "` + name + `" nor "counts"`}
	e.Problem, e.Remedy = e.Kind, there.remedy(name, "name the field of the text with --text-field")
	if len(there) > 0 {
		e.Problem += "; there are " + there.String()
	}
	j.err = e
}

// unlabelled records the document as one without a field of labels.
func (j *jsonObject) unlabelled() { j.p.noLabel(j.pos, j.names) }
