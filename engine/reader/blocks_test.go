package reader

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/pool"
)

// This file tests that what is decompressed side by side reads as what is not.

// Of package compression: the head of a member of BGZF, and the bytes of the blocks that are
// found ahead, for each thread, and of a unit.
const (
	gzipHeader   = 12
	aheadBytes   = 8 << 20
	mostUnpacked = 8 << 20
)

// gzipWriter is used again and again: a new one takes a megabyte.
var gzipWriter = gzip.NewWriter(nil)

// bgzfMember packs data as a member of BGZF, with other fields before the one that says how
// long it is.
func bgzfMember(t testing.TB, data []byte, others ...byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzipWriter
	w.Reset(&b)
	w.Extra = append(slices.Clone(others), "BC\x02\x00\x00\x00"...)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
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
	pack := func(piece []byte) []byte { return bgzfMember(t, piece) }
	return append(bytes.Join(packedUnits(data, 60<<10, pack), nil), pack(nil)...)
}

// framesOf packs data as pzstd does: frames that do not say what they become, a skippable one
// before each.
func framesOf(t testing.TB, data []byte, size int) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Join(packedUnits(data, size, func(piece []byte) []byte {
		var b bytes.Buffer
		w.Reset(&b)
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Flush(), w.Close()); err != nil {
			t.Fatal(err)
		}
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
	opt.Threads = threads
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

// someThreads gives numbers of threads up to 8: all of them if TERMSIFT_HEAVY asks for them.
func someThreads() []int {
	if os.Getenv("TERMSIFT_HEAVY") != "" {
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
			"other fields":    bytes.Join(packedUnits(data, 10_000, func(piece []byte) []byte { return bgzfMember(t, piece, []byte("XY\x03\x00abc")...) }), nil),
			"bgzf, then gzip": append(bgzfOf(t, data[:1<<20]), zip(t, data[1<<20:])...),
			"bgzf and zeros":  append(bgzfOf(t, data), make([]byte, 1<<20)...),
			"pzstd":           framesOf(t, data, 100_000),
			"small frames":    framesOf(t, data, 3000),
			"sized frames":    bytes.Join(packedUnits(data, 300_000, func(piece []byte) []byte { return zstdOf(t, piece) }), nil),
			"one frame":       zstdOf(t, data),
			"empty frames":    slices.Concat(bytes.Repeat(zstdOf(t, nil), 1), zstdOf(t, data[:5000]), bytes.Repeat(append(zstdOf(t, []byte{}), "\x5f\x2a\x4d\x18\x00\x00\x00\x00"...), 5000), zstdOf(t, data[5000:])),
			"empty members":   slices.Concat(bytes.Repeat(bgzfMember(t, nil), 5000), bgzfOf(t, data)),
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
			got, _, err := ids(t, Options{Threads: 3}, file) // one batch after another
			if err != nil || len(got) != len(want) {
				t.Errorf("%s, %s, as a stream: %d documents for %d, %v", kind, name, len(got), len(want), err)
			}
		}
	}
}

// unpackedBy reads packed data by blocks, or by the reader of one unit after another, and
// gives the bytes and the error.
func unpackedBy(t *testing.T, data []byte, threads int, limit int64) ([]byte, error) {
	t.Helper()
	s, err := Read(t.Context(), nil, Options{Threads: max(threads, 1), MaxExpansion: limit})
	if err != nil {
		t.Fatal(err)
	}
	out := func(f frame) error { return f.parse(nil, &f) }
	if threads == 0 {
		out = nil
	}
	packed := buffered(inputReader{s.ctx, "in", bytes.NewReader(data), &s.meter})
	in, closing, err := s.decompressedBeside(document.Position{File: "in"}, &s.meter, packed, out)
	if err != nil {
		return nil, err
	}
	defer closing()
	unpacked, err := io.ReadAll(in)
	if err == nil && s.meter.packed != int64(len(data)) {
		t.Errorf("%d threads: %d bytes were counted of %d", threads, s.meter.packed, len(data))
	}
	return unpacked, err
}

// damaged gives packed units with every sort of damage.
func damaged(t *testing.T) map[string][]byte {
	text := manyLines(9000)
	frames, members := framesOf(t, text, 50_000), bgzfOf(t, text)
	all := map[string][]byte{}
	for kind, data := range map[string][]byte{"zstd": frames, "bgzf": members} {
		for i := range 40 {
			at := len(data) * i / 40
			flipped := bytes.Clone(data)
			flipped[at+i%7] ^= 1 << (i % 8)
			all[fmt.Sprintf("%s, cut at %d", kind, at)] = data[:at]
			all[fmt.Sprintf("%s, flipped at %d", kind, at)] = flipped
		}
		all[kind+", more behind it"] = append(bytes.Clone(data), "more"...)
		all[kind+", the other behind it"] = slices.Concat(data, frames)
		all[kind+", gzip behind it"] = slices.Concat(data, zip(t, text))
	}
	second := int(binary.LittleEndian.Uint16(members[gzipHeader+4:])) + 1
	for name, wrong := range map[string]func(m []byte){
		"too long":     func(m []byte) { m[second+gzipHeader+4]++ },
		"too short":    func(m []byte) { m[second+gzipHeader+4]-- },
		"no length":    func(m []byte) { clear(m[second+gzipHeader+4 : second+gzipHeader+6]) },
		"all there is": func(m []byte) { m[second+gzipHeader+4], m[second+gzipHeader+5] = 255, 255 },
		"no field":     func(m []byte) { m[second+gzipHeader] = 'b' },
		"long field":   func(m []byte) { m[second+gzipHeader+2] = 200 },
		"long extra":   func(m []byte) { m[second+10], m[second+11] = 255, 255 },
		"size":         func(m []byte) { m[second-4]++ },
		"huge size":    func(m []byte) { m[second-1] = 255 },
		"sum":          func(m []byte) { m[second-8]++ },
	} {
		m := bytes.Clone(members)
		wrong(m)
		all["bgzf, wrong "+name] = m
	}
	sized := slices.Concat(zstdOf(t, text[:1<<17]), zstdOf(t, text[1<<17:]))
	for name, size := range map[string]uint32{"too large": 1<<17 + 1, "too small": 1<<17 - 1, "huge": 1 << 31, "none": 0} {
		data := bytes.Clone(sized)
		var h zstd.Header
		if err := h.Decode(data); err != nil || h.FrameContentSize != 1<<17 {
			t.Fatal(h, err)
		}
		binary.LittleEndian.PutUint32(data[h.HeaderSize-4:], size)
		all["zstd, size "+name] = data
	}
	return all
}

// What is broken gives the bytes before and the error of the reader of one unit after
// another, and says where it is.
func TestEveryBrokenBlock(t *testing.T) {
	for name, data := range sampled(damaged(t)) {
		wantBytes, want := unpackedBy(t, data, 0, 1000)
		first, firstErr := unpackedBy(t, data, 1, 1000)
		if !bytes.Equal(first, wantBytes) || (firstErr == nil) != (want == nil) {
			t.Errorf("%s: %d bytes for %d, %v for %v", name, len(first), len(wantBytes), firstErr, want)
		}
		for _, threads := range someThreads() {
			got, err := unpackedBy(t, data, threads, 1000)
			if !bytes.Equal(got, first) || fmt.Sprint(err) != fmt.Sprint(firstErr) {
				t.Errorf("%s, %d threads: %d bytes for %d, %v for %v", name, threads, len(got), len(first), err, firstErr)
			}
		}
		if want == nil || os.Getenv("TERMSIFT_HEAVY") == "" {
			continue
		}
		file := writeFile(t, data)
		docs, _, failed := readBeside(t.Context(), Options{Format: JSONL}, 1, file)
		for threads := 2; threads <= 8; threads++ {
			got, _, err := readBeside(t.Context(), Options{Format: JSONL}, threads, file)
			if fmt.Sprint(err) != fmt.Sprint(failed) || !slices.Equal(got[:min(len(got), len(docs))], docs[:min(len(got), len(docs))]) {
				t.Errorf("%s as documents, %d threads: %v for %v", name, threads, err, failed)
			}
		}
	}
}

func TestBrokenBlockSaysWhere(t *testing.T) {
	text := manyLines(9000)
	units := packedUnits(text, 50_000, func(piece []byte) []byte { return zstdOf(t, piece) })
	members := packedUnits(text, 50_000, func(piece []byte) []byte { return bgzfMember(t, piece) })
	for kind, units := range map[string][][]byte{"frames": units, "members": members} {
		before := len(bytes.Join(units[:5], nil))
		last := units[5]
		last[len(last)-6] ^= 1
		for threads := 1; threads <= 3; threads++ {
			file := writeFile(t, bytes.Join(units, nil))
			_, _, err := readBeside(t.Context(), Options{}, threads, file)
			want := fmt.Sprintf("after 5 %s, which end at byte %d: ", kind, before)
			if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file+":") {
				t.Errorf("%d threads: got %v, want %s", threads, err, want)
			}
		}
	}
	plain := bytes.Join(packedUnits(text, 50_000, func(piece []byte) []byte { return zip(t, piece) }), nil)
	if _, _, err := ids(t, Options{}, writeFile(t, plain[:len(plain)-1])); err == nil || !strings.Contains(err.Error(), "members: unexpected EOF") {
		t.Error(err)
	}
}

