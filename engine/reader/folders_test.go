package reader

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// directoryOf writes files into a directory, whose name it returns.
func directoryOf(t testing.TB, files map[string]string) string {
	root := t.TempDir()
	for name, body := range files {
		testkit.Write(filepath.Join(root, name), body)
	}
	return root
}

// membersOf returns files as members of an archive, in the order of their names.
func membersOf(files map[string]string) []member {
	var members []member
	for _, name := range slices.Sorted(maps.Keys(files)) {
		members = append(members, member{name: name, body: files[name]})
	}
	return members
}

// A class may have folders beside its files. What stands beside all classes, in the folder of
// an archive or of a split, is about them; it is skipped and counted.
func TestClassesWithFolders(t *testing.T) {
	for name, c := range map[string]struct {
		files   string
		opt     Options
		want    string
		skipped int // outside the classes
	}{
		"a class has a folder":      {"A/x A/sub/y B/z", Options{}, "A/sub/y sub, A/x A, B/z B", 0},
		"two levels":                {"A/a/x A/b/x A/x B/x", Options{}, "A/a/x a, A/b/x b, A/x A, B/x B", 0},
		"a file beside all":         {"README n/A/x n/B/x", Options{}, "n/A/x A, n/B/x B", 1},
		"in the folder of all":      {"n/README n/A/x n/B/x", Options{}, "n/A/x A, n/B/x B", 1},
		"below it a class has one":  {"n/README n/A/x n/A/s/x n/B/x", Options{}, "n/A/s/x s, n/A/x A, n/B/x B", 1},
		"in two folders of all":     {"m/n/README m/LICENSE m/n/A/x m/n/B/x", Options{}, "m/n/A/x A, m/n/B/x B", 2},
		"beside the classes of one": {"n/train/urls n/train/A/x n/test/A/x n/test/urls", Options{}, "n/test/A/x A, n/train/A/x A", 2},
		"first level":               {"A/x A/sub/y B/z/z/z README", Options{FolderLevel: 1}, "A/sub/y A, A/x A, B/z/z/z B", 1},
		"second level":              {"n/A/x n/A/sub/y n/B/z README n/README", Options{FolderLevel: 2}, "n/A/sub/y A, n/A/x A, n/B/z B", 2},
		"second of a split":         {"train/A/s/x test/A/x train/README", Options{FolderLevel: 2, Split: "train"}, "train/A/s/x A", 1},
	} {
		files := map[string]string{}
		for _, file := range strings.Fields(c.files) {
			files[file] = file
		}
		for _, input := range []string{directoryOf(t, files), writeFile(t, archive(t, membersOf(files)...))} {
			got, sum, err := ids(t, c.opt, input)
			slices.Sort(got)
			outside := sum.Skipped["file outside a class folder"] + sum.Skipped["file above the folders of --folder-level"]
			if err != nil || strings.Join(got, ", ") != c.want || outside != c.skipped {
				t.Errorf("%s: %q, %v, %v, want %s", name, got, sum.Skipped, err, c.want)
			}
		}
	}
}

