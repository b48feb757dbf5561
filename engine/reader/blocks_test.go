package reader

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// This file reads compressed inputs of many units, as bgzip and pzstd write them.

// gzipHeader is the length of the head of a member of BGZF.
const gzipHeader = 12

// gzipWriter is used again and again: a new one takes a megabyte.
var gzipWriter = gzip.NewWriter(nil)

// bgzfMember packs data as a member of BGZF, with other fields before the one that says how
// long it is.
func bgzfMember(data []byte, others ...byte) []byte {
	var b bytes.Buffer
	w := gzipWriter
	w.Reset(&b)
	w.Extra = append(slices.Clone(others), "BC\x02\x00\x00\x00"...)
	testkit.Must(w.Write(data))
	testkit.OK(w.Close())
	packed := b.Bytes()
	binary.LittleEndian.PutUint16(packed[gzipHeader+len(others)+4:], uint16(len(packed)-1))
	return packed
}

// packedUnits packs data in pieces of a size, each by itself.
func packedUnits(data []byte, size int, pack func([]byte) []byte) (units [][]byte) {
	for piece := range slices.Chunk(data, size) {
		units = append(units, pack(piece))
	}
	return units
}

// bgzfOf packs data as bgzip does, with the empty member at its end.
func bgzfOf(t testing.TB, data []byte) []byte {
	pack := func(piece []byte) []byte { return bgzfMember(piece) }
	return append(bytes.Join(packedUnits(data, 60<<10, pack), nil), pack(nil)...)
}

// framesOf packs data as pzstd does: frames that do not say what they become, a skippable one
// before each.
func framesOf(data []byte, size int) []byte {
	w := testkit.Must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)))
	return bytes.Join(packedUnits(data, size, func(piece []byte) []byte {
		var b bytes.Buffer
		w.Reset(&b)
		testkit.Must(w.Write(piece))
		testkit.OK(errors.Join(w.Flush(), w.Close()))
		return append([]byte("\x50\x2a\x4d\x18\x04\x00\x00\x00size"), b.Bytes()...)
	}), nil)
}

// manyLines gives lines of JSON that compress as text does.
func manyLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%d","label":"%c","text":"the %d. of %d lines, %x"}`+"\n", i, 'a'+i%3, i, n, i*i*7919)
	}
	return b.Bytes()
}

// readBeside reads inputs as builds do, on threads, and gives the documents in their order.
func readBeside(ctx context.Context, opt Options, threads int, inputs ...string) (docs []string, sum Summary, err error) {
	s, err := Read(ctx, inputs, opt)
	if err != nil {
		return nil, sum, err
	}
	batches := make([][]string, 1<<16)
	err = pool.Feed(ctx, threads, s.Batches(), func(_, number int, batch document.Stream) error {
		for d, err := range batch {
			if err != nil {
				return err
			}
			batches[number] = append(batches[number], show(d))
		}
		return nil
	})
	if err == nil {
		err = s.Check()
	}
	return slices.Concat(batches...), s.Summary(), err
}

// someThreads gives numbers of threads up to 8: all of them if every case is tried.
func someThreads() []int {
	if testkit.AllCases() {
		return []int{1, 2, 3, 4, 5, 6, 7, 8}
	}
	return []int{1, 2, 8}
}

// moreThreads gives the numbers of threads from 2 to 8, in short runs two of them.
func moreThreads() []int {
	if testing.Short() {
		return []int{2, 8}
	}
	return []int{2, 3, 4, 5, 6, 7, 8}
}

