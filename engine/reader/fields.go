package reader

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/csv"
	"github.com/termsift/termsift/engine/usage"
)

// This file has what JSON and CSV share: the names of fields, and what is said of those
// that are missing.

// textParts returns the names of the fields that a text is joined of, nil for one field.
func textParts(option string) []string {
	if !strings.Contains(option, ",") {
		return nil
	}
	var parts []string
	for name := range strings.SplitSeq(option, ",") {
		if name = strings.TrimSpace(name); name != "" {
			parts = append(parts, name)
		}
	}
	return parts
}

// fieldNames are the names of the fields that a document has.
type fieldNames []string

// String lists the first names for messages.
func (n fieldNames) String() string {
	const most = 20
	var list []string
	for _, name := range n[:min(len(n), most)] {
		list = append(list, fmt.Sprintf("%.40q", name))
	}
	if len(n) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list, ", "), len(n)-most)
	}
	return strings.Join(list, ", ")
}

// remedy returns a remedy for a missing field, with the names most similar to it in front.
func (n fieldNames) remedy(missing, remedy string) string {
	near := usage.Nearest(strings.ToLower(missing), func(yield func(string) bool) {
		for _, name := range n {
			if !yield(strings.ToLower(name)) {
				return
			}
		}
	})
	if len(near) == 0 {
		return remedy
	}
	for i, lower := range near {
		at := slices.IndexFunc(n, func(name string) bool { return strings.ToLower(name) == lower })
		near[i] = fmt.Sprintf("%.40q", n[at])
	}
	return "did you mean " + strings.Join(slices.Compact(near), " or ") + "? " + remedy
}

// noLabel records a document without a field of labels, unless the frame at hand had one
// before; fields returns the names of its fields.
func (p *parser) noLabel(pos document.Position, fields func() fieldNames) {
	if p.tally.unlabelled == nil {
		p.tally.unlabelled = &Error{Pos: pos, Fields: fields(), frame: p.frame}
	}
}

// LabelHint returns the names of the fields of the first document that had no field with
// labels, and the flag that names one, or else which classes asked for were not there; "" if
// there is nothing to say. It is for the error that no document has a label.
func (s *Source) LabelHint() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.labelHint()
}

// labelHint is LabelHint for a caller who holds the lock.
func (s *Source) labelHint() string {
	u := s.total.unlabelled
	if u == nil {
		return s.missingClasses()
	}
	fields := fieldNames(u.Fields)
	asked, name := `"labels" or "label"`, "label"
	field, flag := s.opt.label()
	if field != "" {
		asked, name = fmt.Sprintf("%.40q", field), field
	}
	if at := slices.IndexFunc(fields, func(f string) bool { return f == name || field == "" && f == "labels" }); at >= 0 {
		return fmt.Sprintf("the field %.40q of %v is null; name another field with %s", fields[at], u.Pos, flag)
	}
	return fmt.Sprintf("%v has no field %s; there are %v; %s", u.Pos, asked, fields, fields.remedy(name, "name the field with "+flag))
}

// join joins the texts of the parts that a document has, each a line, until the next call. text
// gives that of a part and whether it is there; some says that one is.
func (p *parser) join(parts []string, text func(part int) ([]byte, bool)) (joined []byte, some bool) {
	p.joined = p.joined[:0]
	for i, name := range parts {
		part, there := text(i)
		if !there {
			continue
		}
		if some {
			p.joined = append(p.joined, '\n')
		}
		p.joined = append(p.joined, part...)
		some = true
		if !p.tally.parts[name] {
			p.tally.parts[name] = true
		}
	}
	return p.joined, some
}

// splitOf returns the split with a name, "" for none. Documents of a split follow each other, so
// the last string is reused.
func (p *parser) splitOf(name []byte) string {
	if p.split != string(name) {
		p.split = string(name)
	}
	if seen := p.tally.splits; p.s.opt.Split != "" && len(seen) < mostSplits && !seen[p.split] {
		seen[p.split] = true
	}
	return p.split
}

// mostSplits is how many splits are named where the one asked for is not there.
const mostSplits = 10

// This file finds the columns of CSV and Parquet that the options name.