// Files of many documents take nothing from the class folder that they are in. Those without a text are about the
// classes that are beside them.
func TestTablesInClassFolders(t *testing.T) {
	const rows, about, objects = "text,label\nzeta,q\n", "file,author\n1.txt,x\n", "{\"id\":1,\"author\":\"x\"}\n"
	const columns, neither = `there is no column "text"; there are "file", "author"`, `it has neither "text" nor "counts"`
	for name, c := range map[string]struct {
		files   map[string]string // beside pos/1 and neg/1
		want    string
		skipped int
		opt     Options
		err     string
	}{
		"CSV":                         {files: map[string]string{"neg/old.csv": rows}, want: "beta neg; alpha pos; zeta q"},
		"JSON lines":                  {files: map[string]string{"pos/a.jsonl": `{"text":"zeta","label":"q"}`}, want: "beta neg; alpha pos; zeta q"},
		"packed, in the second":       {files: map[string]string{"pos/z.csv.gz": string(zip(t, []byte(rows)))}, want: "beta neg; alpha pos; zeta q"},
		"in both":                     {files: map[string]string{"pos/a.csv": rows, "neg/0.csv": rows}, want: "beta neg; alpha pos; zeta q; zeta q"},
		"two levels":                  {files: map[string]string{"n/pos/a.csv": rows, "n/pos/2": "eta"}, want: "beta neg; alpha pos; eta pos; zeta q"},
		"beside the classes":          {files: map[string]string{"all.csv": rows}, want: "beta neg; alpha pos; zeta q"},
		"about the classes":           {files: map[string]string{"meta.csv": about}, want: "beta neg; alpha pos", skipped: 1},
		"about a class":               {files: map[string]string{"pos/meta.tsv": strings.ReplaceAll(about, ",", "\t")}, want: "beta neg; alpha pos", skipped: 1},
		"about them, and texts":       {files: map[string]string{"neg/0.csv": about, "all.csv": rows}, want: "beta neg; alpha pos; zeta q", skipped: 1},
		"about them, the text named":  {files: map[string]string{"meta.csv": about}, opt: Options{TextField: "text"}, err: columns},
		"a table's own error":         {files: map[string]string{"pos/a.jsonl": `{"text":3}`}, err: "is not text"},
		"at the level of the classes": {files: map[string]string{"neg/old.csv": rows, "neg/sub/x.csv": rows}, want: "beta neg; alpha pos; zeta q; zeta q", opt: Options{FolderLevel: 1}},
	} {
		files := map[string]string{"pos/1": "alpha", "neg/1": "beta"}
		maps.Copy(files, c.files)
		for kind, input := range map[string]string{"directory": directoryOf(t, files), "tar": writeFile(t, archive(t, membersOf(files)...)), "zip": writeFile(t, zipOf(t, membersOf(files)...))} {
			if got, sum, err := textsOf(t, c.opt, input); got != c.want && c.err == "" || sum.Skipped[outsideReason] != c.skipped || err == nil != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s, %s: %q, %v, %v, want %s %s", name, kind, got, sum.Skipped, err, c.want, c.err)
			}
		}
	}
	root := directoryOf(t, map[string]string{"a/x.csv": about, "a/y.csv": rows, "b/z.csv": rows})
	if _, _, err := textsOf(t, Options{}, root); err == nil || !strings.Contains(err.Error(), columns) {
		t.Errorf("tables without class folders: %v", err)
	}
	root = directoryOf(t, map[string]string{"pos/1": "alpha", "neg/1": "beta", "meta.jsonl": objects})
	if got, sum, err := textsOf(t, Options{}, root); got != "beta neg; alpha pos" || sum.Skipped[outsideReason] != 1 || err != nil {
		t.Errorf("JSON lines about the classes: %q, %v, %v", got, sum.Skipped, err)
	}
	root = directoryOf(t, map[string]string{"neg/1": "beta", "meta.jsonl": objects + `{"text":"x","label":"y"}`, "neg/a.csv": about, "a/all.jsonl": `{"text":"x","label":"y"}` + "\n" + objects})
	if _, _, err := textsOf(t, Options{}, root); err == nil || !strings.Contains(err.Error(), neither) {
		t.Errorf("JSON lines with one text: %v", err)
	}
}

// Hidden files, and what systems and editors leave in folders, are no documents.
func TestStrayFiles(t *testing.T) {
	files := map[string]string{"pos/1.txt": "alpha", "neg/a#1": "beta"}
	for _, name := range []string{"desktop.ini", "Thumbs.db", "ehthumbs.db", "Icon\r", "1.txt~", "#1.txt#", "~$1.doc", "1.swp", "data.csv~", ".#1.txt"} {
		files["pos/"+name] = "text,label\nzeta,q\n"
	}
	for kind, input := range map[string]string{"directory": directoryOf(t, files), "tar": writeFile(t, archive(t, membersOf(files)...)), "zip": writeFile(t, zipOf(t, membersOf(files)...))} {
		got, sum, err := textsOf(t, Options{}, input)
		testkit.OK(err)
		testkit.Equal(t, got, "beta neg; alpha pos", kind)
		testkit.Same(t, sum.Skipped, map[string]int{"hidden file": 1, "file that a system or an editor left": 9}, kind)
	}
}

