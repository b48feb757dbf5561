package flags

import (
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads lists of names: stop words, classes, terms and documents.

// Lists reads files up to a limit in bytes, because a device or a pipe may not end.
type Lists struct{ Limit int64 }

// mostList is the default limit.
const mostList = 64 << 20

// RegisterList adds the flag of the limit.
func RegisterList(flags *pflag.FlagSet, limit *int64) {
	flags.Int64Var(limit, "max-list", mostList, "most bytes of a list: stop words, classes, terms, documents, --qrels")
}

// read returns the contents of a file.
func (l Lists) read(path string) (string, error) {
	if l.Limit <= 0 {
		return "", usage.Errorf("--max-list must be positive, not %d", l.Limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := reader.ReadList(file, path, "--max-list", l.Limit)
	return string(data), err
}

// Words reads a list of words separated by white space.
func (l Lists) Words(path string) ([]string, error) {
	text, err := l.read(path)
	return strings.Fields(text), err
}

// Lines reads a list with one name per line, without surrounding white space.
func (l Lists) Lines(path string) ([]string, error) {
	text, err := l.read(path)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			names = append(names, line)
		}
	}
	return names, nil
}

// IDs reads a list with one document name per line. White space within a line is part
// of the name.
func (l Lists) IDs(path string) ([]string, error) {
	text, err := l.read(path)
	if err != nil {
		return nil, err
	}
	var ids []string
	for line := range strings.Lines(text) {
		if id := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