// Whatever is packed in units, and on however many goroutines, reads as it is.
func TestReadBlocksAlike(t *testing.T) {
	lines, threads := manyLines(20_000), someThreads()
	if testing.Short() {
		threads = moreThreads()
	}
	var members []member
	for i := range 300 {
		members = append(members, member{name: fmt.Sprintf("n/%c/%d", 'a'+i%3, i), body: strings.Repeat(fmt.Sprint("word", i*7919, " "), i*10)})
	}
	for kind, data := range map[string][]byte{"lines": lines, "archive": archive(t, members...)} {
		want, _, err := readBeside(t.Context(), Options{}, 1, writeFile(t, data))
		if err != nil || len(want) < 300 {
			t.Fatalf("%d documents, %v", len(want), err)
		}
		for name, packed := range map[string][]byte{
			"bgzf":            bgzfOf(t, data),
			"other fields":    bytes.Join(packedUnits(data, 10_000, func(piece []byte) []byte { return bgzfMember(piece, []byte("XY\x03\x00abc")...) }), nil),
			"bgzf, then gzip": append(bgzfOf(t, data[:1<<20]), zip(t, data[1<<20:])...),
			"bgzf and zeros":  append(bgzfOf(t, data), make([]byte, 1<<20)...),
			"pzstd":           framesOf(data, 100_000),
			"small frames":    framesOf(data, 3000),
			"sized frames":    bytes.Join(packedUnits(data, 300_000, func(piece []byte) []byte { return zstdOf(piece) }), nil),
			"one frame":       zstdOf(data),
			"empty frames":    slices.Concat(bytes.Repeat(zstdOf(nil), 1), zstdOf(data[:5000]), bytes.Repeat(append(zstdOf([]byte{}), "\x5f\x2a\x4d\x18\x00\x00\x00\x00"...), 5000), zstdOf(data[5000:])),
			"empty members":   slices.Concat(bytes.Repeat(bgzfMember(nil), 5000), bgzfOf(t, data)),
		} {
			file := writeFile(t, packed)
			for _, threads := range threads {
				if got, _, err := readBeside(t.Context(), Options{}, threads, file); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, %s, %d threads: %d documents for %d, %v", kind, name, threads, len(got), len(want), err)
				}
			}
			if testing.Short() {
				continue
			}
			got, _, err := ids(t, Options{}, file) // one batch after another
			testkit.OK(err)
			testkit.Equal(t, len(got), len(want), kind, name, "as a stream", "documents for")
		}
	}
}

func TestBrokenMemberSaysWhere(t *testing.T) {
	text := manyLines(9000)
	members := packedUnits(text, 50_000, func(piece []byte) []byte { return bgzfMember(piece) })
	last := members[5]
	last[len(last)-6] ^= 1
	file := writeFile(t, bytes.Join(members, nil))
	if _, _, err := readBeside(t.Context(), Options{}, 2, file); !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "after 5 members: ") || !strings.Contains(err.Error(), file+":") {
		t.Error(err)
	}
	plain := bytes.Join(packedUnits(text, 50_000, func(piece []byte) []byte { return zip(t, piece) }), nil)
	if _, _, err := ids(t, Options{}, writeFile(t, plain[:len(plain)-1])); err == nil || !strings.Contains(err.Error(), "members: unexpected EOF") {
		t.Error(err)
	}
}

// Units of any length are read in pieces, and small units that become much take no more memory
// than others.
func TestLongUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: it compresses 200 megabytes")
	}
	line := []byte(`{"text":"` + strings.Repeat("x", 1<<20-12) + "\"}\n")
	small := framesOf(bytes.Repeat(line, 2), 1<<20)
	for name, data := range map[string][]byte{
		"a long frame":      slices.Concat(small, zstdOf(bytes.Repeat(line, 100)), small),
		"an unsized frame":  slices.Concat(small, framesOf(bytes.Repeat(line, 100), 100<<20), small),
		"members":           bgzfOf(t, bytes.Repeat(line, 104)),
		"frames":            framesOf(bytes.Repeat(line, 104), 8<<20),
		"a long skippable":  slices.Concat(small, []byte("\x50\x2a\x4d\x18\x00\x00\x00\x02"), make([]byte, 32<<20), zstdOf(bytes.Repeat(line, 102))),
		"a member too long": slices.Concat(bgzfOf(t, bytes.Repeat(line, 2)), bgzfMember(bytes.Repeat(line, 20)), zip(t, bytes.Repeat(line, 82))),
	} {
		file := writeFile(t, data)
		{
			var most, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&now)
			most.HeapAlloc = now.HeapAlloc
			s := testkit.Must(Read(t.Context(), []string{file}, Options{MaxExpansion: 1 << 30}))
			n, before := 0, now.HeapAlloc
			for _, err := range s.Documents() {
				testkit.Is(testkit.Stop(t), err, nil, name)
				if n++; n%8 == 0 {
					runtime.GC()
					runtime.ReadMemStats(&now)
					most.HeapAlloc = max(most.HeapAlloc, now.HeapAlloc)
				}
			}
			if took := int64(most.HeapAlloc) - int64(before); n != 104 || took > 40<<20 { // a decoder has its own, too
				t.Errorf("%s: %d lines, %d MB at the most", name, n, took>>20)
			}
		}
	}
}