// A file .json of one object in a class folder is a document of that class, unless it names another; it is no text. A
// file of several objects is one of many documents.
func TestObjectsInClassFolders(t *testing.T) {
	for name, c := range map[string]struct {
		file, body, want string
		opt              Options
	}{
		"a line":             {"pos/2.json", `{"id":"7","text":"zeta eta"}`, "beta neg; alpha pos; zeta eta pos", Options{}},
		"indented":           {"pos/2.json", "\ufeff{\n  \"text\": \"zeta\"\n}\n", "beta neg; alpha pos; zeta pos", Options{}},
		"packed":             {"pos/2.json.gz", string(zip(t, []byte(`{"text":"zeta"}`))), "beta neg; alpha pos; zeta pos", Options{}},
		"its own class":      {"pos/2.json", `{"text":"zeta","label":"q"}`, "beta neg; alpha pos; zeta q", Options{}},
		"null as a class":    {"pos/2.json", `{"text":"zeta","label":null}`, "beta neg; alpha pos; zeta pos", Options{}},
		"a named text":       {"pos/2.json", `{"body":"zeta"}`, "beta neg; alpha pos; zeta pos", Options{TextField: "body"}},
		"several":            {"pos/2.json", `{"text":"zeta","label":"q"}` + "\n" + `{"text":"eta","label":"q"}`, "beta neg; alpha pos; eta q; zeta q", Options{}},
		"one of a split":     {"train/pos/2.json", `{"text":"zeta"}`, "zeta pos", Options{Split: "train"}},
		"by level":           {"pos/sub/2.json", `{"text":"zeta"}`, "beta neg; alpha pos; zeta pos", Options{FolderLevel: 1}},
		"beside the classes": {"2.json", `{"text":"zeta","label":"q"}`, "beta neg; alpha pos; zeta q", Options{}},
		"about the classes":  {"1.json", `{"author":"zeta"}`, "beta neg; alpha pos", Options{}},
		"lines about them":   {"0.jsonl", `{"author":"zeta"}`, "beta neg; alpha pos", Options{}},
		"without a text":     {"pos/2.json", `{"author":"zeta"}`, "beta neg; alpha pos", Options{}},
	} {
		files := map[string]string{"pos/1": "alpha", "neg/1": "beta", c.file: c.body}
		for kind, input := range map[string]string{"directory": directoryOf(t, files), "tar": writeFile(t, archive(t, membersOf(files)...)), "zip": writeFile(t, zipOf(t, membersOf(files)...))} {
			got, sum, err := textsOf(t, c.opt, input)
			testkit.OK(err)
			testkit.Equal(t, got, c.want, name, kind, sum.Skipped)
			testkit.Equal(t, sum.Skipped[outsideReason] > 0, strings.Contains(c.body, "author"), name, kind, sum.Skipped)
		}
	}
	_, _, err := textsOf(t, Options{}, directoryOf(t, map[string]string{"pos/1.json": `{"body":"x"}`, "neg/1.json": `{"body":"y"}`}))
	testkit.Refused(t, err, ErrBadInput, `there are "body"; name the field of the text with --text-field`)
}

// textsOf returns the texts of an input with their labels, in the order of these.
func textsOf(t *testing.T, opt Options, input string) (string, Summary, error) {
	t.Helper()
	s, err := Read(t.Context(), []string{input}, opt)
	testkit.OK(err)
	var got []string
	for d, one := range s.Documents() {
		if err = one; err == nil && len(d.Labels) > 0 {
			got = append(got, strings.Join(d.Labels, ",")+"\x00"+string(d.Text)+" "+strings.Join(d.Labels, ","))
		}
	}
	slices.Sort(got)
	for i, text := range got {
		_, got[i], _ = strings.Cut(text, "\x00")
	}
	return strings.Join(got, "; "), s.Summary(), err
}

