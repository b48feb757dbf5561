package reader

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file finds the columns of CSV.

// csvColumns are the numbers of columns from 0 on, -1 where there is none.
type csvColumns struct {
	text, label, id, split int
	width                  int // how many a row has
}

// A csvHeader knows the names of the columns, or only how many there are.
type csvHeader struct {
	names []string // nil without a header line
	width int
}

// mostColumns bounds the columns: a line of nothing but commas would take 70 times
// its size for their names.
const mostColumns = 1 << 16

// csvHeaderOf takes a line, the first of an input, for its header.
func csvHeaderOf(opt *Options, fields []csvField, line []byte) (csvHeader, error) {
	h := csvHeader{width: len(fields)}
	if h.width > mostColumns {
		return h, &Error{
			Kind: "too many columns", Problem: fmt.Sprintf("the row has %d columns, more than %d", h.width, mostColumns),
			Remedy: "is it another format? --input-format names one",
		}
	}
	if opt.NoHeader {
		return h, nil
	}
	d := decoder{charset: superset(opt.Charset)}
	encoding := d.encodingOf(line)
	for _, f := range fields {
		text, _ := f.text(line, nil)
		name, err := d.as(encoding, text)
		if err != nil {
			return h, err
		}
		h.names = append(h.names, string(bytes.TrimSpace(name)))
	}
	return h, nil
}

// columns finds the columns that the options name. The text must be there, and
// the split if one is asked for; the label and the id if the user named them.
func (h csvHeader) columns(opt *Options) (csvColumns, error) {
	c := csvColumns{width: h.width}
	var err error
	find := func(flag, name string, needed bool, defaults ...string) int {
		at := -1
		if name != "" {
			needed, defaults = true, []string{name}
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
	c.text = find("--text-field", opt.TextField, true, "text")
	c.label = find("--label-field", opt.LabelField, false, "labels", "label")
	c.id = find("--id-field", opt.IDField, false, "id")
	c.split = find("", "", opt.Split != "", "split")
	return c, err
}

// find gives the number of the column of a name, which may also be the number
// from 1 on; -1 for none.
func (h csvHeader) find(name, flag string) (int, error) {
	at := slices.Index(h.names, name)
	if at >= 0 && slices.Contains(h.names[at+1:], name) {
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

// missing is that a column is not there.
func (h csvHeader) missing(name, flag string) error {
	if flag == "" {
		return &Error{
			Kind: "column missing", Problem: fmt.Sprintf("--split was asked for, and there is no column %q; there are %v", name, h),
			Remedy: "leave --split away, or add the column",
		}
	}
	e := &Error{
		Kind: "column missing", Problem: fmt.Sprintf("there is no column %q; there are %v", name, h),
		Remedy: "name one with " + flag,
	}
	if h.names == nil {
		e.Remedy = fmt.Sprintf("give a number with %s: without a header line columns have no names", flag)
	}
	return e
}

// String lists the columns, the first of very many.
func (h csvHeader) String() string {
	if h.names == nil {
		return fmt.Sprintf("%d", h.width)
	}
	const most = 20
	var b strings.Builder
	for i, name := range h.names[:min(len(h.names), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.40q", name)
	}
	if len(h.names) > most {
		fmt.Fprintf(&b, " and %d more", len(h.names)-most)
	}
	return b.String()
}
