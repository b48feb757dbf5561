package reader

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/termsift/termsift/bench/testkit"
)

func zstdOf(data []byte) []byte {
	w := testkit.Must(zstd.NewWriter(nil))
	defer w.Close()
	return w.EncodeAll(data, nil)
}

const twoLines = `{"id":"1","labels":["a"],"text":"one two"}` + "\n" + `{"id":"2","text":"three"}` + "\n"

// What Go has no compressor for, in base64.
const (
	bzipped  = "QlpoOTFBWSZTWS9q3GoAACDbgAAQUAQwEAAKNmWcyiAAUKAAaBkyBKmpkbUaYg2ptRyu01KjDWq5aaCcNfpAJIY3wMvzXgsJUzHNHIwdVHJH4u5IpwoSBe1bjUA=" // twoLines
	xzLines  = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABEADtdAD2IiSaBk1OFYmHuwhVqYo4PskoH7o508K+iZf7JtbkX21YV/p/mCo9s/BO+4Knp6wLxMLj9lhNm0aQAAAC7fjVDLcTQUQABV0Wny8rTH7bzfQEAAAAABFla"
	xzMilk   = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQADbWlsawCKULLlLhV3aAABHARvLJzBH7bzfQEAAAAABFla"                                                                                                                                                                                                                                                                             // milk
	xzTree   = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AG1dADcLyCMejxEbtP82iYjpcnatitBaiocTR1xTXZlsZTeib6CHyYnvUklkTEw+XB65R4oiM0Ejx3QMfYZxl4EYkX2sHeK7k8oqifiBDN8iK0iKPkKja6hNQg2tDgYub7CgbHnd7mz5nmgkxYepggAAAAAATZmhe4AISVEAAYkBgFAAAPYgb0axxGf7AgAAAAAEWVo="                                                                                                                 // a tar of n/a/1 and n/b/2
	xzZipped = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AMRdADILxkRSGhtv1+r77ZNVTxsZYxGdxoApLIwTDL/ZBp60Q2ttVF3txwniW6F0zLywYyS/ycyifnGT97h+xq6+6x3fFy1QjOcd8CbBthqNTaDAUMWRo1xvoh8XTPl95G9pwhglH24mxYCvZxHj3XJV/hUkDeg6NJMN4kPP52wE+bqjpBZdoq/dFjsAtcpUc3p/mNyCzOdj8rSPlWymNfsSK72dMizUh1XYI7mXRH6C7Gggp9TNvp0RAFj6Pnv/zvLBXivNlgAAOB/vLUfi7jEAAeABgFAAAGR+lGmxxGf7AgAAAAAEWVo=" // a tar of d/README and d/x.jsonl.gz
	xzHuge   = "/Td6WFoAAATm1rRGAgAhASgAAADmoBGz4ABEADtdAD2IiSaBk1OFYmHuwhVqYo4PskoH7o508K+iZf7JtbkX21YV/p/mCo9s/BO+4Knp6wLxMLj9lhNm0aQAAAC7fjVDLcTQUQABV0Wny8rTH7bzfQEAAAAABFla"                                                                                                                                                                                             // twoLines, with a dictionary of 4 GiB announced
)

func unbase64(text string) []byte { return testkit.Must(base64.StdEncoding.DecodeString(text)) }

// Compression is known by its first bytes, around anything, on standard input too.
func TestContainers(t *testing.T) {
	lines := []byte(twoLines)
	tree := archive(t, member{name: "n/a/1", body: "one"}, member{name: "n/b/2", body: "two"})
	inside := func(name string, body []byte) []byte {
		return archive(t, member{name: "d/README", body: "r"}, member{name: "d/" + name, body: string(body)})
	}
	fromLines, fromTree := []string{"1 a", "2 "}, []string{"n/a/1 a", "n/b/2 b"}
	for name, c := range map[string]struct {
		data []byte
		want []string
	}{
		"jsonl.gz": {zip(t, lines), fromLines}, "jsonl.zst": {zstdOf(lines), fromLines},
		"jsonl.xz": {unbase64(xzLines), fromLines}, "jsonl.bz2": {unbase64(bzipped), fromLines},
		"tar": {tree, fromTree}, "tar.gz": {zip(t, tree), fromTree}, "tar.zst": {zstdOf(tree), fromTree}, "tar.xz": {unbase64(xzTree), fromTree},
		"jsonl in tar": {inside("x.jsonl", lines), fromLines}, "jsonl.gz in tar.xz": {unbase64(xzZipped), fromLines},
		"jsonl.bz2 in tar": {inside("x.JSONL.bz2", unbase64(bzipped)), fromLines},
		"text.gz in tar":   {archive(t, member{name: "a/1.gz", body: string(zip(t, []byte("x")))}), []string{"a/1.gz a"}},
		"two zstd frames":  {append(zstdOf(lines[:43]), zstdOf(lines[43:])...), fromLines},
	} {
		for _, from := range []string{"file", "stdin"} {
			input, opt := writeFile(t, c.data), Options{}
			if from == "stdin" {
				input, opt.Stdin = "-", bytes.NewReader(c.data)
			}
			if got, _, err := ids(t, opt, input); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s from %s: %q, %v", name, from, got, err)
			}
		}
	}
}

