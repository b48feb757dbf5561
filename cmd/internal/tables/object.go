package tables

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/termsift/termsift/cmd/internal/terminal"
)

// This file prints objects, such as the results of info and check: facts of one thing.

// WriteObject writes an object: as such in JSON, as lines of text in a table, and as one row for
// each value in the other formats.
func WriteObject(w io.Writer, s Style, facts []Fact) error {
	if s.Format.Audience() == ForJSON {
		var b bytes.Buffer
		if err := writeObject(&b, append([]Fact{{"schema", Schema}}, facts...)); err != nil {
			return err
		}
		b.WriteByte('\n')
		_, err := b.WriteTo(w)
		return err
	}
	if s.Format == "table" {
		return writeText(w, s, values(facts))
	}
	return New(w, s, []Column[value]{
		{Key: "key", Left: true, Value: func(v value) any { return v.key }},
		{Key: "name", Left: true, Value: func(v value) any { return v.name }},
		{Key: "value", Left: true, Value: func(v value) any { return v.of }},
	}).AddAll(append([]value{{"schema", "", Schema}}, values(facts)...))
}

// A value is a value of an object, identified by its key and, within a map or a list, by a name or
// an index.
type value struct {
	key, name string
	of        any
}

// values returns the values of facts one by one.
func values(facts []Fact) (all []value) {
	for _, f := range facts {
		switch v := f.Value.(type) {
		case int, int64, bool, string:
			all = append(all, value{f.Key, "", v})
		case map[string]int:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				all = append(all, value{f.Key, name, v[name]})
			}
		case []string:
			for i, text := range v {
				all = append(all, value{f.Key, fmt.Sprint(i + 1), text})
			}
		default:
			all = append(all, value{f.Key, "", jsonText(v)})
		}
	}
	return all
}

// jsonText returns a value as JSON. The value must be representable.
func jsonText(v any) string {
	var b strings.Builder
	if err := WriteJSON(&b, v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeText writes the single values of an object, then its lists.
func writeText(w io.Writer, s Style, all []value) (err error) {
	last := ""
	for _, v := range all {
		key, text := strings.ReplaceAll(v.key, "_", " "), terminal.Visible(Plain(v.of), s.Terminal)
		if v.name == "" {
			_, err = fmt.Fprintf(w, "%-14s %s\n", key, text)
			continue
		}
		if key != last {
			fmt.Fprintf(w, "%s\n", key)
			last = key
		}
		if _, isText := v.of.(string); !isText { // the elements of a list have numbers for names
			text = fmt.Sprintf("%-28s %s", terminal.Visible(v.name, s.Terminal), text)
		}
		_, err = fmt.Fprintf(w, "  %s\n", text)
	}
	return err
}
