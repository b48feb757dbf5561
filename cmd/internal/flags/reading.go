package flags

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Reading are the flags that say how raw text is read.
type Reading struct {
	Read                         reader.Options
	Format, Classes, ClassesFrom string
}

// Register adds the flags.
func (f *Reading) Register(flags *pflag.FlagSet) {
	o := &f.Read
	flags.StringVar(&f.Format, "input-format", "auto", Words(reader.Formats()))
	flags.StringVar(&o.Split, "split", "all", "all, train, test or unused: folders whose name ends so, or the collection's")
	flags.StringVar(&o.ReutersSplit, "reuters-split", "modapte", "modapte, modlewis or modhayes")
	flags.StringVar(&o.Labels, "labels", "topics", "of Reuters: topics, places, people, orgs or exchanges")
	flags.BoolVar(&o.SingleLabel, "single-label", false, "drop documents that do not have exactly one label")
	flags.BoolVar(&o.FirstLabel, "first-label", false, "keep the first label of a document")
	flags.BoolVar(&o.Labelled, "labelled", false, "drop documents without a label")
	flags.StringVar(&f.Classes, "classes", "all", "all; both: those of the train and the test split; or a file of names, one a line")
	flags.StringVar(&f.ClassesFrom, "classes-from", "", "keep the labels of this index")
	o.Charset = "auto"
	flags.Var(charsetValue{&o.Charset}, "charset", "auto, utf-8, latin-1, windows-1251, koi8-r, shift_jis or another of WHATWG's names")
	flags.StringVar(&o.TextField, "text-field", "", "field or column with the text (default text); data.text is a field in a field, title,body are joined")
	flags.StringVar(&o.LabelField, "label-field", "", "field or column with the labels (default labels or label)")
	flags.StringVar(&o.IDField, "id-field", "", "field or column with the name (default id)")
	flags.BoolVar(&o.NoHeader, "no-header", false, "CSV without a header line: columns are numbers from 1 on")
	flags.StringVar(&o.Quote, "quote", "auto", "quotes at the beginning of CSV's fields: double (they go around fields), none (they are quotes), or auto, which looks where tabs are between fields")
	flags.StringVar(&o.LabelSeparator, "label-separator", "", "what stands between several labels in one column or field, as , or ;")
	flags.StringVar(&o.LabelFrom, "label-from", "folder", "what names the class of a file in folders: folder; or file, its own name without extensions, where plain text has a document a line")
	flags.IntVar(&o.FolderLevel, "folder-level", 0, "the folder that names the class: 1 is the first below the directory, or in the archive (default the one directly above the file)")
	flags.StringVar(&o.Qrels, "qrels", "", "file of lines \"label document 1\" with the labels of LYRL2004 files")
	flags.StringVar(&o.StripMetadata, "strip-metadata", "auto", "metadata lines of the Fudan corpus, which name the class: auto, on or off")
	flags.BoolVar(&o.SkipBad, "skip-bad", false, "leave out documents that cannot be understood, and say where they are")
	flags.Int64Var(&o.MaxDocument, "max-document", 64<<20, "most bytes of a document")
	flags.Int64Var(&o.MaxLine, "max-line", 16<<20, "most bytes of a line")
	flags.IntVar(&o.MaxLabels, "max-labels", 10_000, "most labels of a document")
	flags.IntVar(&o.MaxClasses, "max-classes", 1_000_000, "most distinct labels")
	flags.IntVar(&o.MaxMembers, "max-members", 10_000_000, "most members of an archive")
	flags.Int64Var(&o.MaxExpansion, "max-expansion", 1000, "most bytes that one byte of compressed input may become, all levels and files together")
	flags.Int64Var(&o.MaxWindow, "max-window", 128<<20, "most bytes of memory that compressed input may ask for, as zstd --long=31 does for 2 GiB")
	flags.IntVar(&o.MaxName, "max-name", 4096, "most bytes of a name: of documents, labels, members, counted terms")
	flags.IntVar(&o.MaxDepth, "max-depth", 100, "most folders above a file or member")
	flags.IntVar(&o.MaxFields, "max-fields", 1<<16, "most columns of CSV")
	flags.Int64Var(&o.MaxInput, "max-input", 1<<40, "most bytes of an input that is no regular file")
}

