package flags

import (
	"os"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads lists of names: stop words, classes, terms and documents.

// Lists reads files up to a limit in bytes, because a device or a pipe may not end.
type Lists struct{ Limit int64 }

// mostList is the default limit.
const mostList = 64 << 20

// MaxList returns the flag of the limit.
func MaxList(limit *int64) Flag {
	return Flag{
		Name: "max-list", To: limit, Default: int64(mostList), Group: GroupLimits, More: true, Applies: OfInput,
		Help: "most bytes of a list: stop words, classes, terms, documents, --qrels",
	}
}

// A listLine is a line of a list that is not empty, without its end.
type listLine struct {
	number int // from 1
	text   string
}

// lines reads a list. A line ends with LF, CR LF or CR alone, and the mark of UTF-8 may stand
// before the first.
func (l Lists) lines(path string) ([]listLine, error) {
	if l.Limit <= 0 {
		return nil, usage.Errorf("--max-list must be positive, not %d", l.Limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := reader.ReadList(file, path, "--max-list", l.Limit)
	if err != nil {
		return nil, err
	}
	lines := []listLine{}
	for i, text := range strings.Split(lineEnds.Replace(string(data)), "\n") {
		if text != "" {
			lines = append(lines, listLine{i + 1, text})
		}
	}
	return lines, nil
}

// lineEnds has the line ends of other systems, CR CR LF among them, which programs make of CR LF.
var lineEnds = strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n", "\r", "\n")

// utf8Lines is lines for names that are compared with text: malformed UTF-8 is an error.
func (l Lists) utf8Lines(path string) ([]listLine, error) {
	lines, err := l.lines(path)
	for _, line := range lines {
		if !utf8.ValidString(line.text) {
			return nil, &reader.Error{
				Pos: document.Position{File: path, Line: line.number}, Problem: "the line is not UTF-8", Bytes: line.text, Remedy: "write the list in UTF-8",
			}
		}
	}
	return lines, err
}

// StopWords reads a list of words separated by white space. What stands behind a | or a #, at the
// beginning of a line or behind white space, is a comment; no token begins with either.
func (l Lists) StopWords(path string) (words []string, err error) {
	lines, err := l.utf8Lines(path)
	for _, line := range lines {
		for word := range strings.FieldsSeq(line.text) {
			if word[0] == '#' || word[0] == '|' {
				break
			}
			words = append(words, word)
		}
	}
	return words, err
}

// Terms reads a list with one term per line, without surrounding white space. A line that begins
// with # is a term.
func (l Lists) Terms(path string) ([]string, error) {
	lines, err := l.utf8Lines(path)
	return trimmed(lines), err
}

// Names reads a list with one name per line, without surrounding white space. A line that begins
// with # is a name.
func (l Lists) Names(path string) ([]string, error) {
	lines, err := l.lines(path)
	return trimmed(lines), err
}

func trimmed(lines []listLine) []string {
	names := []string{}
	for _, line := range lines {
		if name := strings.TrimSpace(line.text); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// IDs reads a list with one document name per line. White space within a line is part
// of the name, and a line that begins with # is a name.
func (l Lists) IDs(path string) (ids []string, err error) {
	lines, err := l.lines(path)
	for _, line := range lines {
		ids = append(ids, line.text)
	}
	return ids, err
}
