package reader

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/compression"
	"github.com/termsift/termsift/engine/usage"
)

// A Format is a kind of input. The zero value is Auto.
type Format string

// String returns the name that ParseFormat accepts.
func (f Format) String() string {
	if f == "" {
		return string(Auto)
	}
	return string(f)
}

// The known formats. JSON is an array of objects, or objects over several lines, Lines a document
// without a label in every line. Tree is a folder for each class, in a directory or an
// archive; Tar is an archive whose beginning does not say so.
const (
	Auto     Format = "auto"
	Tree     Format = "tree"
	Tar      Format = "tar"
	JSONL    Format = "jsonl"
	JSON     Format = "json"
	SVMLight Format = "svmlight"
	Reuters  Format = "reuters"
	LYRL     Format = "lyrl"
	CSV      Format = "csv"
	TSV      Format = "tsv"
	FastText Format = "fasttext"
	Parquet  Format = "parquet"
	Lines    Format = "lines"
)

// Formats lists what ParseFormat takes.
func Formats() []Format {
	names := []Format{Auto, Tree, Tar}
	for _, l := range layouts {
		names = append(names, l.format)
	}
	return names
}

// ParseFormat returns the format with a name; "" is auto.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return Auto, nil
	}
	var known []string
	for _, f := range Formats() {
		if known = append(known, string(f)); string(f) == name {
			return f, nil
		}
	}
	return "", usage.Unknown("input format", name, known)
}

// A layout is a format of files that hold many documents.
type layout struct {
	format     Format
	extensions []string // of file names, with the dot
	// detect judges the first bytes of an input, without a mark of their order;
	// whole says that they are all there are. nil: the name alone decides.
	detect func(prefix []byte, whole bool) bool
	// open returns the cutter of the input with this name.
	open func(s *Source, name string) cutter
	// parser returns the frame parser of the goroutine that p belongs to.
	parser func(p *parser) frameParser
	// frames passes the frames of an input that is read at any place; nil = it is cut in
	// order. file is nil where the input is no file itself.
	frames func(s *Source, name string, m *meter, in *bufio.Reader, file *os.File, out func(frame) error) error
}

// A cutter divides one input into frames. It is used by one goroutine, and read by the
// frame parsers of its format.
type cutter interface {
	// cut returns the length of the whole records at the front of data. end reports
	// that data is the rest of the input; without it, 0 asks for more data. encoding is that of
	// data. An Error without a file has a position relative to the front of data.
	cut(data []byte, end bool, encoding string) (int, error)
}

// A frameParser emits the documents of a frame that from cut: a cutter, or what the frames of the
// layout are of. It belongs to one goroutine and keeps the scratch memory of its format from one
// frame to the next, of whatever input.
type frameParser func(from any, f *frame) error

// layoutOf returns the layout of a format, nil for Auto, Tree and Tar.
func layoutOf(f Format) *layout {
	for i := range layouts {
		if layouts[i].format == f {
			return &layouts[i]
		}
	}
	return nil
}

// detect returns the layout of an input by its first bytes or, if none recognises them, by
// its name; nil for none.
func detect(name string, prefix []byte, whole bool) *layout {
	text := bytes.TrimPrefix(prefix, charset.Mark)
	if endsByCR(text) {
		text = bytes.ReplaceAll(text, []byte{'\r'}, []byte{'\n'})
	}
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

// layoutByName returns the layout of a file's extension, before which the extension of a
// compression is ignored; nil for none.
func layoutByName(name string) *layout {
	name = compression.TrimExtension(strings.ToLower(path.Base(name)))
	for i := range layouts {
		if slices.Contains(layouts[i].extensions, path.Ext(name)) {
			return &layouts[i]
		}
	}
	return nil
}

// isTar reports whether a prefix has the mark of POSIX or GNU archives. It compares the
// bytes after "ustar" too, so that the word "mustard" in a text is no mark.
func isTar(prefix []byte) bool {
	return len(prefix) >= 265 && (string(prefix[257:263]) == "ustar\x00" || string(prefix[257:265]) == "ustar  \x00")
}

// NamesData reports whether a file of this name in a folder is read as a file of many
// documents, provided that its first bytes agree.
func NamesData(name string) bool { return layoutByName(name) != nil }

// layouts lists the formats of files with many documents, in the order in which detect
// asks them.
var layouts []layout

func init() { // not a composite literal: the functions of the layouts refer to layouts
	layouts = []layout{
		{Parquet, []string{".parquet"}, looksLikeParquet, nil, newParquetParser, (*Source).parquet},
		{JSON, []string{".json"}, looksLikeArray, openJSON, newArrayParser, nil}, // before its lines, whose first is no bracket alone
		{JSONL, []string{".jsonl", ".ndjson"}, looksLikeJSON, openLines, ofLines(jsonlLines), nil},
		{Reuters, []string{".sgm", ".sgml"}, looksLikeReuters, openReuters, newReutersParser, nil},
		{LYRL, []string{".dat"}, looksLikeLYRL, openLYRL, newLYRLParser, nil},
		{SVMLight, []string{".svm", ".svmlight", ".libsvm"}, looksLikeSVMLight, openLines, ofLines(svmlightLines), nil},
		{FastText, nil, looksLikeFastText, openLines, ofLines(fastTextLines), nil},
		{CSV, []string{".csv"}, nil, openCSV, newCSVParser, nil},
		{TSV, []string{".tsv", ".tab"}, nil, openTSV, newCSVParser, nil},
		{Lines, nil, nil, openLines, ofLines(plainLines), nil},
	}
}
