package reader

import (
	"archive/tar"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// This file fixes what becomes of archives and names that mean harm, or none.

// retyped changes the kind of an archive's first member.
func retyped(data []byte, kind byte) []byte {
	data = slices.Clone(data)
	header := data[:512]
	header[156] = kind
	copy(header[148:], "        ")
	sum := 0
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	return data
}

// extended gives an archive of one file that PAX records stand before.
func extended(t *testing.T, file member, records ...string) []byte {
	t.Helper()
	var body strings.Builder
	for _, record := range records {
		size := len(record) + 2
		for len(fmt.Sprint(size)) != size-len(record)-2 {
			size = len(record) + 2 + len(fmt.Sprint(size))
		}
		fmt.Fprintf(&body, "%d %s\n", size, record)
	}
	head := retyped(archive(t, member{name: "pax", body: body.String()}), tar.TypeXHeader)
	return append(head[:len(head)-1024], archive(t, file)...)
}

// What is no file is skipped and counted; nothing follows a link.
func TestMembersThatAreNoFiles(t *testing.T) {
	members := []member{{name: "n/a/1", body: "one"}, {name: "n/b/1", body: "two"}}
	for i, kind := range []byte{tar.TypeSymlink, tar.TypeLink, tar.TypeFifo, tar.TypeChar, tar.TypeBlock} {
		members = append(members, member{name: fmt.Sprint("n/a/x", i), kind: kind})
	}
	got, sum, err := ids(t, Options{}, writeFile(t, archive(t, members...)))
	if err != nil || !slices.Equal(got, []string{"n/a/1 a", "n/b/1 b"}) || sum.Skipped["not a regular file"] != 5 {
		t.Errorf("%q, %+v, %v", got, sum, err)
	}
	for _, kind := range []byte{tar.TypeCont, 'V', 'Z'} {
		_, sum, err := ids(t, Options{}, writeFile(t, retyped(archive(t, members[:2]...), kind)))
		if err != nil || sum.Documents != 1 || sum.Skipped["not a regular file"] != 1 {
			t.Errorf("kind %q: %+v, %v", kind, sum, err)
		}
	}
}

func TestHostileRecords(t *testing.T) {
	file := member{name: "n/a/1", body: "x"}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"NUL in a name":  {extended(t, file, "path=n/a\x00b/1"), "the archive is broken after its beginning"},
		"an absolute":    {extended(t, file, "path=/n/a/1"), "leads out of the archive"},
		"upwards":        {extended(t, file, "path=n/../../a/1"), "leads out of the archive"},
		"a sparse bomb":  {extended(t, member{name: "n/a/1", body: strings.Repeat("x", sniffBytes)}, "GNU.sparse.map=0,8192", "GNU.sparse.numblocks=1", "GNU.sparse.size=1099511627776"), "n/a/1: the document has more than 1048576 bytes"},
		"a sparse lie":   {extended(t, file, "GNU.sparse.map=0,9", "GNU.sparse.numblocks=1", "GNU.sparse.size=3"), "the archive is broken"},
		"a size beyond":  {extended(t, file, "size=9000000000000000000"), "the archive is broken"},
		"a broken size":  {extended(t, file, "size=-1"), "the archive is broken after its beginning"},
		"a broken pair":  {extended(t, file, "nothing"), "the archive is broken after its beginning"},
		"a huge comment": {extended(t, file, "comment="+strings.Repeat("x", 2<<20)), "the archive is broken after its beginning"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := ids(t, Options{MaxDocument: 1 << 20}, writeFile(t, c.data))
		runtime.ReadMemStats(&after)
		testkit.Refused(t, err, ErrBadInput, c.want, name)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
			t.Errorf("%s: %d MB allocated", name, allocated>>20)
		}
	}
}

// An archive inside a tree or an archive is no document, whatever it is packed in.
func TestArchivesInside(t *testing.T) {
	inner := archive(t, member{name: "a/1", body: "hidden words"})
	members := []member{
		{name: "n/a/1", body: "one"},
		{name: "n/a/inner", body: string(inner)},
		{name: "n/b/inner.tar.gz", body: string(zip(t, inner))},
		{name: "n/b/1", body: "two"},
	}
	check := func(name string, opt Options, input string) {
		t.Helper()
		got, sum, err := ids(t, opt, input)
		if err != nil || len(got) != 2 || sum.Skipped[archiveReason] != 2 || sum.Bytes != 6 {
			t.Errorf("%s: %q, %+v, %v", name, got, sum, err)
		}
	}
	root := plant(t)
	for _, m := range members {
		testkit.Write(filepath.Join(root, m.name), m.body)
	}
	check("directory", Options{}, root)
	check("directory as tree", Options{Format: Tree}, root)
	check("tar", Options{}, writeFile(t, archive(t, members...)))
	check("tar.gz", Options{}, writeFile(t, zip(t, archive(t, members...))))
	check("tar as tree", Options{Format: Tree}, writeFile(t, archive(t, members...)))
	if _, _, err := ids(t, Options{}, writeFile(t, archive(t, members[1:2]...))); !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), "1: archive inside") {
		t.Errorf("nothing else: %v", err)
	}
	beside := []member{{name: "data.zip", body: string(zipOf(t, member{name: "a/1", body: "x"}))}, {name: "more.TAR.gz", body: string(zip(t, inner))}}
	for _, input := range []string{writeFile(t, zipOf(t, beside...)), writeFile(t, archive(t, beside...)), directoryOf(t, map[string]string{beside[0].name: beside[0].body, beside[1].name: beside[1].body, "a/x.zip": beside[0].body})} {
		_, _, err := ids(t, Options{}, input)
		testkit.Refused(t, err, ErrEmpty, ": archive inside a tree or an archive, which is read when it is unpacked", "beside classes")
	}
	if _, _, err := ids(t, Options{}, writeFile(t, zip(t, zip(t, inner)))); !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "the format is not known") {
		t.Errorf("packed twice: %v", err)
	}
}

