package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// packedInputs writes parts of the same lines as files, packed in every way, and gives their
// names and the names of the same files as they are.
func packedInputs(t testing.TB, parts int) (packed, plain []string) {
	dir := t.TempDir()
	lines := manyLines(2000 * parts)
	size := len(lines)/parts + 1
	i := -1
	for part := range slices.Chunk(lines, size) {
		i++
		half := len(part) / 2
		data := [][]byte{
			zip(t, part), zstdOf(part), slices.Concat(zip(t, part[:half]), zip(t, part[half:])),
			slices.Concat(zstdOf(part[:half]), zstdOf(part[half:])), part,
		}[i%5]
		for _, file := range []struct {
			names *[]string
			name  string
			data  []byte
		}{{&packed, fmt.Sprint(i, ".packed"), data}, {&plain, fmt.Sprint(i, ".jsonl"), part}} {
			name := testkit.Write(filepath.Join(dir, file.name), file.data)
			*file.names = append(*file.names, name)
		}
	}
	return packed, plain
}

// Inputs that are decompressed side by side give their documents in the order of one after
// another, with the same problems and notes.
func TestInputsSideBySide(t *testing.T) {
	packed, plain := packedInputs(t, 12)
	opt := Options{Format: JSONL, SkipBad: true}
	want, wantSum, err := readBeside(t.Context(), opt, 1, plain...)
	if err != nil || len(want) < 20_000 || len(wantSum.Problems) == 0 {
		t.Fatalf("%d documents, %+v, %v", len(want), wantSum, err)
	}
	var first Summary
	for _, whole := range []int64{1, 50_000, 1 << 40} {
		opt.WholeFiles = whole
		for _, threads := range someThreads() {
			got, sum, err := readBeside(t.Context(), opt, threads, packed...)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("up to %d bytes, %d threads: %d documents for %d, %v", whole, threads, len(got), len(want), err)
			}
			if first.Documents == 0 {
				first = sum
			}
			if fmt.Sprint(sum.Problems, sum.Notes, sum.Bytes) != fmt.Sprint(first.Problems, first.Notes, first.Bytes) {
				t.Errorf("up to %d bytes, %d threads: %+v, want %+v", whole, threads, sum, first)
			}
		}
	}
}

// Notes do not tell which input was the first to be read.
func TestNotesOfManyInputs(t *testing.T) {
	dir := t.TempDir()
	var inputs []string
	for i := range 10 {
		name := filepath.Join(dir, fmt.Sprint(i))
		testkit.OK(os.WriteFile(name, zip(t, []byte(fmt.Sprintf("words of %d\nand more\n", i))), 0o600))
		inputs = append(inputs, name)
	}
	for _, threads := range someThreads() {
		docs, sum, err := readBeside(t.Context(), Options{Unlabelled: true}, threads, inputs...)
		if err != nil || len(docs) != 20 || len(sum.Notes) != 10 || !slices.IsSorted(sum.Notes) {
			t.Errorf("%d threads: %d documents, %q, %v", threads, len(docs), sum.Notes, err)
		}
	}
}

// The error of the first input that has one is returned, whichever is met first, and ends the
// others.
func TestFirstInputWithAnError(t *testing.T) {
	whole, _ := packedInputs(t, 9)
	for _, broken := range [][]int{{0}, {3}, {1, 2, 3}, {7, 2}, {8}} {
		packed := slices.Clone(whole)
		for _, i := range broken {
			data := testkit.Must(os.ReadFile(packed[i]))
			name := filepath.Join(t.TempDir(), fmt.Sprint(i))
			testkit.OK(os.WriteFile(name, data[:len(data)/(i+2)], 0o600))
			packed[i] = name
		}
		want := ""
		for _, threads := range someThreads() {
			_, _, err := readBeside(t.Context(), Options{Format: JSONL, SkipBad: true}, threads, packed...)
			if want == "" {
				want = fmt.Sprint(err)
			}
			if !errors.Is(err, ErrBadInput) || errors.Is(err, errEarlier) || err.Error() != want {
				t.Errorf("%v broken, %d threads: %v, want %s", broken, threads, err, want)
			}
		}
	}
}