// What is compressed in a directory reads as what is not.
func TestCompressedFiles(t *testing.T) {
	root := t.TempDir()
	for name, data := range map[string][]byte{
		"a/1": zip(t, []byte("caf\xc3\xa9")), "b/1": zstdOf([]byte("tea")), "c/1": unbase64(xzMilk), "c/2": []byte("BZh is no bzip2"),
	} {
		testkit.OK(os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755))
		testkit.Write(filepath.Join(root, name), data)
	}
	_, _, err := ids(t, Options{}, root)
	testkit.Refused(testkit.Stop(t), err, ErrBadInput, "c/2: the file breaks off: bzip2")
	got, sum, err := ids(t, Options{SkipBad: true}, root)
	if err != nil || !slices.Equal(got, []string{"a/1 a", "b/1 b", "c/1 c"}) || len(sum.Problems) != 1 || sum.Bytes != 12 {
		t.Fatalf("%q, %+v, %v", got, sum, err)
	}
}

// zeros never end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Little input must not become much memory, nor take long.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: it compresses a gigabyte")
	}
	const size = 1 << 30
	packed := func(w io.WriteCloser, b *bytes.Buffer, head string) []byte {
		testkit.Must(io.WriteString(w, head))
		testkit.Must(io.CopyN(w, zeros{}, size))
		testkit.OK(w.Close())
		return b.Bytes()
	}
	var z bytes.Buffer
	w := testkit.Must(zstd.NewWriter(&z, zstd.WithEncoderConcurrency(1)))
	lines := packed(w, &z, strings.Repeat("\n", 1<<20))
	for name, c := range map[string]struct {
		data []byte
		opt  Options
		want string
	}{
		"zeros":            {lines, Options{Format: JSONL, MaxLine: 2 << 30, MaxDocument: 2 << 30}, "--max-expansion"},
		"a line of zeros":  {lines, Options{Format: JSONL}, "--max-line"},
		"a large document": {archive(t, member{name: "a/1", body: string(lines)}), Options{MaxExpansion: 1 << 40}, "--max-document"},
		"huge dictionary":  {unbase64(xzHuge), Options{}, "xz: LZMA2 dictionary size exceeds max"},
		"many members":     {archive(t, member{name: "a/1"}, member{name: "a/2"}, member{name: "a/3"}), Options{MaxMembers: 2}, "--max-members"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := ids(t, c.opt, writeFile(t, c.data))
		runtime.ReadMemStats(&after)
		testkit.Refused(t, err, ErrBadInput, c.want, name)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 512<<20 {
			t.Errorf("%s: %d MB allocated", name, allocated>>20)
		}
	}
}

func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"labels":     {"1,2,3 1:1", Options{MaxLabels: 2}, "stdin:1: the document has more than 2 labels; raise the limit with --max-labels"},
		"classes":    {"1 1:1\n2 1:1\n3 1:1", Options{MaxClasses: 2}, `there are more than 2 distinct labels: "3"`},
		"no newline": {strings.Repeat("1", 1000), Options{Format: SVMLight, MaxLine: 100}, "stdin:1: the line has more than 100 bytes"},
	} {
		testkit.Refused(t, testkit.Err(collect(t, c.text, c.opt)), ErrBadInput, c.want, name)
	}
}

// windowed returns text as zstd, in a frame that asks for a window of 2^log bytes.
func windowed(log int, text string) []byte {
	header := len(text)<<3 | 1 // the last block, as it is
	frame := append([]byte("\x28\xb5\x2f\xfd\x00"), byte(log-10)<<3, byte(header), byte(header>>8), byte(header>>16))
	return append(frame, text...)
}

// A window above the limit is named, and so is the flag: the file is sound.
func TestWindows(t *testing.T) {
	line := "{\"text\":\"t\",\"label\":\"a\"}\n"
	small := zstdOf([]byte(line))
	for name, c := range map[string]struct {
		data []byte
		opt  Options
		want string
	}{
		"--long=31":           {windowed(31, line), Options{}, "a window of 2147483648 bytes, more than the limit of 134217728 bytes; raise the limit with --max-window"},
		"--long=27":           {windowed(27, line), Options{}, ""},
		"a limit":             {windowed(21, line), Options{MaxWindow: 1 << 20}, "a window of 2097152 bytes"},
		"raised":              {windowed(21, line), Options{MaxWindow: 1 << 21}, ""},
		"behind small frames": {slices.Concat(small, small, windowed(31, line)), Options{}, "--max-window"},
		"in an archive":       {archive(t, member{name: "n/a/1.zst", body: string(windowed(31, "words"))}), Options{}, "n/a/1.zst: the file is sound"},
	} {
		_, _, err := ids(t, c.opt, writeFile(t, c.data))
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "damaged")) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
