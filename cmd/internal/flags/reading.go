package flags

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Reading are the flags that say how raw text is read.
type Reading struct {
	Read                 reader.Options
	Classes, ClassesFrom string
}

// Flags returns the flags.
func (f *Reading) Flags() []Flag {
	return Like(Flag{Group: GroupInput, Applies: OfRaw}, slices.Concat(f.fieldFlags(), f.labelFlags(), f.limitFlags()))
}

// fieldFlags returns the flags that say where texts are, and in which form.
func (f *Reading) fieldFlags() []Flag {
	o := &f.Read
	o.Charset = "auto"
	return []Flag{
		{
			Name: "split", To: &o.Split, Default: "all", Choices: Among("all", "train", "test", "unused"),
			Help: "all, train, test or unused: folders whose name ends so, or the collection's",
		},
		{Name: "input-format", To: &o.Format, Default: "auto", Choices: From(reader.Formats), Help: Words(reader.Formats())},
		{Name: "text-field", To: &o.TextField, Takes: "NAME", Help: "field or column with the text (default text); data.text is a field in a field, title,body are joined"},
		{Name: "label-field", Applies: OfLabels, To: &o.LabelField, Takes: "NAME", Help: "field or column with the labels (default labels or label)"},
		{
			Name: "target", Applies: OfLabels, To: &o.Target, Takes: "NAME", Excludes: "classes classes-from", Why: "reads numbers, which are no classes",
			Help: "field or column with a number, read in place of labels, for pearson and other measures of a target; label: the label itself",
		},
		{Name: "id-field", To: &o.IDField, Takes: "NAME", More: true, Help: "field or column with the name (default id)"},
		{Name: "no-header", To: &o.NoHeader, More: true, Help: "CSV without a header line: columns are numbers from 1 on"},
		{
			Name: "quote", To: &o.Quote, Default: "auto", More: true, Choices: Among("auto", "none", "double", "backslash"),
			Help: "quotes at the beginning of CSV's fields: double (they go around fields, and quotes in these are doubled), backslash (or stand behind one), none (they are quotes), or auto, which looks",
		},
		{
			Name: "label-separator", Applies: OfLabels, To: &o.LabelSeparator, More: true, Takes: "TEXT",
			Help: "what stands between several labels in one column or field, as , or ;",
		},
		{
			Name: "label-from", Applies: OfLabels, To: &o.LabelFrom, Default: "folder", More: true, Choices: Among("folder", "file", "none"),
			Help: "what names the class of a file in folders: folder; or file, its own name without extensions, where plain text has a document a line; or none, and files beside folders are documents, too",
		},
		{
			Name: "folder-level", Applies: OfLabels, To: &o.FolderLevel, More: true, NotNegative: true, Most: Unlimited, Excludes: "label-from=file",
			Help: "the folder that names the class: 1 is the first below the directory, or in the archive (default the one directly above the file)",
		},
		{
			Name: "charset", To: charsetValue{&o.Charset}, More: true, Choices: From(charset.Names),
			Help: "auto, utf-8, latin-1, windows-1251, koi8-r, shift_jis or another of WHATWG's names",
		},
		{
			Name: "strip-metadata", To: &o.StripMetadata, Default: "auto", More: true, Choices: Among("auto", "on", "off"),
			Help: "metadata lines of the Fudan corpus, which name the class: auto, on or off",
		},
		{Name: "skip-bad", To: &o.SkipBad, More: true, Help: "leave out documents that cannot be understood, and say where they are"},
	}
}

// labelFlags returns the flags that choose among labels.
func (f *Reading) labelFlags() []Flag {
	o := &f.Read
	return Like(Flag{More: true, Applies: OfLabels}, []Flag{
		{
			Name: "labels", To: &o.Labels, Default: "topics", Choices: Among("topics", "places", "people", "orgs", "exchanges"),
			Help: "of Reuters: topics, places, people, orgs or exchanges",
		},
		{Name: "single-label", To: &o.SingleLabel, Help: "drop documents that do not have exactly one label"},
		{Name: "first-label", To: &o.FirstLabel, Help: "keep the first label of a document"},
		{Name: "labelled", To: &o.Labelled, Help: "drop documents without a label"},
		{
			Name: "classes", To: &f.Classes, Default: "all", Choices: Among("all", "both"), Reads: AFile,
			Help: "all; both: those of the train and the test split; or a file of names, one a line",
		},
		{Name: "classes-from", To: &f.ClassesFrom, Reads: AFile, Excludes: "classes", Help: "keep the labels of this index"},
		{
			Name: "reuters-split", To: &o.ReutersSplit, Default: "modapte", Choices: Among("modapte", "modlewis", "modhayes"),
			Help: "modapte, modlewis or modhayes",
		},
		{Name: "qrels", To: &o.Qrels, Reads: AFile, Help: "file of lines \"label document 1\" with the labels of LYRL2004 files"},
	})
}