// An input behind one with an error is left at its next frame.
func TestErrorEndsLaterInputs(t *testing.T) {
	dir := t.TempDir()
	bad, long := filepath.Join(dir, "bad"), filepath.Join(dir, "long")
	lines := manyLines(40_000)
	for name, data := range map[string][]byte{bad: zip(t, append([]byte("no JSON\n"), lines...)), long: zip(t, lines)} {
		testkit.Write(name, data)
	}
	s := testkit.Must(Read(t.Context(), []string{bad, long, long}, Options{Format: JSONL}))
	next, stop := pool.Pull(s.Batches())
	defer func() { _ = stop() }()
	read := func(batch document.Stream) (n int, err error) {
		for _, err := range batch {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	first, _, _ := next()
	second, _, _ := next()
	if n, err := read(first); n > 0 || !errors.Is(err, ErrBadInput) {
		t.Errorf("the first: %d documents, %v", n, err)
	}
	if n, err := read(second); n > 20_000 || !errors.Is(err, errEarlier) {
		t.Errorf("the second: %d documents, %v", n, err)
	}
}

// Inputs that are left to workers are counted as they are read, and end with the context.
func TestProgressOfWholeInputs(t *testing.T) {
	packed, _ := packedInputs(t, 10)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	s := testkit.Must(Read(ctx, packed, Options{Format: JSONL, SkipBad: true}))
	var seen []int64
	_, size := s.Progress()
	enough := errors.New("enough")
	for _, err := range s.Documents() {
		if err != nil {
			testkit.Is(testkit.Stop(t), err, enough)
			break
		}
		taken, _ := s.Progress()
		if seen = append(seen, taken); taken > size/2 {
			cancel(enough)
		}
	}
	if !slices.IsSorted(seen) || seen[0] > size/5 || seen[len(seen)-1] > size*2/3 {
		t.Errorf("%d to %d of %d", seen[0], seen[len(seen)-1], size)
	}
}

// Many compressed inputs are one bomb, on any number of goroutines.
func TestManyInputsAreOneBomb(t *testing.T) {
	dir := t.TempDir()
	var inputs []string
	bomb := zip(t, bytes.Repeat([]byte(`{"text":"`+strings.Repeat("x", 1000)+`"}`+"\n"), 5<<10))
	number := 20
	if testing.Short() {
		number = 14 // 73 MB; the limit begins at 64 MiB
	}
	for i := range number {
		name := testkit.Write(filepath.Join(dir, fmt.Sprint(i, ".jsonl.gz")), bomb)
		inputs = append(inputs, name)
	}
	threads := someThreads()
	if testing.Short() {
		threads = someThreads()
	}
	for _, threads := range threads {
		_, _, err := readBeside(t.Context(), Options{MaxExpansion: 50}, threads, inputs...)
		testkit.Refused(t, err, ErrBadInput, "--max-expansion", threads, "threads")
	}
}

func TestAlikeLabels(t *testing.T) {
	for name, c := range map[string]struct {
		labels []string
		want   [][]string
	}{
		"white space":     {[]string{"a", " a", "a\u00a0", "b"}, [][]string{{" a", "a", "a\u00a0"}}},
		"case":            {[]string{"True", "true", "TRUE", "false"}, [][]string{{"TRUE", "True", "true"}}},
		"normal forms":    {[]string{"café", "cafe\u0301", "cafe"}, [][]string{{"cafe\u0301", "café"}}},
		"all":             {[]string{"CAFE\u0301 ", "café"}, [][]string{{"CAFE\u0301 ", "café"}}},
		"sigmas":          {[]string{"ΟΔΟΣ", "οδος", "οδοσ"}, [][]string{{"ΟΔΟΣ", "οδος", "οδοσ"}}},
		"a Kelvin":        {[]string{"k", "\u212a"}, [][]string{{"k", "\u212a"}}},
		"several groups":  {[]string{"b", "B", "a", "A"}, [][]string{{"A", "a"}, {"B", "b"}}},
		"numbers":         {[]string{"1", "1.0", "+1", "1e0", "01", "10", "1.10", "1.1", "1.2.0", "1.2"}, [][]string{{"+1", "01", "1", "1.0", "1e0"}, {"1.1", "1.10"}}},
		"nobody sees":     {[]string{"spam", "spam\u200b", "\ufeffspam", "sp\u00adam", "❤", "❤\ufe0f", "\u06011", "1"}, [][]string{{"spam", "spam\u200b", "sp\u00adam", "\ufeffspam"}, {"❤", "❤\ufe0f"}}},
		"kinds of spaces": {[]string{"a b", "a\u00a0b", "a\u2009b"}, [][]string{{"a b", "a\u00a0b", "a\u2009b"}}},
		"none":            {[]string{"a b", "a  b", "ﬁ", "fi", "ß", "ss"}, nil},
		"malformed UTF-8": {[]string{"\xff", "\xfe"}, nil},
	} {
		classes := map[string]int{}
		for _, label := range c.labels {
			classes[label] = 1
		}
		testkit.Same(t, AlikeLabels(classes), c.want, name)
	}
}

// Labels that are one number or print alike stay as they stand, and a warning tells; svmlight's are numbers.
func TestLabelsThatPrintAlike(t *testing.T) {
	formats := map[byte]string{'{': JSONL, 'l': CSV, '1': SVMLight}
	for text, want := range map[string]string{
		"{\"text\":\"x\",\"label\":1}\n{\"text\":\"y\",\"label\":1.0}\n": `"1" and "1.0" are two classes, though they are one number or print alike: labels are taken`,
		"label,text\n1,x\n1e0,y\n02,z\n2,z\n":                            `"02" and "2" are two classes, though they are one number or print alike (the first of 2)`,
		"label\ttext\nspam\tx\nspam\u200b\ty\n":                          `"spam" and "spam\u200b" are two`,
		"label,text\nSpam,x\nspam,y\n":                                   "",
		"1 1:1\n1.0 2:1\n+1 3:1\n":                                       "",
	} {
		_, sum, err := ids(t, Options{Format: formats[text[0]]}, writeFile(t, []byte(text)))
		testkit.OK(err)
		testkit.Contains(t, strings.Join(sum.Warnings, "\n"), want, text)
		testkit.Equal(t, len(sum.Warnings) > 0, want != "", text, sum.Warnings)
	}
}

// A mark of UTF-8 at the beginning of a later line is no part of what the line says, and a note tells.
func TestFilesPutTogether(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		opt           Options
		want          string
	}{
		"CSV":           {"label,text\na,x\n", "b,\"y\nz\"\n", Options{Format: CSV}, `stdin:2 [a] "x" stdin:3 [b] "y\nz"`},
		"CSV in quotes": {"label,text\na,x\n", "\"b\nc\",\"y\"\n", Options{Format: CSV}, `stdin:2 [a] "x" stdin:3 [b\nc] "y"`},
		"JSON lines":    {"{\"label\":\"a\",\"text\":\"x\"}\n", "{\"label\":\"b\",\"text\":\"y\"}\n", Options{}, `stdin:1 [a] "x" stdin:2 [b] "y"`},
		"fastText":      {"__label__a x\n", "__label__b y\n", Options{Format: FastText}, `stdin:1 [a] "x" stdin:2 [b] "y"`},
		"lines":         {"x\n", "y\n", Options{Format: Lines, Unlabelled: true}, `stdin:1 [] "x" stdin:2 [] "y"`},
	} {
		got, sum, err := shown(t, c.first+"\ufeff"+c.second, c.opt)
		testkit.OK(err)
		testkit.Equal(t, strings.Join(got, " "), strings.ReplaceAll(c.want, "b\\nc", "b\nc"), name)
		testkit.Contains(t, strings.Join(sum.Notes, "\n"), "a mark of UTF-8 begins the line", name)
		got, sum, err = shown(t, "\ufeff"+c.first, c.opt)
		testkit.OK(err)
		testkit.Equal(t, len(got), 1, name)
		testkit.Equal(t, len(sum.Notes), 0, name, sum.Notes)
	}
}