// An archive gives the documents of the directory that it was made of, whatever the order of
// its members.
func TestArchivesAsDirectories(t *testing.T) {
	for _, r := range testkit.Cases(t, 300) {
		files, members := map[string]string{}, []member{}
		for range 1 + r.IntN(7) {
			name := ""
			for range r.IntN(4) {
				name += string("ABn"[r.IntN(3)]) + "/"
			}
			body := name
			switch name += []string{"x", "y", "t.csv", "o.json"}[r.IntN(4)]; path.Ext(name) {
			case ".csv":
				body = "text,label\none,A\n"
			case ".json":
				body = []string{`{"text":"one"}`, `{"text":"one","label":"A"}`, "{\n\"text\":\"one\"}", `{"author":"x"}`}[r.IntN(4)]
			}
			if _, twice := files[name]; !twice {
				files[name] = body
				members = append(members, member{name: name, body: body})
			}
		}
		opt := Options{FolderLevel: r.IntN(3)}
		read := func(input string) string {
			got, _, err := ids(t, opt, input)
			if err != nil {
				return "none"
			}
			for i := range got {
				got[i] = strings.TrimLeft(strings.TrimPrefix(got[i], input), "/!") // rows are named by the file
			}
			slices.Sort(got)
			return strings.Join(got, "; ")
		}
		folder, packed := read(directoryOf(t, files)), read(writeFile(t, archive(t, members...)))
		testkit.Equal(testkit.Stop(t), folder, packed, members, "at level", opt.FolderLevel, "in a directory")
	}
}

// The label of a document may be the name of its file, in any format, where a plain text has a
// document in each line.
func TestLabelsFromFiles(t *testing.T) {
	files := map[string]string{"pos.txt": "good\nfine\n", "neg.txt.gz": string(zip(t, []byte("bad\n"))), "rec.autos.csv": "text,label\ncars,x\n", "j.jsonl": `{"text":"t","label":"no"}`}
	want := "bad neg; cars rec.autos; fine pos; good pos; t j"
	root := directoryOf(t, files)
	nested := map[string]string{}
	for name, body := range files {
		nested["n/"+name] = body
	}
	for name, inputs := range map[string][]string{
		"files":     {filepath.Join(root, "pos.txt"), filepath.Join(root, "neg.txt.gz"), filepath.Join(root, "rec.autos.csv"), filepath.Join(root, "j.jsonl")},
		"directory": {root},
		"tar":       {writeFile(t, archive(t, membersOf(nested)...))},
	} {
		s := testkit.Must(Read(t.Context(), inputs, Options{LabelFrom: "file"}))
		var got []string
		for d, err := range s.Documents() {
			testkit.Is(testkit.Stop(t), err, nil, name)
			got = append(got, string(d.Text)+" "+strings.Join(d.Labels, ","))
		}
		slices.Sort(got)
		testkit.Equal(t, strings.Join(got, "; "), want, name, got)
	}
	for _, opt := range []Options{{LabelFrom: "files"}, {FolderLevel: -1}, {LabelFrom: "file", FolderLevel: 1}} {
		testkit.Fails(t, testkit.Err(Read(t.Context(), []string{root}, opt)), opt, "is taken")
	}
}

// Without classes each text of a directory or archive is a document, in whatever folder it is.
func TestNoLabels(t *testing.T) {
	for _, files := range []map[string]string{
		{"a.txt": "one", "b.txt": "two"},
		{"a.txt": "one", "x/b.txt": "two", "x/y/c.txt": "three", "x/y/z/d.txt": "four"},
		{"a.txt": "one", "x/t.jsonl": `{"text":"t","label":"x"}`, "x/b.txt": "two"},
	} {
		for name, input := range map[string]string{
			"directory": directoryOf(t, files),
			"tar":       writeFile(t, archive(t, membersOf(files)...)),
			"zip":       writeFile(t, zipOf(t, membersOf(files)...)),
		} {
			s := testkit.Must(Read(t.Context(), []string{input}, Options{LabelFrom: "none", Unlabelled: true}))
			n := 0
			for d, err := range s.Documents() {
				testkit.Is(testkit.Stop(t), err, nil, name)
				testkit.Equal(t, len(d.Labels), 0, name, d.ID)
				n++
			}
			testkit.Equal(t, n, len(files), name, files)
		}
	}
	testkit.Fails(t, testkit.Err(Read(t.Context(), []string{t.TempDir()}, Options{LabelFrom: "none", FolderLevel: 1})), "a level of no folder is taken")
	for files, want := range map[string]int{"a.txt b.txt": 2, "README x/a.txt y/b.txt": 2, "README x/a.txt": 1} {
		var members []member
		for name := range strings.FieldsSeq(files) {
			members = append(members, member{name: name, body: "text"})
		}
		got, _, err := ids(t, Options{Unlabelled: true}, writeFile(t, zipOf(t, members...)))
		testkit.Is(t, err, nil, files)
		testkit.Equal(t, len(got), want, files)
	}
}