// limitFlags returns the flags that bound what is read.
func (f *Reading) limitFlags() []Flag {
	o := &f.Read
	return Like(Flag{Group: GroupLimits, More: true, Positive: true, Most: Unlimited}, []Flag{
		{Name: "max-document", To: &o.MaxDocument, Default: int64(64 << 20), Help: "most bytes of a document"},
		{Name: "max-line", To: &o.MaxLine, Default: int64(16 << 20), Help: "most bytes of a line"},
		{Name: "max-name", To: &o.MaxName, Default: 4096, Help: "most bytes of a name: of documents, labels, members, counted terms"},
		{Name: "max-labels", To: &o.MaxLabels, Default: 10_000, Help: "most labels of a document"},
		{Name: "max-classes", To: &o.MaxClasses, Default: 1_000_000, Help: "most distinct labels"},
		{Name: "max-fields", To: &o.MaxFields, Default: 1 << 16, Help: "most columns of CSV"},
		{Name: "max-members", To: &o.MaxMembers, Default: 10_000_000, Help: "most members of an archive"},
		{Name: "max-depth", To: &o.MaxDepth, Default: 100, Help: "most folders above a file or member"},
		{
			Name: "max-expansion", To: &o.MaxExpansion, Default: int64(1000),
			Help: "most bytes that one byte of compressed input may become, all levels and files together",
		},
		{
			Name: "max-window", To: &o.MaxWindow, Default: int64(128 << 20),
			Help: "most bytes of memory that compressed input may ask for, as zstd --long=31 does for 2 GiB",
		},
		{Name: "max-input", To: &o.MaxInput, Default: int64(1 << 40), Help: "most bytes of an input that is no regular file"},
	})
}

// Options returns the options of the reader that the flags give. Classes both and
// ClassesFrom need inputs or an index, and are left to the caller.
func (f *Reading) Options() (o reader.Options, err error) {
	o = f.Read
	if f.Classes != "all" && f.Classes != "both" {
		o.Classes, err = Lists{Limit: f.Read.MaxList}.Names(f.Classes)
		if errors.Is(err, os.ErrNotExist) {
			err = usage.Errorf("unknown choice of classes %q; known: all both, or the name of a file", f.Classes)
		}
	}
	return o, err
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
		{"id-field", p.Fields.ID, &f.Read.IDField},
		{"quote", p.Fields.Quote, &f.Read.Quote},
	} {
		if !changed(field.flag) {
			*field.to = field.was
		}
	}
	f.rememberLabels(changed, p)
	if !changed("no-header") {
		f.Read.NoHeader = p.Fields.NoHeader
	}
}

// rememberLabels sets what labels are to that of the record: a target, or the field of the classes. A
// flag that asks for the one leaves the other out.
func (f *Reading) rememberLabels(changed func(flag string) bool, p table.Provenance) {
	if changed("target") {
		return
	}
	if !changed("label-field") {
		f.Read.LabelField = p.Fields.Label
		if !changed("label-separator") {
			f.Read.Target = p.Target
		}
	}
	if !changed("label-separator") {
		f.Read.LabelSeparator = p.Fields.LabelSeparator
	}
}

// OptionalFields says that documents need not have the fields that no flag names: they are those
// of other documents.
func (f *Reading) OptionalFields(changed func(flag string) bool) {
	f.Read.OptionalFields = !changed("label-field") && !changed("target") && !changed("id-field")
}

// ToPredict says that the documents are those of a model or a selection, which need no
// label.
func (f *Reading) ToPredict(changed func(flag string) bool) {
	f.Read.Unlabelled = true
	f.OptionalFields(changed)
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
func Words[T ~string](names []T) string { return strings.Join(textsOf(names), ", ") }
