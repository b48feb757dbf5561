package reader

import (
	zipfile "archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/termsift/termsift/bench/testkit"
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
		testkit.OK(err)
	}
	testkit.OK(w.Close())
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
		testkit.OK(err)
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

// A copy that cannot be made says where copies can be.
func TestZipWithoutRoom(t *testing.T) {
	data := zipOf(t, member{name: "n/a/1", body: "x"})
	_, _, err := ids(t, Options{Stdin: bytes.NewReader(data), TempDir: filepath.Join(t.TempDir(), "none")}, "-")
	testkit.Says(t, err, "no temporary file can be written: create files in")
	testkit.Says(t, err, "name another folder by --temp-dir, or by the variable TMPDIR")
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
	s := testkit.Must(Read(t.Context(), []string{directoryOf(t, files)}, Options{}))
	for batch := range testkit.All(s.Batches()) {
		for range testkit.All(batch) {
		}
	}
	notes := strings.Join(s.Summary().Notes, "\n")
	testkit.Contains(t, notes, "0.jsonl: most likely not Latin-1")
	testkit.Contains(t, notes, "windows-1251 reads")
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
			copy(second[46:], "n/a/1")
		}), Options{}, "members of the archive overlap", false},
		"another name":       {edited(t, func(_, e []byte) { copy(e[46:], "n/b/1") }), Options{}, `the directory of the archive calls a member "n/b/1", and the header before its bytes otherwise: "n/a/1"; it is no archive`, false},
		"a longer name":      {edited(t, func(data, _ []byte) { data[26]++ }), Options{}, "otherwise", false},
		"behind the end":     {edited(t, func(_, e []byte) { binary.LittleEndian.PutUint32(e[42:], 1<<32-2) }), Options{}, "the archive is broken", false},
		"a wild directory":   {edited(t, func(data, _ []byte) { binary.LittleEndian.PutUint32(data[len(data)-6:], 1<<32-2) }), Options{}, "the archive is broken", false},
		"a wild zip64":       {zip64Edited(-34, 1<<63+5), Options{}, "broken or has no end", false},
		"records of zip64":   {zip64Edited(-66, 2), Options{}, "broken or has no end", false},
		"a place of zip64":   {zip64Edited(-106, 1<<63+5), Options{}, "the archive is broken", false},
		"a size of zip64":    {zip64Edited(-114, 1<<62+5), Options{}, "the archive is broken", false},
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
			s := testkit.Must(Read(t.Context(), []string{writeFile(t, c.data)}, c.opt))
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
		testkit.Write(file, data)
		_, _, err := ids(t, Options{MaxDocument: 1 << 16}, file)
		return err
	}
	for n := 4; n < len(data); n++ {
		testkit.Is(testkit.Stop(t), read(data[:n]), ErrBadInput, "cut at", n)
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
	for method, data := range map[uint16][]byte{0: []byte("stored"), 93: zstdOf([]byte("by zstd"))} {
		text := map[uint16]string{0: "stored", 93: "by zstd"}[method]
		f := testkit.Must(w.CreateRaw(&zipfile.FileHeader{
			Name: fmt.Sprintf("n/a/%d", method), Method: method, CRC32: crcOf(text), CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(text)),
		}))
		testkit.Must(f.Write(data))
	}
	testkit.OK(w.Close())
	got, _, err := ids(t, Options{}, writeFile(t, b.Bytes()))
	slices.Sort(got)
	testkit.OK(err)
	testkit.Equal(t, strings.Join(got, " "), "n/a/0 a n/a/93 a", got)
}

// Names of a zip that are not UTF-8 are in CP437, as the format says, unless all together are Chinese, a field beside
// them has them, or --charset names another; a note says so. So does one for a folder.
func TestZipNames(t *testing.T) {
	named := func(extra []byte, names ...string) string {
		var b bytes.Buffer
		w := zipfile.NewWriter(&b)
		for _, name := range names {
			f := testkit.Must(w.CreateHeader(&zipfile.FileHeader{Name: name, NonUTF8: true, Extra: extra}))
			testkit.Must(f.Write([]byte("text")))
		}
		testkit.OK(w.Close())
		return writeFile(t, b.Bytes())
	}
	beside := append([]byte("\x75\x70\x0b\x00\x01"), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(beside[5:], crcOf("\x93/1"))
	beside = append(beside, "\u00f4\u00f4/1"...)
	folder := t.TempDir()
	testkit.OK(os.MkdirAll(filepath.Join(folder, "B\xfcro"), 0o755))
	testkit.Write(filepath.Join(folder, "B\xfcro", "1"), []byte("text"))
	japanese := "\x83X\x83|\x81[\x83c/1"
	for _, c := range []struct{ file, charset, want, note string }{
		{named(nil, "Fu\xe1ball/1", "B\x81ro/2"), "", "Fußball/1 Fußball Büro/2 Büro", "names are not UTF-8 and were read as CP437; --charset reads them"},
		{named(nil, japanese), "", "âXâ|ü[âc/1 âXâ|ü[âc", `shift_jis reads "スポーツ"`},
		{named(nil, japanese), "shift_jis", "スポーツ/1 スポーツ", ""},
		{named(nil, "\x83\\\x83t\x83g/1"), "shift_jis", "ソフト/1 ソフト", ""}, // the second byte of a letter is no folder's end
		{named(nil, "\x91\xaf\xae\xe0\xe2/1"), "ibm866", "Спорт/1 Спорт", ""},
		{named(nil, "\xbe\xad\xbc\xc3/1", "\xcc\xe5\xd3\xfd/1"), "", "经济/1 经济 体育/1 体育", "were read as GB18030"},
		{named(beside, "\x93/1"), "", "ôô/1 ôô", ""},
		{named(beside, "\x94/1"), "", "ö/1 ö", "CP437"}, // the field is of another name
		{named(nil, "Größe/1"), "", "Größe/1 Größe", ""},
		{folder, "", "B\xfcro/1 Büro", `the folder's name is not UTF-8, and is read as this: "Büro"; --charset`},
		{writeFile(t, archive(t, member{name: "B\xfcro/1", body: "x"})), "", "B\xfcro/1 Büro", "the folder's name is not UTF-8"},
	} {
		got, sum, err := ids(t, Options{Charset: c.charset}, c.file)
		testkit.OK(err)
		testkit.Equal(t, strings.Join(got, " "), c.want)
		testkit.Contains(t, strings.Join(sum.Notes, "\n"), c.note)
		testkit.Equal(t, len(sum.Notes) > 0, c.note != "", "notes", sum.Notes)
	}
}

func crcOf(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) }

