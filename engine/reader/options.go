package reader

import (
	"cmp"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/usage"
)

// Values of Options.LabelFrom: labels are names of files, and nothing is a label.
const (
	fromFile    = "file"
	fromNothing = "none"
)

// Options say how to read. The zero value detects the format and the charset
// and takes every document.
type Options struct {
	// Format is "auto" (also ""), or one of [Formats].
	Format string
	// Split keeps the documents of one part: "train", "test" or "unused"; "" and
	// "all" keep all. In trees and archives it is a folder whose name is or ends
	// in it, the nearest above the class; in JSON lines the field and in CSV the
	// column "split"; in Reuters what ReutersSplit says.
	Split string
	// ReutersSplit is "modapte" (also ""), "modlewis" or "modhayes".
	ReutersSplit string
	// Labels says which of Reuters' label sets are the classes: "topics" (also
	// ""), "places", "people", "orgs" or "exchanges".
	Labels string
	// SingleLabel drops documents that do not have exactly one label as written,
	// before all that follows. FirstLabel keeps the first label of each document.
	SingleLabel, FirstLabel bool
	// Classes are the labels that are kept; nil keeps all. Labelled drops the
	// documents that have none then, as SingleLabel does.
	Classes  []string
	Labelled bool
	// Charset is "auto" (also ""), or what [charset.Parse] takes.
	Charset string
	// TextField, LabelField and IDField name the fields of JSON and the columns of
	// CSV, there also by number from 1 on; the defaults are text, labels (or label)
	// and id. Those of Parquet are columns too. In JSON data.text is the field text of the object data, unless a field
	// is called data.text. A TextField with commas names several fields, whose texts
	// are joined, each a line; one that is missing is empty. NoHeader says that CSV
	// has no header line.
	TextField, LabelField, IDField string
	NoHeader                       bool
	// Target, unless "", names the field whose number is the one label of a document, in the form
	// of [document.AppendNumber], as LabelField names the field of labels. In formats that have
	// labels and no fields it is [TargetLabel]. Documents without the field, or with null or an
	// empty text in it, are left out, unless OptionalFields is set; anything else that is no
	// finite number is an [Error].
	Target string
	// Quote says what a quote at the beginning of a field of CSV means: "double", that the
	// field goes on to the next quote that ends one, with quotes in it doubled; "backslash", the
	// same with backslashes before quotes in it, too; "none", a quote. "auto" (also "") is what
	// the first bytes show: double or backslash for CSV, any where tabs are between fields.
	Quote string
	// LabelSeparator, unless "", stands between labels that one column of CSV or Parquet, or
	// one text of JSON, has together, with or without spaces around it.
	LabelSeparator string
	// OptionalFields says that LabelField, Target and IDField are those of other inputs, so
	// that CSV need not have them, and documents need no Target.
	OptionalFields bool
	// Qrels is a file of lines "label document 1" that has the labels of LYRL2004
	// token files and of svmlight whose first field is the document's number.
	Qrels string
	// StripMetadata takes the metadata lines off documents in the layout of the
	// Fudan corpus, which name the class: "auto" (also ""), "on" or "off".
	StripMetadata string
	// LabelFrom is "folder" (also ""); "file": the label of a document is the name of the
	// file that it is in, without extensions, whatever the format, and plain text has a
	// document in each line; or "none": documents have no labels, in whatever folder they are. FolderLevel says which folder names the class of a file of a tree
	// or an archive: 1 is the first below its top; 0 is the one directly above the file.
	LabelFrom   string
	FolderLevel int
	// Unlabelled says that no label is needed: the files of a directory without
	// folders are documents then, and so are the lines of a file whose format is not
	// known.
	Unlabelled bool
	// OptionalLabels reads what Unlabelled reads, for those who count by classes where there are
	// some: the summary tells of documents without a label.
	OptionalLabels bool
	// SkipBad leaves documents out that cannot be understood. The summary has
	// where they are.
	SkipBad bool

	// MaxDocument and MaxLine are limits in bytes; 0 is 64 MiB and 16 MiB.
	MaxDocument, MaxLine int64
	// MaxLabels bounds the labels of a document, MaxClasses the distinct labels,
	// MaxMembers the members of an archive; 0 is 10,000, a million and 10 million.
	MaxLabels, MaxClasses, MaxMembers int
	// MaxName bounds names in bytes: of documents, labels, splits, members, and of
	// terms that come counted. MaxDepth bounds the folders above a file or member,
	// MaxFields the columns of CSV. 0 is 4096, 100 and 65,536.
	MaxName, MaxDepth, MaxFields int
	// MaxExpansion bounds how many times larger than the inputs decompressed data may
	// be, all levels and files together, after the first 64 MiB; 0 is 1000.
	MaxExpansion int64
	// MaxWindow bounds the memory in bytes that compressed data asks for; 0 is 128 MiB.
	MaxWindow int64
	// MaxList bounds the bytes of the file Qrels, MaxInput those of an input that is
	// no regular file and might not end; 0 is 64 MiB and 1 TiB.
	MaxList, MaxInput int64

	// TempDir is the directory of the copy of Parquet that comes by a pipe or packed; "" is
	// the system's.
	TempDir string

	// WholeFiles is the size in bytes up to which a compressed input is left to one
	// goroutine, as one batch, if those behind it are as large together: so several are
	// decompressed side by side. 0 is 16 MiB, since a build within a bound on memory
	// takes batches whole.
	WholeFiles int64

	// Stdin is what the input "-" reads; nil is os.Stdin. It is read ahead, and
	// a read that blocks may outlive an interrupted stream.
	Stdin io.Reader
}

