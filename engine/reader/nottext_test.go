package reader

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/termsift/termsift/bench/testkit"
)

// This file tests what becomes of files that are no text, or no longer there.

// ownFiles are beginnings of the files that this program writes.
var ownFiles = map[string]string{
	"index of termsift":         "TERMSIFT\x02\x00\x00\x00" + strings.Repeat("\x01abc", 100),
	"statistics of termsift":    "TERMSSTA\x01\x00\x00\x00 words",
	"model of termsift":         "TERMSPIP\x01\x00\x00\x00 words",
	"features file of termsift": "#termsift features 2\n#version \"0.1\"\nrank\tterm\n",
	"class terms of termsift":   "#termsift class terms 1\nclass\tterm\n",
}

// planted gives a corpus of two documents and other files, as a directory, an archive,
// and one in gzip.
func planted(t *testing.T, more ...member) []string {
	t.Helper()
	members := append([]member{{name: "n/a/1", body: "one"}, {name: "n/b/1", body: "two"}}, more...)
	root := plant(t)
	for _, m := range members {
		testkit.Write(filepath.Join(root, m.name), m.body)
	}
	data := archive(t, members...)
	return []string{root, writeFile(t, data), writeFile(t, zip(t, data))}
}

// A file that this program wrote is no document of the class whose folder it is in,
// packed or not, whatever its name and however large it is.
func TestOwnFilesAreSkipped(t *testing.T) {
	for kind, text := range ownFiles {
		large := text + strings.Repeat("x", 1<<16)
		for _, input := range planted(t, member{name: "n/a/x.idx", body: text}, member{name: "n/a/features.tsv", body: text},
			member{name: "n/b/x", body: string(zip(t, []byte(text)))}, member{name: "n/b/large", body: large}) {
			got, sum, err := ids(t, Options{MaxDocument: 1 << 14}, input)
			if err != nil || !slices.Equal(got, []string{"n/a/1 a", "n/b/1 b"}) || sum.Skipped[kind] != 4 {
				t.Errorf("%s: %q, %v, %v", kind, got, sum.Skipped, err)
			}
		}
	}
	for _, text := range []string{"TERMSIFT is a program", "TERMSIFT", "#termsift is a program", "TERMSSTA\x01"} {
		if got, _, err := ids(t, Options{}, planted(t, member{name: "n/b/2", body: text})[1]); err != nil || len(got) != 3 {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// Where raw text is read, a file of this program is named as what it is, not read.
func TestOwnFilesAreNamed(t *testing.T) {
	for kind, text := range ownFiles {
		for _, data := range []string{text, string(zip(t, []byte(text))), string(zstdOf([]byte(text)))} {
			for _, format := range []string{Auto, JSONL, TSV, Tar} {
				_, err := collect(t, data, Options{Format: format})
				testkit.Refused(t, err, ErrBadInput, kind, format)
			}
		}
	}
}

// utf16Of encodes a text without a mark.
func utf16Of(text string, swap bool) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(text)) {
		if swap {
			c = c>>8 | c<<8
		}
		b.WriteByte(byte(c))
		b.WriteByte(byte(c >> 8))
	}
	return b.String()
}

func TestBinaryFiles(t *testing.T) {
	noise := make([]byte, 1<<14)
	x := uint32(1)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	for name, c := range map[string]struct {
		body   string
		binary bool
	}{
		"PNG":                     {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10\x00\x00\x00\x10\x08\x06\x00\x00\x00" + string(noise), true},
		"ELF":                     {"\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + "\x03\x00>\x00\x01\x00\x00\x00", true},
		"PDF":                     {"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\nstream\n" + string(noise), true},
		"noise":                   {string(noise), true},
		"zeros":                   {strings.Repeat("\x00", 5000), true},
		"compressed twice":        {string(zip(t, zip(t, []byte("words")))), true},
		"numbers of two bytes":    {"a\x00\x01\x00b\x00c\x00d\x00e\x00f\x00\x02\x00", true},
		"UTF-16 without its mark": {utf16Of("some words of a text", false), false},
		"UTF-16BE without a mark": {utf16Of("some words of a text", true), false},
		"UTF-16":                  {"\xff\xfe" + utf16Of("some words", false), false},
		"UTF-16BE":                {"\xfe\xff" + utf16Of("some words", true), false},
		"zeros within UTF-8":      {strings.Repeat("部门法学的词\x00语", 30), false},
		"zeros within GB18030":    {strings.Repeat("\xb2\xbf\xc3\xc5\xb7\xa8\xb2\xbf\xc3\xc5\xb7\xa8\x00", 30), false},
		"zeros within ASCII":      {strings.Repeat("some words\x00 ", 30), false},
		"zeros within Latin-1":    {strings.Repeat("caf\xe9 au lait\x00 ", 30), true},
		"one zero":                {"caf\xe9\x00", false},
		"uuencoded":               {"begin 644 x.gif\n" + strings.Repeat("M&5L;&\\L('=O<FQD\n", 400) + "`\nend\n", false},
		"control characters":      {strings.Repeat("\x01\x02\x1b[31mred\x08 ", 100), false},
		"Latin-1":                 {strings.Repeat("cr\xe8me br\xfbl\xe9e ", 1000), false},
		"zeros behind the block":  {strings.Repeat("caf\xe9 ", sniffBytes) + "\x00\x00\x00", false},
		"empty":                   {"", false},
	} {
		packed := zip(t, []byte(c.body))
		for _, input := range planted(t, member{name: "n/a/x", body: c.body}, member{name: "n/b/x.gz", body: string(packed)}) {
			got, sum, err := ids(t, Options{}, input)
			skipped := sum.Skipped["binary file"] + sum.Skipped["PDF file"] + sum.Skipped["file compressed twice"]
			if err != nil || c.binary != (len(got) == 2 && skipped == 2) || !c.binary != (len(got) == 4 && skipped == 0) {
				t.Errorf("%s: %q, %v, %v", name, got, sum.Skipped, err)
			}
		}
	}
}

// readWhile reads a directory, from which a file is taken away when the first batch
// is there.
func readWhile(t *testing.T, root, vanishing string, opt Options) (got []string, sum Summary, err error) {
	t.Helper()
	s, err := Read(t.Context(), []string{root}, opt)
	testkit.OK(err)
	for batch, err := range s.Batches() {
		if gone := os.Remove(filepath.Join(root, vanishing)); gone != nil && !errors.Is(gone, os.ErrNotExist) {
			t.Fatal(gone)
		}
		if err != nil {
			return got, sum, err
		}
		for d, err := range batch {
			if err != nil {
				return got, sum, err
			}
			got = append(got, d.ID)
		}
	}
	return got, s.Summary(), nil
}

// A file that vanishes while a directory is read is bad input, which SkipBad skips.
func TestFilesThatVanish(t *testing.T) {
	for name, c := range map[string]struct {
		files     []string
		vanishing string
	}{
		"a document":               {[]string{"a/1", "a/2", "b/1"}, "a/2"},
		"a data file":              {[]string{"a.jsonl", "b.jsonl", "c.jsonl"}, "c.jsonl"},
		"a data file of the batch": {[]string{"a.jsonl", "b.jsonl", "c.jsonl"}, "a.jsonl"},
	} {
		for _, skip := range []bool{false, true} {
			root := plant(t)
			for _, file := range c.files {
				testkit.Write(filepath.Join(root, file), `{"id":"x","labels":["x"],"text":"words"}`)
			}
			got, sum, err := readWhile(t, root, c.vanishing, Options{SkipBad: skip})
			switch {
			case !skip && (!errors.Is(err, ErrBadInput) || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "no longer")):
				t.Errorf("%s: %v", name, err)
			case skip && (err != nil || len(got) != 2 || len(sum.Problems) != 1 || sum.Problems[0].Kind != "file that vanished"):
				t.Errorf("%s, skipped: %q, %+v, %v", name, got, sum, err)
			}
		}
	}
}

// A folder that vanishes before the walk comes to it is skipped as well; the root, or
// what may not be read, is not.
func TestFoldersThatVanish(t *testing.T) {
	for _, skip := range []bool{false, true} {
		s := testkit.Must(Read(t.Context(), nil, Options{SkipBad: skip}))
		w := walk{folders: newFolders(&input{s: s, name: "root", meter: &s.meter})}
		missing := &os.PathError{Op: "open", Path: "root/a", Err: os.ErrNotExist}
		testkit.Equal(t, w.visit("root/a", nil, missing) == nil, skip, "skip")
		testkit.Fails(t, w.visit("root", nil, missing), "the root is missing, and there is no error")
		testkit.Fails(t, w.visit("root/a", nil, fmt.Errorf("another: %w", os.ErrPermission)),
			"a folder that may not be read is skipped")
	}
}

// Files of other programs are known by their first bytes: as inputs they are errors that say what
// to do, in a class they are skipped and counted by their kind.
func TestFilesOfOtherPrograms(t *testing.T) {
	for kind, c := range map[string]struct{ data, remedy string }{
		"lz4":                 {"\x04\x22\x4d\x18\x64\x40\xa7words", "lz4 -dc"},
		"lzma":                {"\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xffwords", "xz --format=lzma -dc"},
		"lzip":                {"LZIP\x01\x0cwords", "lzip -dc"},
		"compress":            {"\x1f\x9d\x90words", "gzip -dc"},
		"snappy":              {"\xff\x06\x00\x00sNaPpYwords", "snzip"},
		"RAR":                 {"Rar!\x1a\x07\x01\x00words", "unrar x"},
		"7z":                  {"7z\xbc\xaf\x27\x1c\x00\x04words", "7z x"},
		"RTF":                 {`{\rtf1\ansi\ansicpg1252 some words}`, "plain text"},
		"PDF":                 {"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n", "pdftotext"},
		"Microsoft Office 97": {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1words", "plain text or CSV"},
		"Arrow":               {"ARROW1\x00\x00words", "Parquet, JSON lines or CSV"},
		"Feather":             {"FEA1\x00\x00\x00\x00words", "Parquet"},
		"Avro":                {"Obj\x01\x04words", "Parquet"},
		"SQLite":              {"SQLite format 3\x00words", "sqlite3"},
		"HDF5":                {"\x89HDF\r\n\x1a\nwords", "Parquet"},
		"npy":                 {"\x93NUMPY\x01\x00words", "svmlight"},
		"pickle":              {"\x80\x04\x95\x10\x00words", "JSON lines"},
	} {
		for _, opt := range []Options{{}, {Unlabelled: true}, {LabelFrom: "file"}, {Format: CSV}} {
			_, err := collect(t, c.data, opt)
			if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "of the kind "+kind+", which is not read") || !strings.Contains(err.Error(), c.remedy) {
				t.Errorf("%s, %+v: %v", kind, opt, err)
			}
		}
		for _, input := range planted(t, member{name: "n/a/x", body: c.data}, member{name: "n/b/x.gz", body: string(zip(t, []byte(c.data)))}) {
			if got, sum, err := ids(t, Options{}, input); err != nil || len(got) != 2 || sum.Skipped[kind+" file"] != 2 {
				t.Errorf("%s: %q, %v, %v", kind, got, sum.Skipped, err)
			}
		}
	}
	for _, text := range []string{"Rar!", "%PDF", "7z", `{\rt`, "Obj", "FEA1 is a name", "SQLite format 3 is good", "PK"} {
		testkit.Equal(t, len(testkit.Must(collect(t, string(archive(t, member{name: "a/1", body: text})), Options{}))),
			1, text)
	}
}