// Options returns the options of the reader that the flags give. Classes both and
// ClassesFrom need inputs or an index, and are left to the caller.
func (f *Reading) Options() (o reader.Options, err error) {
	if err := f.checkLimits(); err != nil {
		return o, err
	}
	if f.Read.FolderLevel < 0 || f.Read.FolderLevel > 0 && f.Read.LabelFrom == "file" {
		return o, usage.Errorf("--folder-level is a positive number, and goes with --label-from folder")
	}
	o = f.Read
	if o.Format, err = reader.ParseFormat(f.Format); err != nil {
		return o, usage.Errorf("%v", err)
	}
	switch {
	case f.ClassesFrom != "" && f.Classes != "all":
		return o, usage.Errorf("--classes and --classes-from contradict each other: leave one away")
	case f.Classes != "all" && f.Classes != "both":
		o.Classes, err = Lists{Limit: f.Read.MaxList}.Names(f.Classes)
		if errors.Is(err, os.ErrNotExist) {
			err = usage.Errorf("unknown choice of classes %q; known: all both, or the name of a file", f.Classes)
		}
	}
	return o, err
}

// checkLimits returns an error unless all limits are positive.
func (f *Reading) checkLimits() error {
	o := &f.Read
	for _, limit := range []struct {
		flag  string
		value int64
	}{
		{"max-document", o.MaxDocument},
		{"max-line", o.MaxLine},
		{"max-labels", int64(o.MaxLabels)},
		{"max-classes", int64(o.MaxClasses)},
		{"max-members", int64(o.MaxMembers)},
		{"max-expansion", o.MaxExpansion},
		{"max-window", o.MaxWindow},
		{"max-name", int64(o.MaxName)},
		{"max-depth", int64(o.MaxDepth)},
		{"max-fields", int64(o.MaxFields)},
		{"max-input", o.MaxInput},
	} {
		if limit.value <= 0 {
			return usage.Errorf("--%s must be positive, not %d", limit.flag, limit.value)
		}
	}
	return nil
}

// Fields returns the names of the fields for the record.
func (f *Reading) Fields() table.Fields {
	o := &f.Read
	fields := table.Fields{Text: o.TextField, Label: o.LabelField, ID: o.IDField, NoHeader: o.NoHeader, LabelSeparator: o.LabelSeparator}
	if o.Quote != "auto" {
		fields.Quote = o.Quote
	}
	return fields
}

// Remember sets the charset and the fields that no flag names to those of the record.
// changed reports whether a flag was given.
func (f *Reading) Remember(changed func(flag string) bool, p table.Provenance) {
	if !changed("charset") && p.Charset != "" {
		f.Read.Charset = p.Charset
	}
	f.RememberFields(changed, p)
}

// RememberFields sets the fields that no flag names to those of the record.
func (f *Reading) RememberFields(changed func(flag string) bool, p table.Provenance) {
	for _, field := range []struct {
		flag, was string
		to        *string
	}{
		{"text-field", p.Fields.Text, &f.Read.TextField},
		{"label-field", p.Fields.Label, &f.Read.LabelField},
		{"id-field", p.Fields.ID, &f.Read.IDField},
		{"quote", p.Fields.Quote, &f.Read.Quote},
		{"label-separator", p.Fields.LabelSeparator, &f.Read.LabelSeparator},
	} {
		if !changed(field.flag) {
			*field.to = field.was
		}
	}
	if !changed("no-header") {
		f.Read.NoHeader = p.Fields.NoHeader
	}
}

// ToPredict says that the documents are those of a model or a selection, which need no
// label.
func (f *Reading) ToPredict(changed func(flag string) bool) {
	f.Read.Unlabelled = true
	f.Read.OptionalFields = !changed("label-field") && !changed("id-field")
}

// A charsetValue is the value of --charset, by whatever label it is given.
type charsetValue struct{ name *string }

func (v charsetValue) String() string {
	if v.name == nil {
		return ""
	}
	return *v.name
}

func (v charsetValue) Set(label string) (err error) {
	name, err := charset.Parse(label)
	if err == nil {
		*v.name = name
	}
	return err
}

func (charsetValue) Type() string { return "string" }

// Words returns names as text for a help text.
func Words[T ~string](names []T) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = string(n)
	}
	return strings.Join(list, ", ")
}
