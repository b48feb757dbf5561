package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An embedded is a file of others that the command has in it.
type embedded struct {
	File, What string
	Texts      []licence // none where it was published without terms
}

// ofOthers says what the embedded files are that others have made, by their names in the
// module. Where there are terms, their file lies beside it.
var ofOthers = map[string]struct{ what, terms string }{
	"engine/analysis/stop/chinese.txt":    {"Chinese stop words of stopwords-iso, stopwords-zh 0.4.0", "engine/analysis/stop/chinese.LICENSE"},
	"engine/analysis/stop/danish.txt":     {"Danish stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/dutch.txt":      {"Dutch stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/finnish.txt":    {"Finnish stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/french.txt":     {"French stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/german.txt":     {"German stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/glasgow.txt":    {"English stop words of the Glasgow Information Retrieval Group, from its linguistic utilities", ""},
	"engine/analysis/stop/hungarian.txt":  {"Hungarian stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/italian.txt":    {"Italian stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/norwegian.txt":  {"Norwegian stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/portuguese.txt": {"Portuguese stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/russian.txt":    {"Russian stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/smart.txt":      {"English stop words of the SMART system, Cornell University", ""},
	"engine/analysis/stop/snowball.txt":   {"English stop words of Snowball, algorithms/english/stop.txt", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/spanish.txt":    {"Spanish stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/swedish.txt":    {"Swedish stop words of Snowball, as PostgreSQL 15 has them", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/turkish.txt":    {"Turkish stop words of PostgreSQL 15", "engine/analysis/stop/postgresql.LICENSE"},
}

// own are the folders and files that are embedded and ours.
var own = []string{"engine/report/", "cmd/termsift/demo/"}

// embeddedLists lists the files of others that the command has in it. One that is in
// neither list is an error: somebody has to say where it is from.
func embeddedLists(ctx context.Context, root string) (lists []embedded, err error) {
	packages, err := list(ctx, root, systems[0], "-deps", command)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		for _, file := range p.EmbedFiles {
			name, err := filepath.Rel(p.Module.Dir, filepath.Join(p.Dir, file))
			if err != nil {
				return nil, err
			}
			name = filepath.ToSlash(name)
			l, err := newEmbedded(root, name)
			if err != nil {
				return nil, err
			}
			if l.File != "" {
				lists = append(lists, l)
			}
		}
	}
	return lists, nil
}

// newEmbedded tells of an embedded file; nothing of our own.
func newEmbedded(root, name string) (embedded, error) {
	for _, prefix := range own {
		if strings.HasPrefix(name, prefix) {
			return embedded{}, nil
		}
	}
	known, ok := ofOthers[name]
	if !ok {
		return embedded{}, fmt.Errorf("%s is embedded, and bench/thirdparty/lists.go does not say whose it is", name)
	}
	l := embedded{File: name, What: known.what}
	if known.terms == "" {
		return l, nil
	}
	data, err := os.ReadFile(filepath.Join(root, known.terms))
	if err != nil {
		return l, err
	}
	text, err := newLicence(filepath.Base(known.terms), string(data))
	l.Texts = []licence{text}
	return l, err
}
