package reader

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/compression"
)

// The known formats. The default is Auto. JSON is an array of objects, or objects over several lines, Lines a document
// without a label in every line. Tree is a folder for each class, in a directory or an
// archive; Tar is an archive whose beginning does not say so.
const (
	Auto     = "auto"
	Tree     = "tree"
	Tar      = "tar"
	JSONL    = "jsonl"
	JSON     = "json"
	SVMLight = "svmlight"
	Reuters  = "reuters"
	LYRL     = "lyrl"
	CSV      = "csv"
	TSV      = "tsv"
	FastText = "fasttext"
	Parquet  = "parquet"
	Mbox     = "mbox"
	Lines    = "lines"
)

// Formats lists the known formats.
func Formats() []string {
	names := []string{Auto, Tree, Tar}
	for _, l := range layouts {
		names = append(names, l.format)
	}
	return names
}

// A layout is a format of files that hold many documents.
type layout struct {
	format     string
	extensions []string // of file names, with the dot
	// detect judges the first bytes of an input, without a mark of their order;
	// whole says that they are all there are. nil: the name alone decides.
	detect func(prefix []byte, whole bool) bool
	fields bool // documents have fields with names or numbers
	// open returns the cutter of the input with this name.
	open func(s *Source, name string) cutter
	// parser returns the frame parser of the goroutine that p belongs to.
	parser func(p *parser) frameParser
	// frames passes the frames of an input that is read at any place; nil = it is cut in
	// order. file is nil where the input is no file itself.
	frames func(in *input, r *bufio.Reader, file *os.File) error
}

// A cutter divides one input into frames. It is used by one goroutine, and read by the
// frame parsers of its format.
type cutter interface {
	// cut returns the length of the whole records at the front of the frame's data. end reports
	// that these are the rest of the input; without it, 0 asks for more.
	cut(f *frame, end bool) (int, error)
}

// A frameParser emits the documents of a frame that from cut: a cutter, or what the frames of the
// layout are of. It belongs to one goroutine and keeps the scratch memory of its format from one
// frame to the next, of whatever input.
type frameParser func(from any, f *frame) error