// Mustard is no mark of an archive, wherever it stands.
func TestTextLikeAnArchive(t *testing.T) {
	const begin = `{"text":"`
	for _, word := range []string{"mustard", "custard 00", "ustar", "ustar  and more"} {
		text := begin + strings.Repeat("x", 257-strings.Index(word, "ustar")-len(begin)) + word + ` is hot"}`
		testkit.Equal(t, len(testkit.Must(collect(t, text, Options{}))), 1, word, "documents")
	}
	body := strings.Repeat("x", 256) + "mustard"
	docs, err := collect(t, string(archive(t, member{name: "a/1", body: body})), Options{})
	if err != nil || len(docs) != 1 || string(docs[0].Text) != body {
		t.Errorf("a member: %d documents, %v", len(docs), err)
	}
}

// Labels are UTF-8 whatever the names are in, and those of two folders are two.
func TestLabelsNotUTF8(t *testing.T) {
	tree := func(names ...string) string {
		var members []member
		for _, name := range names {
			members = append(members, member{name: name + "/1", body: "caf\xe9"})
		}
		return string(archive(t, members...))
	}
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"Latin-1":           {tree("caf\xe9", "caf\xe8"), Options{}, "café cafè"},
		"GBK":               {tree("\xd6\xd0\xce\xc4", "a"), Options{}, "中文 a"},
		"GBK, named":        {tree("\xd6\xd0"), Options{Charset: "gbk"}, "中"},
		"UTF-8, named":      {tree("caf\xe9", "中"), Options{Charset: "utf-8"}, "caf\ufffd 中"},
		"svmlight":          {"caf\xe9 1:1\ncaf\xe8 1:1\ncaf\xe9 1:1\n", Options{}, "café cafè café"},
		"CSV":               {"label,text\ncaf\xe9,x\n", Options{Format: CSV}, "café"},
		"CSV, UTF-8, named": {"label,text\ncaf\xe9,x\n", Options{Format: CSV, Charset: "utf-8"}, "caf\ufffd"},
	} {
		docs, err := collect(t, c.text, c.opt)
		var got []string
		for _, d := range docs {
			got = append(got, d.Labels...)
			if d.Features == nil && c.opt.Charset == "" && c.opt.Format == Auto && string(d.Text) != "café" {
				t.Errorf("%s: the text is %q", name, d.Text)
			}
		}
		testkit.OK(err)
		testkit.Equal(t, strings.Join(got, " "), c.want, name, got)
	}
}

// The limits are those that the help of the command names.
func TestLimitsByDefault(t *testing.T) {
	var o Options
	testkit.OK(o.complete())
	got := []int64{o.MaxDocument, o.MaxLine, int64(o.MaxLabels), int64(o.MaxClasses), int64(o.MaxMembers), o.MaxExpansion, expansionFree}
	testkit.EqualSlices(t, got, []int64{64 << 20, 16 << 20, 10_000, 1_000_000, 10_000_000, 1000, 64 << 20})
	labels := "0" + strings.Repeat(",0", o.MaxLabels-1)
	testkit.Equal(t, len(testkit.Must(collect(t, labels+" 1:1", Options{}))[0].Labels), 1, "as many labels as may be")
	testkit.Says(t, testkit.Err(collect(t, labels+",0 1:1", Options{})), "more than 10000 labels", "one more")
}

// A document as large as may be is taken, one byte more is not, in each format.
func TestDocumentLimits(t *testing.T) {
	const limit = 100
	for name, text := range map[string]func(words string) string{
		"member": func(words string) string { return string(archive(t, member{name: "a/1", body: words})) },
		"zipped": func(words string) string {
			return string(archive(t, member{name: "a/1", body: string(zip(t, []byte(words)))}))
		},
		"JSON":    func(words string) string { return `{"text":"` + words + `"}` },
		"CSV":     func(words string) string { return "text\n" + words + "\n" },
		"LYRL":    func(words string) string { return ".I 1\n.W\n" + words[len(".I 1\n.W\n"):] },
		"Reuters": func(words string) string { return "<REUTERS>" + words[len("<REUTERS></REUTERS>"):] + "</REUTERS>" },
	} {
		opt := Options{MaxDocument: limit}
		if name == "CSV" {
			opt.Format = CSV
		}
		testkit.Equal(t, len(testkit.Must(collect(t, text(strings.Repeat("x", limit)), opt))), 1, name, "documents")
		testkit.Refused(t, testkit.Err(collect(t, text(strings.Repeat("x", limit+1)), opt)), ErrBadInput,
			"--max-document", name, "one more")
	}
}

// A tag of very many attributes takes as long as it has bytes.
func TestManyAttributes(t *testing.T) {
	longAlone(t)
	for _, attribute := range []string{`a="`, `a='`, "a=", "a ", "="} {
		tag := func(n int) []byte { return []byte("<REUTERS " + strings.Repeat(attribute, n/len(attribute))) }
		_, err := collect(t, string(tag(1000)), Options{})
		testkit.Refused(t, err, ErrBadInput, "the tag <REUTERS is not closed", attribute)
		growsWithInput(t, tag, Options{})
	}
}

// eachMutation calls check n times with a line of seeds in which one to three bytes are
// replaced by bytes of interest.
func eachMutation(r *rand.Rand, seeds []string, interest string, n int, check func(line string)) {
	for range n {
		line := []byte(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(3) {
			line[r.IntN(len(line))] = interest[r.IntN(len(interest))]
		}
		check(string(line))
	}
}
