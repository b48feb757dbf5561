package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// An embedded is a file of others that the command has in it.
type embedded struct {
	File, What string
	Texts      []licence // none where it was published without terms
}

// ofOthers says what the embedded files are that others have made, by their names in the
// module. Where there are terms, their file lies beside it.
var ofOthers = map[string]struct{ what, terms string }{
	"engine/analysis/stop/chinese.txt":  {"Chinese stop words of stopwords-iso, stopwords-zh 0.4.0", "engine/analysis/stop/chinese.LICENSE"},
	"engine/analysis/stop/glasgow.txt":  {"English stop words of the Glasgow Information Retrieval Group, from its linguistic utilities", ""},
	"engine/analysis/stop/smart.txt":    {"English stop words of the SMART system, Cornell University", ""},
	"engine/analysis/stop/snowball.txt": {"English stop words of Snowball, algorithms/english/stop.txt", "engine/analysis/stop/snowball.LICENSE"},
	"engine/analysis/stop/turkish.txt":  {"Turkish stop words of PostgreSQL 15", "engine/analysis/stop/postgresql.LICENSE"},
}

func init() {
	for language := range strings.FieldsSeq("Danish Dutch Finnish French German Hungarian Italian Norwegian Portuguese Russian Spanish Swedish") {
		l := ofOthers["engine/analysis/stop/snowball.txt"]
		l.what = language + " stop words of Snowball, as PostgreSQL 15 has them"
		ofOthers["engine/analysis/stop/"+strings.ToLower(language)+".txt"] = l
	}
}

// own are the folders and files that are embedded and ours.
var own = []string{"engine/report/", "engine/score/", "engine/measures/sources.bib", "cmd/termsift/demo/"}

// embeddedLists lists the files of others that the command has in it. One that is in
// neither list is an error: somebody has to say where it is from.
func embeddedLists(ctx context.Context, root string) (lists []embedded) {
	for _, p := range list(ctx, root, systems[0], "-deps", command) {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		for _, file := range p.EmbedFiles {
			name := lab.Need(filepath.Rel(p.Module.Dir, filepath.Join(p.Dir, file)))
			if l := newEmbedded(root, filepath.ToSlash(name)); l.File != "" {
				lists = append(lists, l)
			}
		}
	}
	return lists
}

// newEmbedded tells of an embedded file; nothing of our own.
func newEmbedded(root, name string) embedded {
	if slices.ContainsFunc(own, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return embedded{}
	}
	known, ok := ofOthers[name]
	if !ok {
		panic(lab.Errorf("%s is embedded, and bench/thirdparty/lists.go does not say whose it is", name))
	}
	l := embedded{File: name, What: known.what}
	if known.terms != "" {
		text := string(lab.Need(os.ReadFile(filepath.Join(root, known.terms))))
		l.Texts = []licence{newLicence(filepath.Base(known.terms), text)}
	}
	return l
}
