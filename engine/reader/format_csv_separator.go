package reader

import "math"

// separators are what may stand between the fields of CSV, in the order in which they are
// tried.
var separators = []csvSyntax{',', ';', '\t'}

// mostLooked is how many rows without a header are looked at.
const mostLooked = 100

// separatorOf returns what stands between the fields of CSV that begins with data: the first
// separator by which the header has the columns that the options name, so that CSV with
// commas is always read as such. Without a header it is the first by which, besides, all
// rows at the beginning have as many fields. If none has the columns, it is the one that
// finds most of them, whose names the error can tell.
func separatorOf(opt *Options, data []byte, end bool) csvSyntax {
	best, most, found := separators[0], 0, false
	for _, sep := range separators {
		row, line, ok := sep.firstRow(data, end, opt.MaxFields)
		switch {
		case !ok && sep == best:
			most = math.MaxInt // an error about it is that of the usual separator
			continue
		case !ok:
			continue
		}
		h, err := csvHeaderOf(opt, row, line)
		if err == nil {
			_, err = h.columns(opt)
		}
		switch {
		case err == nil && (!opt.NoHeader || sep.regular(data, end, row.width)):
			return sep
		case err == nil && !found:
			best, found = sep, true
		case !found && row.width > most:
			best, most = sep, row.width
		}
	}
	return best
}

// firstRow returns the first row with fields, and its line, if its end is in data.
func (sep csvSyntax) firstRow(data []byte, end bool, most int) (row csvRow, line []byte, ok bool) {
	for len(data) > 0 {
		row = sep.row(data, nil, most)
		line = data[:row.length]
		if row.open >= 0 || !end && line[len(line)-1] != '\n' {
			return row, nil, false
		}
		if row.width > 0 {
			return row, line, true
		}
		data = data[row.length:]
	}
	return row, nil, false
}

// regular reports whether the first rows of data that are whole have this many fields.
func (sep csvSyntax) regular(data []byte, end bool, width int) bool {
	var fields []csvField
	for range mostLooked {
		if len(data) == 0 {
			break
		}
		row := sep.row(data, fields, 0)
		whole := row.open < 0 && (end || data[row.length-1] == '\n')
		if whole && row.width > 0 && row.width != width {
			return false
		}
		data = data[row.length:]
	}
	return true
}
