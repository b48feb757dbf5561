package reader

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/csv"
)

// This file finds the columns of CSV and Parquet that the options name.

// columns has the numbers of the columns that matter, counted from 0; -1 for none.
type columns struct {
	text             []int    // one, or those that the text is joined of
	parts            []string // their names if it is joined
	label, id, split int
	width            int // how many a row has
}

// A header is the names of the columns, or only their number.
type header struct {
	names  fieldNames // nil without a header line
	width  int
	padded bool // every separator has a space behind it, which belongs to no field of the input
}

// read reads the names from the first row of CSV.
func (h *header) read(row csv.Row, line []byte, encoding string) error {
	var d charset.Decoder
	h.padded = row.Width > 1
	for i, f := range row.Fields {
		text, _ := f.Text(line, nil)
		h.padded = h.padded && (i == 0 || bytes.HasPrefix(text, []byte(" ")))
		name, err := d.As(encoding, text)
		if err != nil {
			return err
		}
		h.names = append(h.names, string(bytes.TrimSpace(name)))
	}
	return nil
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
	}
	c.label = find("--label-field", opt.LabelField, opt.LabelField != "" && !opt.OptionalFields, "labels", "label")
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
		e := &Error{
			Kind: "column name twice", Problem: fmt.Sprintf("there are several columns %q", name),
			Remedy: "give the column's number with " + flag,
		}
		if flag == "" {
			e.Remedy = "give one of them another name"
		}
		return 0, e
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
	if flag == "" {
		return &Error{
			Kind: "column missing", Problem: fmt.Sprintf("--split was asked for, and there is no column %q; there are %v", name, h),
			Remedy: "leave --split away, or add the column",
		}
	}
	e := &Error{
		Kind: "column missing", Problem: fmt.Sprintf("there is no column %q; there are %v", name, h),
		Remedy: h.names.remedy(name, "name one with "+flag),
	}
	if h.names == nil {
		e.Remedy = fmt.Sprintf("give a number with %s: without a header line columns have no names", flag)
	}
	return e
}

// String lists the names of the first columns for messages, or says how many there are.
func (h header) String() string {
	if h.names == nil {
		return fmt.Sprintf("%d", h.width)
	}
	return h.names.String()
}
