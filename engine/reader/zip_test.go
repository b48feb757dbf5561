package reader

import (
	zipfile "archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// zipOf packs members into a zip archive; a member whose name ends in a slash is a folder.
func zipOf(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zipfile.NewWriter(&b)
	for _, m := range members {
		f, err := w.Create(m.name)
		if err == nil {
			_, err = f.Write([]byte(m.body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A zip gives what a tar of the same members gives, from a file, packed once more and by a pipe.
func TestZip(t *testing.T) {
	for name, members := range map[string][]member{
		"texts":          {{name: "n/README", body: "r"}, {name: "n/b/2", body: "two"}, {name: "n/b/1", body: "one"}, {name: "n/a/1", body: "a"}},
		"from Macintosh": {{name: "n/README", body: "r"}, {name: "n/a/1", body: "a"}, {name: "__MACOSX/n/a/._1", body: "\x00\x05\x16\x07"}, {name: "n/b/.DS_Store", body: "x"}},
		"other formats":  {{name: "n/x.jsonl", body: `{"id":"j","label":"a","text":"t"}`}, {name: "n/y.csv", body: "id,text,label\nc,v,b\n"}, {name: "n/README", body: "r"}},
		"packed members": {{name: "n/a/1.gz", body: string(zip(t, []byte("words")))}, {name: "n/x.jsonl.gz", body: string(zip(t, []byte(`{"id":"j","label":"a","text":"t"}`)))}},
		"doubled":        {{name: "n/a/1", body: "first"}, {name: "n/a/1", body: "second"}},
		"a class inside": {{name: "A/x", body: "x"}, {name: "A/sub/y", body: "y"}, {name: "B/z", body: "z"}},
		"inside each":    {{name: "n/a/1", body: "a"}, {name: "n/a/x.zip", body: string(zipOf(t, member{name: "a/1", body: "x"}))}, {name: "n/a/x.tar", body: string(archive(t, member{name: "a/1", body: "x"}))}},
	} {
		data := zipOf(t, members...)
		tarred, tarSum, err := ids(t, Options{}, writeFile(t, archive(t, members...)))
		if err != nil {
			t.Fatal(err)
		}
		inputs := map[string][]byte{"zip": data, "gzip of zip": zip(t, data)}
		for way, input := range inputs {
			got, sum, err := ids(t, Options{}, writeFile(t, input))
			slices.Sort(got)
			slices.Sort(tarred)
			if err != nil || strings.Join(got, "; ") != strings.Join(tarred, "; ") || fmt.Sprint(sum.Skipped) != fmt.Sprint(tarSum.Skipped) {
				t.Errorf("%s, %s: %q %v, %v, want %q %v", name, way, got, sum.Skipped, err, tarred, tarSum.Skipped)
			}
		}
		if got, _, err := ids(t, Options{Stdin: iotest.HalfReader(bytes.NewReader(data))}, "-"); err != nil || len(got) != len(tarred) {
			t.Errorf("%s by a pipe: %q, %v", name, got, err)
		}
	}
}

// What macOS adds to a zip makes no class of what stands beside the classes.
func TestZipOfMacintosh(t *testing.T) {
	members := []member{{name: "n/README", body: "r"}, {name: "n/a/1", body: "a"}, {name: "__MACOSX/n/a/._1", body: "x"}, {name: "n/b/1", body: "b"}}
	for _, data := range [][]byte{zipOf(t, members...), archive(t, members...)} {
		got, sum, err := ids(t, Options{}, writeFile(t, data))
		if err != nil || strings.Join(got, ", ") != "n/a/1 a, n/b/1 b" || sum.Skipped["file outside a class folder"] != 1 || sum.Skipped["hidden file"] != 1 {
			t.Errorf("%q, %v, %v", got, sum.Skipped, err)
		}
	}
}

// Of many inputs whose charset is doubted the first is named.
func TestDoubtsOfManyInputs(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("%d.jsonl", i)] = strings.Repeat("{\"text\":\"\xef\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0\",\"label\":\"a\"}\n", 100)
	}
	s, err := Read(t.Context(), []string{directoryOf(t, files)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range batch {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	notes := strings.Join(s.Summary().Notes, "\n")
	if !strings.Contains(notes, "0.jsonl: most likely not Latin-1") || !strings.Contains(notes, "windows-1251 reads") {
		t.Error(notes)
	}
}

// edited returns a zip archive of two members with a change of the headers in its directory.
func edited(t testing.TB, change func(data, entry []byte)) []byte {
	t.Helper()
	data := zipOf(t, member{name: "n/a/1", body: strings.Repeat("some words ", 30)}, member{name: "n/b/2", body: "other words"})
	at := bytes.Index(data, []byte("PK\x01\x02"))
	change(data, data[at:])
	return data
}

// What is wrong in a zip is an error that says what to do; only what is wrong in one member can
// be skipped.
func TestBadZips(t *testing.T) {
	whole := zipOf(t, member{name: "n/a/1", body: "x"}, member{name: "n/b/2", body: "y"})
	bomb := func(size int) []byte {
		return zipOf(t, member{name: "n/a/1", body: strings.Repeat("\n", size)}, member{name: "n/b/2", body: "y"})
	}
	for name, c := range map[string]struct {
		data []byte
		opt  Options
		want string
		bad  bool // --skip-bad leaves it out
	}{
		"..":        {zipOf(t, member{name: "../a/1", body: "x"}), Options{}, "leads out of the archive", false},
		"absolute":  {zipOf(t, member{name: "/n/a/1", body: "x"}), Options{}, "leads out of the archive", false},
		"Windows":   {zipOf(t, member{name: `C:\n\a`, body: "x"}), Options{}, "leads out of the archive", false},
		"backslash": {zipOf(t, member{name: `..\n\a`, body: "x"}), Options{}, "leads out of the archive", false},
		"encrypted": {edited(t, func(_, e []byte) { e[8] |= 1 }), Options{}, "n/a/1: the member is encrypted; unpack the archive with its password", true},
		"LZMA":      {edited(t, func(_, e []byte) { e[10] = 14 }), Options{}, "compressed by LZMA, which is not read", true},
		"a method":  {edited(t, func(_, e []byte) { e[10] = 77 }), Options{}, "compressed by method 77", true},
		"checksum":  {edited(t, func(_, e []byte) { e[16] ^= 1 }), Options{}, "broken in this member", false},
		"a size":    {edited(t, func(_, e []byte) { e[24]-- }), Options{}, "broken in this member", false},
		"overlap": {edited(t, func(data, e []byte) {
			second := e[bytes.Index(e[4:], []byte("PK\x01\x02"))+4:]
			copy(second[42:46], []byte{0, 0, 0, 0}) // the place of the first
			copy(second[20:24], e[20:24])
		}), Options{}, "members of the archive overlap", false},
		"too far":            {edited(t, func(_, e []byte) { binary.LittleEndian.PutUint32(e[42:], 1<<30) }), Options{}, "the archive is broken", false},
		"cut":                {whole[:len(whole)-10], Options{}, "broken or has no end", false},
		"too many members":   {whole, Options{MaxMembers: 1}, "more than 1 members; raise the limit with --max-members", false},
		"a bomb":             {bomb(expansionFree + 1<<20), Options{MaxExpansion: 10, MaxDocument: 1 << 30}, "raise the limit with --max-expansion", false},
		"a large document":   {bomb(1 << 20), Options{MaxDocument: 1 << 10}, "raise the limit with --max-document", false},
		"a long name":        {zipOf(t, member{name: "n/a/" + strings.Repeat("x", 100), body: "x"}), Options{MaxName: 50}, "--max-name raises the limit", true},
		"Excel":              {zipOf(t, member{name: "[Content_Types].xml", body: "x"}, member{name: "xl/workbook.xml", body: "x"}), Options{}, "of the kind Excel, which is not read; save it as CSV", false},
		"Word":               {zipOf(t, member{name: "[Content_Types].xml", body: "x"}, member{name: "word/document.xml", body: "x"}), Options{}, "of the kind Word", false},
		"empty":              {zipOf(t), Options{}, "no documents", false},
		"the beginning only": {[]byte("PK\x03\x04"), Options{}, "broken or has no end", false},
	} {
		_, _, err := ids(t, c.opt, writeFile(t, c.data))
		if err == nil {
			s, readErr := Read(t.Context(), []string{writeFile(t, c.data)}, c.opt)
			if readErr != nil {
				t.Fatal(readErr)
			}
			for _, err = range s.Documents() {
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrBadInput) && !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		c.opt.SkipBad = true
		_, sum, err := ids(t, c.opt, writeFile(t, c.data))
		if skipped := len(sum.Problems) == 1; skipped != c.bad || c.bad && err != nil && !errors.Is(err, ErrEmpty) {
			t.Errorf("%s, skipped: %+v, %v", name, sum.Problems, err)
		}
	}
}

// Every cut of a zip, and every byte that is another, is read without a crash; a cut is an error.
func TestHostileZips(t *testing.T) {
	data := zipOf(t, member{name: "n/a/1", body: strings.Repeat("words ", 9)}, member{name: "n/b.jsonl", body: `{"text":"t","label":"x"}`})
	file := writeFile(t, nil)
	read := func(data []byte) error {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := ids(t, Options{MaxDocument: 1 << 16}, file)
		return err
	}
	for n := 4; n < len(data); n++ {
		if err := read(data[:n]); !errors.Is(err, ErrBadInput) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	for at := range data {
		for _, bit := range []byte{1, 0x80} {
			broken := slices.Clone(data)
			broken[at] ^= bit
			_ = read(broken)
		}
	}
}

// Members of a zip may be stored, and compressed by bzip2 or zstd.
func TestZipMethods(t *testing.T) {
	var b bytes.Buffer
	w := zipfile.NewWriter(&b)
	for method, data := range map[uint16][]byte{0: []byte("stored"), 93: zstdOf(t, []byte("by zstd"))} {
		text := map[uint16]string{0: "stored", 93: "by zstd"}[method]
		f, err := w.CreateRaw(&zipfile.FileHeader{
			Name: fmt.Sprintf("n/a/%d", method), Method: method, CRC32: crcOf(text), CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(text)),
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, _, err := ids(t, Options{}, writeFile(t, b.Bytes()))
	slices.Sort(got)
	if err != nil || strings.Join(got, " ") != "n/a/0 a n/a/93 a" {
		t.Errorf("%q, %v", got, err)
	}
}

func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, member{name: "n/a/1", body: "words"}, member{name: "n/b.csv", body: "text\nx\n"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, _ = ids(t, Options{MaxDocument: 1 << 16, MaxMembers: 100}, writeFile(t, append([]byte("PK\x03\x04"), data...)))
	})
}

func crcOf(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) }
