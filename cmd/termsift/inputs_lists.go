package main

import (
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/reader"
)

// This file reads lists of names: stop words, classes, terms and documents.

// lists reads files up to a limit in bytes, because a device or a pipe may not end.
type lists struct{ limit int64 }

// mostList is the default limit.
const mostList = 64 << 20

// registerList adds the flag of the limit.
func registerList(flags *pflag.FlagSet, limit *int64) {
	flags.Int64Var(limit, "max-list", mostList, "most bytes of a list: stop words, classes, terms, documents, --qrels")
}

// read returns the contents of a file.
func (l lists) read(path string) (string, error) {
	if l.limit <= 0 {
		return "", usageError("--max-list must be positive, not %d", l.limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := reader.ReadList(file, path, "--max-list", l.limit)
	return string(data), err
}

// words reads a list of words separated by white space.
func (l lists) words(path string) ([]string, error) {
	text, err := l.read(path)
	return strings.Fields(text), err
}

// lines reads a list with one name per line, without surrounding white space.
func (l lists) lines(path string) ([]string, error) {
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

// ids reads a list with one document name per line. White space within a line is part
// of the name.
func (l lists) ids(path string) ([]string, error) {
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

// regular returns an error for a path that is not a regular file. An index is read in
// place, and a device or a pipe may not end.
func regular(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || info.IsDir() { // Open returns the error
		return nil
	}
	return usageError("%s is no regular file, and an index is read in place: save it to a file and name that", path)
}