// columns has the numbers of the columns that matter, counted from 0; -1 for none.
type columns struct {
	text             []int    // one, or those that the text is joined of
	parts            []string // their names if it is joined
	label, id, split int
	width            int // how many a row has
}

// nowhere is the place of an error until whoever knows it adds it.
var nowhere document.Position

// A header is the names of the columns, or only their number.
type header struct {
	names  fieldNames // nil without a header line
	width  int
	padded bool // every separator has a space behind it, which belongs to no field of the input
}

// read reads the names from the first row of CSV.
func (h *header) read(row csv.Row, line []byte, encoding string) {
	var d charset.Decoder
	h.padded = row.Width > 1
	for i, f := range row.Fields {
		text, _ := f.Text(line, nil)
		h.padded = h.padded && (i == 0 || bytes.HasPrefix(text, []byte(" ")))
		h.names = append(h.names, string(bytes.TrimSpace(d.As(encoding, text))))
	}
}

// columns finds the columns that the options name. The text must be there, and
// the split if one is asked for; the label and the id if the user named them for this input.
func (h header) columns(opt *Options) (columns, error) {
	c := columns{width: h.width}
	var err error
	find := func(flag, name string, needed bool, defaults ...string) int {
		at := -1
		if name != "" {
			defaults = []string{name}
		}
		for _, d := range defaults {
			if err == nil && at < 0 {
				at, err = h.find(d, flag)
			}
		}
		if err == nil && at < 0 && needed {
			err = h.missing(defaults[0], flag)
		}
		return at
	}
	if err = h.join(&c, textParts(opt.TextField), opt.TextField); c.text == nil {
		c.text = []int{find("--text-field", opt.TextField, true, "text")}
		var e *Error
		if errors.As(err, &e) {
			e.textless = opt.TextField == "" && c.text[0] < 0
		}
	}
	label, flag := opt.label()
	c.label = find(flag, label, label != "" && !opt.OptionalFields, "labels", "label")
	c.id = -1
	if opt.IDField != "" || !h.twice("id") { // documents need no names
		c.id = find("--id-field", opt.IDField, opt.IDField != "" && !opt.OptionalFields, "id")
	}
	c.split = find("", "", opt.Split != "", "split")
	return c, err
}

// join finds the columns of a joined text, unless a column has the whole name. It finds none
// if none is there.
func (h header) join(c *columns, parts []string, whole string) error {
	if parts == nil {
		return nil
	}
	if at, err := h.find(whole, "--text-field"); at >= 0 || err != nil {
		return err
	}
	for _, name := range parts {
		at, err := h.find(name, "--text-field")
		if err != nil {
			return err
		}
		if at >= 0 {
			c.text, c.parts = append(c.text, at), append(c.parts, name)
		}
	}
	return nil
}

// find returns the number of the column with a name, or else with a number counted from 1;
// -1 for none. A name that two columns have is an error.
func (h header) find(name, flag string) (int, error) {
	at := slices.Index(h.names, name)
	if h.twice(name) {
		remedy := "give the column's number with " + flag
		if flag == "" {
			remedy = "give one of them another name"
		}
		return 0, wrong(nowhere, fmt.Sprintf("there are several columns %q", name), "", remedy).of("column name twice")
	}
	if number, err := strconv.Atoi(name); at < 0 && err == nil && 1 <= number && number <= h.width {
		at = number - 1
	}
	return at, nil
}

// twice reports whether several columns have a name.
func (h header) twice(name string) bool {
	at := slices.Index(h.names, name)
	return at >= 0 && slices.Contains(h.names[at+1:], name)
}

// missing returns the error for a column that is not there.
func (h header) missing(name, flag string) error {
	there, remedy := h.names.String(), ""
	if h.names == nil {
		there = strconv.Itoa(h.width)
	}
	problem := fmt.Sprintf("there is no column %q; there are %s", name, there)
	switch {
	case flag == "":
		problem, remedy = "--split was asked for, and "+problem, "omit --split, or add the column"
	case h.names == nil:
		remedy = fmt.Sprintf("give a number with %s: without a header line columns have no names", flag)
	default:
		remedy = h.names.remedy(name, "name one with "+flag)
	}
	err := wrong(nowhere, problem, "", remedy).of("column missing")
	err.Fields = h.names
	return err
}