// An archive of more members than the old directory counts is zip64. So is a member whose sizes stand
// in an extra field, as a stream that writes without knowing them does.
func TestZip64(t *testing.T) {
	longAlone(t)
	const members = 1<<16 + 10
	var b bytes.Buffer
	w := zipfile.NewWriter(&b)
	for i := range members {
		f, err := w.CreateHeader(&zipfile.FileHeader{Name: fmt.Sprintf("n/%c/%d", 'a'+i%2, i)}) // stored
		if err == nil {
			_, err = f.Write([]byte("x"))
		}
		testkit.OK(err)
	}
	testkit.OK(w.Close())
	if !bytes.Contains(b.Bytes(), []byte("PK\x06\x06")) { // the record of zip64
		t.Fatal("the archive is not zip64")
	}
	if got, _, err := ids(t, Options{}, writeFile(t, b.Bytes())); err != nil || len(got) != members || got[members-1] != fmt.Sprintf("n/b/%d b", members-1) {
		t.Errorf("%d documents, %v", len(got), err)
	}
	large := zip64Member("n/a/1", "words of a stream")
	if docs, err := collect(t, string(large), Options{}); err != nil || len(docs) != 1 || string(docs[0].Text) != "words of a stream" {
		t.Errorf("a member with sizes of 64 bits: %d documents, %v", len(docs), err)
	}
}

// zip64Edited is a zip64Member with another number at a place, counted from the end.
func zip64Edited(at int, number uint64) []byte {
	b := zip64Member("n/a/1", "words")
	binary.LittleEndian.PutUint64(b[len(b)+at:], number)
	return b
}

// Where archives are joined, a note says how much is not read; an archive alone has none, however its members are
// written.
func TestJoinedZips(t *testing.T) {
	one, other := zipOf(t, member{name: "n/a/1", body: "x"}), zipOf(t, member{name: "n/b/2", body: "a long text"})
	same := zipOf(t, member{name: "n/b/1", body: "y"})
	for name, c := range map[string]struct {
		data   []byte
		joined bool
	}{
		"alone": {one, false}, "with sizes of 64 bits": {zip64Member("n/a/1", "words"), false},
		"two": {slices.Concat(one, other), true}, "of one size": {slices.Concat(one, same), true}, "three": {slices.Concat(one, same, other), true},
		"a page behind": {slices.Concat(one, bytes.Repeat([]byte("<html>"), 50)), true},
	} {
		_, sum, err := ids(t, Options{}, writeFile(t, c.data))
		testkit.OK(err)
		notes := strings.Join(sum.Notes, "\n")
		testkit.Equal(t, strings.Contains(notes, "bytes before or behind its members are not read, as where archives are joined"), c.joined, name, notes)
	}
}

// zip64Member is an archive of one stored member whose sizes and place stand in extra fields of 64 bits.
func zip64Member(name, body string) []byte {
	le := binary.LittleEndian
	sum, size := crc32.ChecksumIEEE([]byte(body)), uint64(len(body))
	var b []byte
	header := func(signature string, made ...uint16) { // up to the lengths of the name and the extra field
		b = append(b, signature...)
		for _, v := range append(made, 45, 0, 0, 0, 0) {
			b = le.AppendUint16(b, v)
		}
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, sum), 1<<32-1), 1<<32-1)
		b = le.AppendUint16(b, uint16(len(name)))
	}
	header("PK\x03\x04")
	b = le.AppendUint16(b, 20)
	b = append(b, name...)
	b = le.AppendUint64(le.AppendUint64(le.AppendUint16(le.AppendUint16(b, 1), 16), size), size)
	b = append(b, body...)
	directory := len(b)
	header("PK\x01\x02", 45)
	b = le.AppendUint16(b, 28)
	b = append(b, make([]byte, 10)...) // comment, disk, attributes
	b = le.AppendUint32(b, 1<<32-1)
	b = append(b, name...)
	b = le.AppendUint64(le.AppendUint64(le.AppendUint64(le.AppendUint16(le.AppendUint16(b, 1), 24), size), size), 0)
	end := len(b)
	b = append(b, "PK\x06\x06"...)
	b = le.AppendUint64(b, 44)
	b = le.AppendUint16(le.AppendUint16(b, 45), 45)
	b = append(b, make([]byte, 8)...) // disks
	b = le.AppendUint64(le.AppendUint64(b, 1), 1)
	b = le.AppendUint64(le.AppendUint64(b, uint64(end-directory)), uint64(directory))
	b = append(b, "PK\x06\x07\x00\x00\x00\x00"...)
	b = le.AppendUint32(le.AppendUint64(b, uint64(end)), 1)
	b = append(b, "PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00"...)
	return b
}