// defaultWindow is the most memory that a compressed input may ask for: what zstd --long=27
// makes, and twice what xz -9 does.
const defaultWindow = 128 << 20

// complete replaces zero values by the defaults, and returns an error for the first option with
// an unknown value.
func (o *Options) complete() (err error) {
	orDefault(&o.MaxDocument, 64<<20)
	orDefault(&o.MaxLine, 16<<20)
	orDefault(&o.MaxExpansion, 1000)
	orDefault(&o.MaxList, 64<<20)
	orDefault(&o.MaxWindow, defaultWindow)
	orDefault(&o.MaxInput, 1<<40)
	orDefault(&o.WholeFiles, wholeFile)
	orDefault(&o.MaxLabels, 10_000)
	orDefault(&o.MaxClasses, 1_000_000)
	orDefault(&o.MaxMembers, 10_000_000)
	orDefault(&o.MaxName, 4096)
	orDefault(&o.MaxDepth, 100)
	orDefault(&o.MaxFields, 1<<16)
	for _, c := range []struct {
		what  string
		value *string
		known []string // the default first
	}{
		{"input format", &o.Format, Formats()},
		{"split", &o.Split, []string{"all", "train", "test", "unused"}},
		{"Reuters split", &o.ReutersSplit, []string{"modapte", "modlewis", "modhayes"}},
		{"label set", &o.Labels, []string{"topics", "places", "people", "orgs", "exchanges"}},
		{"choice for quotes", &o.Quote, []string{"auto", "none", "double", "backslash"}},
		{"choice of labels", &o.LabelFrom, []string{"folder", fromFile, fromNothing}},
		{"choice for metadata", &o.StripMetadata, []string{"auto", "on", "off"}},
	} {
		*c.value = cmp.Or(*c.value, c.known[0])
		if !slices.Contains(c.known, *c.value) {
			return usage.Unknown(c.what, *c.value, c.known)
		}
	}
	if o.Split == "all" {
		o.Split = ""
	}
	if o.FolderLevel < 0 || o.FolderLevel > 0 && o.LabelFrom != "folder" {
		return usage.Errorf("the level of a folder is a positive number, and goes with labels from folders")
	}
	if err := o.checkTarget(); err != nil {
		return err
	}
	o.Charset, err = charset.Parse(o.Charset)
	return err
}

func orDefault[T int | int64](value *T, otherwise T) {
	if *value <= 0 {
		*value = otherwise
	}
}
