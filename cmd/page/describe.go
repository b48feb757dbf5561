package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/reader"
)

// This file says what is understood of files before they are counted, for people to agree or to choose.

// A description is what the page says of the files, and what it proposes.
type description struct {
	Inputs  []string `json:"inputs"` // what is read
	Says    string   `json:"says"`   // what was understood, in a sentence
	Fields  []field  `json:"fields"` // of a table
	Text    string   `json:"text"`   // the field of the text that is proposed
	Classes []string `json:"classes"`
	Markup  bool     `json:"markup"` // the texts are HTML
}

// A field is a column of a table, or a field of records.
type field struct {
	Name    string `json:"name"`
	Looks   string `json:"looks"`   // like text, names, numbers or classes
	Example string `json:"example"` // of a value

	length, words float64 // means
	distinct      int
}

const (
	looked  = 200  // records of a table
	members = 5000 // of an archive
)

// describe looks at the beginning of files.
func describe(ctx context.Context, paths []string) (*description, error) {
	var texts, tables, archives []string
	for _, p := range paths {
		switch name := strings.ToLower(path.Base(p)); {
		case isArchive(name):
			archives = append(archives, p)
		case reader.NamesData(name):
			tables = append(tables, p)
		case !strings.HasPrefix(name, "."):
			texts = append(texts, p)
		}
	}
	d := &description{Fields: []field{}, Inputs: slices.Concat(tables, archives)}
	var folders []string
	for _, p := range texts {
		folders = append(folders, path.Dir(p))
		d.Markup = d.Markup || strings.HasSuffix(strings.ToLower(p), ".html") || strings.HasSuffix(strings.ToLower(p), ".htm")
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	if len(texts) > 0 {
		d.Inputs = []string{"."}
	}
	switch {
	case len(texts) > 0:
		d.Says = plural(len(texts), "text")
		d.Classes = []string{"file", "none"}
		if len(folders) > 1 {
			d.Says += fmt.Sprintf(" in %d folders", len(folders))
			d.Classes = []string{"folder", "file", "none"}
		}
		if len(folders) < 2 && len(texts) > 1 {
			d.Classes = []string{"none", "file"}
		}
	case len(tables) > 0:
		if err := d.table(ctx, tables[0]); err != nil {
			return nil, err
		}
		d.Says = fmt.Sprintf("%s with the fields %s", plural(len(tables), "table"), listOf(d.Fields))
		if len(d.Fields) == 0 {
			d.Says = plural(len(tables), "file") + " of documents"
			d.Classes = []string{"folder", "none"}
		}
	case len(archives) > 0:
		if err := d.archive(ctx, archives); err != nil {
			return nil, err
		}
	default:
		return nil, errors.New("there is no file to read: choose texts, tables, an archive or a folder of them")
	}
	return d, nil
}

// isArchive reports whether a file of this name, in lower case, is an archive.
func isArchive(name string) bool {
	for _, end := range []string{".zip", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// listOf names fields with what they look like.
func listOf(fields []field) string {
	var all []string
	for _, f := range fields {
		all = append(all, fmt.Sprintf("%s (%s)", f.Name, f.Looks))
	}
	if more := len(all) - 8; more > 0 {
		all = append(all[:8], fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}

// table looks at the first records of a table.
func (d *description) table(ctx context.Context, file string) error {
	names, err := fieldsOf(ctx, file)
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := look(ctx, file, name)
		if err != nil {
			return err
		}
		d.Fields = append(d.Fields, f)
	}
	if len(d.Fields) == 0 {
		return nil
	}
	text := slices.MaxFunc(d.Fields, func(a, b field) int { return cmp.Compare(a.words, b.words) })
	d.Text = text.Name
	for i := range d.Fields {
		if f := &d.Fields[i]; f.Name == d.Text {
			f.Looks = "text"
		}
	}
	classes := slices.DeleteFunc(slices.Clone(d.Fields), func(f field) bool { return f.Name == d.Text || f.distinct < 2 || f.distinct > looked/4 })
	slices.SortStableFunc(classes, func(a, b field) int {
		return cmp.Or(cmp.Compare(namesClasses(a.Name), namesClasses(b.Name)), cmp.Compare(a.distinct, b.distinct))
	})
	for _, f := range classes {
		d.Classes = append(d.Classes, "column:"+f.Name)
	}
	d.Classes = append(d.Classes, "none")
	return nil
}

// namesClasses is less for the name of a field that most likely has classes.
func namesClasses(name string) int {
	switch name := strings.ToLower(name); name {
	case "labels", "label", "class", "classes", "category", "categories", "topic", "author", "genre":
		return 0
	case "split", "id":
		return 2
	}
	return 1
}

// fieldsOf returns the names of the fields of a table, none of one that has no names.
func fieldsOf(ctx context.Context, file string) ([]string, error) {
	source, err := reader.Read(ctx, []string{file}, reader.Options{Unlabelled: true, TextField: "\x00"})
	if err != nil {
		return nil, err
	}
	for _, err := range source.Documents() {
		var missing *reader.Error
		if errors.As(err, &missing) && missing.Fields != nil {
			return missing.Fields, nil
		}
		return nil, err
	}
	return nil, source.Check()
}

// look looks at the first values of a field.
func look(ctx context.Context, file, name string) (field, error) {
	f := field{Name: name}
	source, err := reader.Read(ctx, []string{file}, reader.Options{Unlabelled: true, TextField: name, SkipBad: true})
	if err != nil {
		return f, err
	}
	values, numbers, n := map[string]bool{}, 0, 0
	for doc, err := range source.Documents() {
		if err != nil {
			return f, err
		}
		value := strings.TrimSpace(string(doc.Text))
		values[value] = true
		if f.Example == "" {
			f.Example = value[:min(len(value), 80)]
		}
		if _, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64); err == nil {
			numbers++
		}
		f.length += float64(utf8.RuneCountInString(value))
		f.words += float64(len(strings.Fields(value)))
		if n++; n == looked {
			break
		}
	}
	f.Example, f.distinct = strings.ToValidUTF8(f.Example, ""), len(values)
	f.length, f.words = f.length/float64(max(1, n)), f.words/float64(max(1, n))
	switch {
	case n > 0 && numbers > n*9/10:
		f.Looks, f.words = "numbers", 0
	case f.distinct <= max(2, n/4):
		f.Looks = "classes"
	case f.words >= 4 || f.length >= 40:
		f.Looks = "text"
	default:
		f.Looks = "names"
	}
	return f, nil
}

// archive looks at the first members of archives.
func (d *description) archive(ctx context.Context, archives []string) error {
	source, err := reader.Read(ctx, archives, reader.Options{Unlabelled: true, SkipBad: true})
	if err != nil {
		return err
	}
	documents, classes := 0, map[string]bool{}
	for doc, err := range source.Documents() {
		if err != nil {
			return err
		}
		for _, l := range doc.Labels {
			classes[l] = true
		}
		if documents++; documents == members {
			break
		}
	}
	if err := source.Check(); documents == 0 && err != nil {
		return err
	}
	d.Says, d.Classes = plural(documents, "text"), []string{"none"}
	if documents == members {
		d.Says = fmt.Sprintf("more than %d texts", members)
	}
	if len(classes) > 1 {
		d.Says += fmt.Sprintf(" in %d folders or more", len(classes))
		d.Classes = []string{"folder", "none"}
	}
	return nil
}
