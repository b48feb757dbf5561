package reader

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Format is a kind of input. The zero value is Auto.
type Format string

// String gives the name that ParseFormat takes.
func (f Format) String() string {
	if f == "" {
		return string(Auto)
	}
	return string(f)
}

// The known formats. Tree is a folder for each class, in a directory or an
// archive; Tar is an archive whose beginning does not say so.
const (
	Auto     Format = "auto"
	Tree     Format = "tree"
	Tar      Format = "tar"
	JSONL    Format = "jsonl"
	SVMLight Format = "svmlight"
	Reuters  Format = "reuters"
	LYRL     Format = "lyrl"
	CSV      Format = "csv"
	TSV      Format = "tsv"
)

// Formats lists what ParseFormat takes.
func Formats() []Format {
	names := []Format{Auto, Tree, Tar}
	for _, l := range layouts {
		names = append(names, l.format)
	}
	return names
}

// ParseFormat finds a format by its name; "" is auto.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return Auto, nil
	}
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	return "", fmt.Errorf("unknown input format %q; known: %v", name, Formats())
}

// A layout is a format of files that hold many documents.
type layout struct {
	format     Format
	extensions []string // of file names, with the dot
	// detect judges the first bytes of an input, without a mark of their order;
	// whole says that they are all there are. nil: the name alone decides.
	detect func(prefix []byte, whole bool) bool
	// open begins an input of this name.
	open func(s *Source, name string) records
}

// records cut an input into frames and parse these. cut is called for one piece
// after another; parse on any goroutine, for what cut has given.
type records interface {
	// cut gives the length of the whole records at the front of data. end says
	// that data is the rest of the input; otherwise 0 asks for more. An Error
	// without a file is placed at the front of data.
	cut(data []byte, end bool) (int, error)
	// parse hands the documents of a frame to p.
	parse(p *parser, f *frame) error
}

// layoutOf finds a format by its name.
func layoutOf(f Format) *layout {
	for i := range layouts {
		if layouts[i].format == f {
			return &layouts[i]
		}
	}
	return nil
}

// detect tells the layout of an input from its first bytes and, where these do
// not say, from its name; nil for none.
func detect(name string, prefix []byte, whole bool) *layout {
	text := bytes.TrimPrefix(prefix, utf8BOM)
	for i := range layouts {
		if l := &layouts[i]; l.detect != nil && l.detect(text, whole) {
			return l
		}
	}
	if l := layoutByName(name); l != nil && l.detect == nil {
		return l
	}
	return nil
}

// layoutByName finds a layout by the extension of a file's name, before which one
// of a compression may stand; nil for none.
func layoutByName(name string) *layout {
	name = strings.ToLower(path.Base(name))
	for _, c := range compressions {
		name = strings.TrimSuffix(name, c.extension)
	}
	for i := range layouts {
		if slices.Contains(layouts[i].extensions, path.Ext(name)) {
			return &layouts[i]
		}
	}
	return nil
}

// isTar knows the mark of POSIX and GNU archives, which no "mustard" of a text is.
func isTar(prefix []byte) bool {
	return len(prefix) >= 265 && (string(prefix[257:263]) == "ustar\x00" || string(prefix[257:265]) == "ustar  \x00")
}