// layoutOf returns the layout of a format, nil for Auto, Tree and Tar.
func layoutOf(f string) *layout {
	for _, l := range layouts {
		if l.format == f {
			return l
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
	for _, l := range layouts {
		if l.detect != nil && l.detect(text, whole) {
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
	for _, l := range layouts {
		if slices.Contains(l.extensions, path.Ext(name)) {
			return l
		}
	}
	return nil
}

// isTar reports whether a prefix has the mark of POSIX or GNU archives. It compares the
// bytes after "ustar" too, so that the word "mustard" in a text is no mark.
func isTar(prefix []byte) bool {
	return len(prefix) >= 265 && (string(prefix[257:263]) == "ustar\x00" || string(prefix[257:265]) == "ustar  \x00")
}

// archiveNames are the extensions of archives, besides those of compressions.
var archiveNames = []string{".zip", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".7z", ".rar"}

// NamesData reports whether a file of this name in a folder is read as a file of many
// documents, provided that its first bytes agree, and whether its name is that of an archive.
func NamesData(name string) (data, archive bool) {
	return layoutByName(name) != nil, slices.Contains(archiveNames, path.Ext(compression.TrimExtension(strings.ToLower(name))))
}

// layouts lists the formats of files with many documents, in the order in which detect
// asks them: JSON before its lines, whose first is no bracket alone.
var layouts []*layout

func init() { // the functions of the layouts refer to layouts
	layouts = []*layout{
		&parquetLayout, &jsonLayout, &jsonlLayout, &reutersLayout, &lyrlLayout, &svmlightLayout, &mboxLayout, &fastTextLayout,
		&csvLayout, &tsvLayout, &linesLayout,
	}
}

// What follows recognises by their first bytes files that are no text: files that termsift
// writes, archives, and binary files. In a tree or an archive such a file is skipped and
// counted.

// sniffBytes is how many bytes are examined.
const sniffBytes = 8 << 10

// ownKinds lists the files that termsift writes. In a binary file the mark is followed by
// the version, four bytes.
var ownKinds = []struct {
	mark, kind string
	binary     bool
}{
	{"TERMSIFT", "index of termsift", true},
	{"TERMSSTA", "statistics of termsift", true},
	{"TERMSPIP", "model of termsift", true},
	{"TERMSMDL", "model of termsift", true},
	{"#termsift features ", "features file of termsift", false},
	{"#termsift class terms ", "class terms of termsift", false},
}

// ownKind returns the kind of the termsift file that a prefix begins, or "".
func ownKind(prefix []byte) string {
	if len(prefix) < 12 || prefix[0] != 'T' && prefix[0] != '#' {
		return ""
	}
	for _, own := range ownKinds {
		if bytes.HasPrefix(prefix, []byte(own.mark)) && (!own.binary || string(prefix[9:12]) == "\x00\x00\x00") {
			return own.kind
		}
	}
	return ""
}

// foreignKinds lists files of other programs by their first bytes, or none, and says how one
// becomes a file that is read.
var foreignKinds = []struct{ mark, kind, wayOut string }{
	{"\x04\x22\x4d\x18", "lz4", "unpack it, as in lz4 -dc FILE | termsift COMMAND -"},
	{"\x02\x21\x4c\x18", "lz4", "unpack it, as in lz4 -dc FILE | termsift COMMAND -"},
	{"\x5d\x00\x00", "lzma", "unpack it, as in xz --format=lzma -dc FILE | termsift COMMAND -"},
	{"LZIP\x01", "lzip", "unpack it, as in lzip -dc FILE | termsift COMMAND -"},
	{"\x1f\x9d", "compress", "unpack it, as in gzip -dc FILE | termsift COMMAND -"},
	{"\xff\x06\x00\x00sNaPpY", "snappy", "unpack it, as in snzip -dc FILE | termsift COMMAND -"},
	{"Rar!\x1a\x07", "RAR", "unpack it, as in unrar x FILE, and read the folder"},
	{"7z\xbc\xaf\x27\x1c", "7z", "unpack it, as in 7z x FILE, and read the folder"},
	{"{\\rtf", "RTF", "save it as .docx or plain text"},
	{"%PDF-", "PDF", "write its text, as in pdftotext FILE"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Microsoft Office 97", "save it as .docx, plain text or CSV, without a password"},
	{"ARROW1\x00\x00", "Arrow", asTable},
	{"FEA1\x00\x00", "Feather", asTable},
	{"Obj\x01", "Avro", asTable},
	{"SQLite format 3\x00", "SQLite", "write a table as CSV, as in sqlite3 -header -csv FILE 'select text, label from t'"},
	{"\x89HDF\r\n\x1a\n", "HDF5", asTable},
	{"\x93NUMPY", "npy", "texts are read as JSON lines or CSV, counts as svmlight"},
	{"\x80\x04\x95", "pickle", asTable},
	{"\x80\x05\x95", "pickle", asTable},
	{"", "Word", "call it .docx, or save it as plain text"}, // and what follows are zip archives, see officeKind
	{"", "PowerPoint", "save it as plain text"},
	{"", "Pages", "save it as .docx or plain text"},
	{"", "OpenDocument", "call a text .odt; save anything else as plain text or CSV"},
	{"", "EPUB", "call it .epub, or save it as plain text"},
	{"", "Excel", "save it as CSV in UTF-8"},
}

const asTable = "write it as Parquet, JSON lines or CSV"

// foreignKind returns the kind of file of another program that a prefix begins, or "".
func foreignKind(prefix []byte) string {
	for i := range foreignKinds {
		if k := &foreignKinds[i]; k.mark != "" && len(prefix) > 0 && prefix[0] == k.mark[0] && bytes.HasPrefix(prefix, []byte(k.mark)) {
			return k.kind
		}
	}
	return ""
}

// isKnown returns the error for a file of another program.
func isKnown(pos document.Position, kind string) error {
	e := &Error{Pos: pos, Kind: "file of another program", Problem: "this is a file of the kind " + kind + ", which is not read"}
	for _, k := range foreignKinds {
		if k.kind == kind {
			e.Remedy = k.wayOut
		}
	}
	return e
}

// notText returns the reason why a file that begins with head is no document, or "".
// packed allows it to be compressed.
func notText(head []byte, packed bool) (reason string) {
	switch kind := ownKind(head); {
	case kind != "":
		return kind
	case compression.Of(head) != nil:
		if packed {
			return ""
		}
		return "file compressed twice"
	case foreignKind(head) != "":
		return foreignKind(head) + " file"
	case isTar(head) || isZip(head):
		return archiveReason
	case isBinary(head[:min(len(head), sniffBytes)]):
		return "binary file"
	}
	return ""
}

// archiveReason is why an archive in a folder or an archive is skipped.
const archiveReason = "archive inside a tree or an archive, which is read when it is unpacked"

// isBinary reports whether the first block of a file is no text: more than a tenth of its
// bytes are zero, or several are and it is neither UTF-8 nor GB18030. UTF-16 has zero
// bytes too, but begins with a byte order mark; 40 documents of the Fudan corpus have
// zero bytes within UTF-8.
func isBinary(block []byte) bool {
	zeros := bytes.Count(block, []byte{0})
	switch {
	case zeros < 2 || charset.IsUTF16(block):
		return false
	case zeros > len(block)/10:
		return true
	}
	return charset.Guess(block) == charset.Latin1
}

// An errNotText is the reason why a file is no document.
type errNotText string

func (e errNotText) Error() string { return string(e) }

// shortFile is the most bytes of a file's name that the ids of its documents repeat.
const shortFile = 255

// shortName returns the end of a file's name, of shortFile bytes at most.
func shortName(file string) string {
	if len(file) <= shortFile {
		return file
	}
	const cut = "…"
	return cut + strings.ToValidUTF8(file[len(file)-shortFile+len(cut):], "")
}