// Units that are too long to be held in memory are read in pieces, and small units that
// become much take no more memory than others.
func TestLongUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: it compresses 200 megabytes")
	}
	line := []byte(`{"text":"` + strings.Repeat("x", 1<<20-12) + "\"}\n")
	small := framesOf(t, bytes.Repeat(line, 2), 1<<20)
	for name, data := range map[string][]byte{
		"a long frame":      slices.Concat(small, zstdOf(t, bytes.Repeat(line, 100)), small),
		"an unsized frame":  slices.Concat(small, framesOf(t, bytes.Repeat(line, 100), 100<<20), small),
		"members":           bgzfOf(t, bytes.Repeat(line, 104)),
		"frames":            framesOf(t, bytes.Repeat(line, 104), 8<<20),
		"a long skippable":  slices.Concat(small, []byte("\x50\x2a\x4d\x18\x00\x00\x00\x02"), make([]byte, 32<<20), zstdOf(t, bytes.Repeat(line, 102))),
		"a member too long": slices.Concat(bgzfOf(t, bytes.Repeat(line, 2)), bgzfMember(t, bytes.Repeat(line, 20)), zip(t, bytes.Repeat(line, 82))),
	} {
		file := writeFile(t, data)
		for _, threads := range []int{1, 2, 8} {
			var most, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&now)
			most.HeapAlloc = now.HeapAlloc
			s, err := Read(t.Context(), []string{file}, Options{Threads: threads, MaxExpansion: 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			n, before := 0, now.HeapAlloc
			for _, err := range s.Documents() {
				if err != nil {
					t.Fatal(name, err)
				}
				if n++; n%8 == 0 {
					runtime.GC()
					runtime.ReadMemStats(&now)
					most.HeapAlloc = max(most.HeapAlloc, now.HeapAlloc)
				}
			}
			if took := int64(most.HeapAlloc) - int64(before); n != 104 || took > int64(threads)*(aheadBytes+2<<20)+5*mostUnpacked { // a decoder has its own, too
				t.Errorf("%s, %d threads: %d lines, %d MB at the most", name, threads, n, took>>20)
			}
		}
	}
}

