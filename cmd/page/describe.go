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

	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// This file says what is understood of files before they are counted, for people to agree or to choose.

// A description is what the page says of the files, and what it proposes.
type description struct {
	Inputs  []string `json:"inputs"`  // what is read
	Says    string   `json:"says"`    // what was understood
	Fields  []field  `json:"fields"`  // of a table
	Text    string   `json:"text"`    // the field that most likely has the text
	Classes []string `json:"classes"` // where classes can come from, the most likely first
	Markup  bool     `json:"markup"`  // the texts are HTML
}

// A field is a column of a table, or a field of records.
type field struct {
	Name  string `json:"name"`
	Looks string `json:"looks"` // like text, names, numbers or classes

	words    float64 // mean
	distinct int
}

const looked = 200 // records of a table

// describe looks at the beginning of files.
func describe(ctx context.Context, paths []string) (*description, error) {
	var texts, tables, archives, folders, tops []string
	d := &description{Fields: []field{}}
	for _, p := range paths {
		name := strings.ToLower(path.Base(p))
		data, archive := reader.NamesData(name)
		switch {
		case strings.HasPrefix(name, "."):
		case archive:
			archives = append(archives, p)
		case data:
			tables = append(tables, p)
		default:
			top, _, _ := strings.Cut(p, "/")
			texts, folders, tops = append(texts, p), append(folders, path.Dir(p)), append(tops, top)
			d.Markup = d.Markup || strings.HasPrefix(path.Ext(name), ".htm")
		}
	}
	slices.Sort(folders)
	slices.Sort(tops)
	folders, tops = slices.Compact(folders), slices.Compact(tops)
	switch {
	case len(texts) > 0: // and what is beside them
		d.Inputs = []string{"."}
		d.Says, d.Classes = plural(len(texts), "text"), []string{"none", "file"}
		if len(folders) > 1 {
			d.Says, d.Classes = fmt.Sprintf("%s in %d folders", d.Says, len(folders)), []string{"folder", "file", "none"}
		}
		if len(tops) > 1 && len(tops) < len(folders) {
			d.Classes = slices.Insert(d.Classes, 1, "top")
		}
	case len(tables) > 0:
		d.Inputs = slices.Concat(tables, archives)
		return d, d.table(ctx, tables)
	case len(archives) > 0:
		d.Inputs, d.Says, d.Classes = archives, plural(len(archives), "archive"), []string{"none"}
		if inFolders(ctx, archives) {
			d.Classes = []string{"folder", "none"}
		}
	default:
		return nil, usage.Errorf("there is no file to read: choose texts, tables, an archive or a folder of them")
	}
	return d, nil
}

// inFolders reports whether archives have texts in folders.
func inFolders(ctx context.Context, archives []string) bool {
	source, err := reader.Read(ctx, archives, reader.Options{Unlabelled: true, SkipBad: true})
	if err != nil {
		return false
	}
	for _, err := range source.Documents() {
		return err == nil
	}
	return false
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// table looks at the first records of tables.
func (d *description) table(ctx context.Context, tables []string) error {
	names, err := fieldsOf(ctx, tables[0])
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := look(ctx, tables[0], name)
		if err != nil {
			return err
		}
		d.Fields = append(d.Fields, f)
	}
	d.Classes = []string{"none"}
	if len(tables) > 1 {
		d.Classes = []string{"file", "none"}
	}
	if len(d.Fields) == 0 {
		d.Says = plural(len(tables), "file") + " of documents"
		d.Classes = []string{"folder", "none"}
		return nil
	}
	slices.SortStableFunc(d.Fields, func(a, b field) int { return cmp.Compare(b.words, a.words) })
	d.Fields[0].Looks, d.Text = "text", d.Fields[0].Name
	usual := map[string]int{"labels": -2, "label": -2, "class": -1, "category": -1, "split": 1}
	classes := slices.DeleteFunc(slices.Clone(d.Fields[1:]), func(f field) bool { // the first records of a sorted table have one class
		return f.distinct < 2 && usual[strings.ToLower(f.Name)] >= 0 || f.distinct > looked/4
	})
	slices.SortStableFunc(classes, func(a, b field) int {
		return cmp.Or(cmp.Compare(usual[strings.ToLower(a.Name)], usual[strings.ToLower(b.Name)]), cmp.Compare(a.distinct, b.distinct))
	})
	var all []string
	for _, f := range d.Fields {
		all = append(all, f.Name+" looks like "+f.Looks)
	}
	for i, f := range classes {
		d.Classes = slices.Insert(d.Classes, i, "column:"+f.Name)
	}
	d.Says = plural(len(tables), "table") + ": " + strings.Join(all[:min(8, len(all))], ", ")
	return nil
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
	f := field{Name: name, Looks: "names"}
	source, err := reader.Read(ctx, []string{file}, reader.Options{Unlabelled: true, TextField: name, SkipBad: true})
	if err != nil {
		return f, err
	}
	values, numbers, n := map[string]bool{}, 0, 0
	for doc, err := range source.Documents() {
		if err != nil || n == looked {
			break // what is wrong is told when it is counted
		}
		value := strings.TrimSpace(string(doc.Text))
		values[value] = true
		if _, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64); err == nil {
			numbers++
		}
		f.words += float64(len(strings.Fields(value))) + float64(len(value))/1000 // or Chinese texts have none
		n++
	}
	f.words, f.distinct = f.words/float64(max(1, n)), len(values)
	switch {
	case n > 0 && numbers > n*9/10:
		f.Looks, f.words = "numbers", 0
	case f.distinct <= max(2, n/4):
		f.Looks = "classes"
	case f.words >= 4:
		f.Looks = "text"
	}
	return f, nil
}