// The limit of what compressed data may become is met at the same byte on any number of
// goroutines.
func TestBlocksExpandAlike(t *testing.T) {
	text := bytes.Repeat([]byte("words and words\n"), 100<<20/16)
	for name, data := range map[string][]byte{"bgzf": bgzfOf(t, text), "zstd": framesOf(t, text, 1<<20)} {
		want, wantErr := unpackedBy(t, data, 1, 50)
		if wantErr == nil || !strings.Contains(wantErr.Error(), "--max-expansion") || len(want) < expansionFree-bufferBytes {
			t.Fatalf("%s: %d bytes, %v", name, len(want), wantErr)
		}
		for _, threads := range moreThreads() {
			if got, err := unpackedBy(t, data, threads, 50); len(got) != len(want) || err.Error() != wantErr.Error() {
				t.Errorf("%s, %d threads: %d bytes for %d, %v for %v", name, threads, len(got), len(want), err, wantErr)
			}
		}
	}
}

// A stream that is stopped or cancelled ends at once and leaves nobody behind, and batches
// that are read late, or never, hold nobody up.
func TestBlocksEnd(t *testing.T) {
	file := writeFile(t, framesOf(t, manyLines(60_000), 50_000))
	before := runtime.NumGoroutine()
	for threads := 1; threads <= 8; threads++ {
		enough := errors.New("enough")
		s, err := Read(t.Context(), []string{file}, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		err = pool.Feed(t.Context(), threads, s.Batches(), func(_, number int, batch document.Stream) error {
			if number == 5 {
				return enough
			}
			for _, err := range batch {
				if err != nil {
					return err
				}
			}
			return nil
		})
		if !errors.Is(err, enough) {
			t.Errorf("%d threads, stopped: %v", threads, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		timer := time.AfterFunc(time.Duration(threads)*time.Millisecond, func() { cancel(enough) })
		if _, _, err = readBeside(ctx, Options{}, threads, file); err != nil && !errors.Is(err, enough) {
			t.Errorf("%d threads, cancelled: %v", threads, err)
		}
		timer.Stop()
		cancel(nil)
	}
	faults.NoneLeft(t, before)

	s, err := Read(t.Context(), []string{file}, Options{Threads: 4})
	if err != nil {
		t.Fatal(err)
	}
	var batches []document.Stream
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, batch)
	}
	n := 0
	for _, batch := range slices.Backward(batches) {
		for _, err := range batch {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	if n != 60_000 {
		t.Errorf("%d documents", n)
	}
}

// What fuzzing finds gives the same bytes and errors on one goroutine and on several.
func FuzzBlocks(f *testing.F) {
	text := manyLines(300)
	f.Add(framesOf(f, text, 5000))
	f.Add(bgzfOf(f, text))
	f.Fuzz(func(t *testing.T, data []byte) {
		want, wantErr := unpackedBy(t, data, 1, 1000)
		got, err := unpackedBy(t, data, 3, 1000)
		if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%d bytes for %d, %v for %v", len(got), len(want), err, wantErr)
		}
	})
}
