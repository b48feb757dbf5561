package indexfile

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
)

// FORMAT.md names the sections, their numbers and the bytes of their elements as this
// package does.
func TestFormatIsDescribed(t *testing.T) {
	data := testkit.Must(os.ReadFile(filepath.Join("..", "..", "..", "FORMAT.md")))
	text := string(data)
	var rows []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \| ([a-z-]+) \| (\d+) \|`).FindAllStringSubmatch(text, -1) {
		rows = append(rows, strings.Join(m[1:], " "))
	}
	var want []string
	for kind := range numSections {
		want = append(want, fmt.Sprintf("%d %v %d", kind, kind, sectionElements[kind]))
	}
	testkit.EqualSlices(t, rows, want, "FORMAT.md has the sections", strings.Join(rows, "\n"), "not",
		strings.Join(want, "\n"))
	for _, fact := range []string{
		fmt.Sprintf("version %d", FormatVersion), fmt.Sprintf("| 8 | 4 | version, %d |", FormatVersion), "`" + magic + "`", "`" + footerMagic + "`",
		fmt.Sprintf("its length, %d", int(numSections)*entrySize), fmt.Sprintf("%d sections", numSections), "65,536 bytes of a section",
	} {
		testkit.Contains(t, text, fact, "FORMAT.md does not say")
	}
}

// A reader that was written from FORMAT.md alone, and nothing of this package but the
// bytes, finds the documents and counts of every term.
func TestFormatCanBeReadFromItsDescription(t *testing.T) {
	src := randomSource(3, 200, true, false)
	data := everything(t, build(t, src))
	r := formatReader{t, data}
	u32, u64 := r.u32, r.u64

	footer := len(data) - 64
	contents := int(u64(footer))
	if string(data[:8]) != "TERMSIFT" || u32(8) != 4 || u64(16) != uint64(len(data)) || string(data[footer+56:]) != "TFISMRET" {
		t.Fatal("the frame is another")
	}
	r.sum(data[:56], u64(56))
	r.sum(data[footer:footer+48], u64(footer+48))
	r.sum(data[contents:contents+864], u64(footer+16))
	place := func(section int) (from, to int) {
		entry := contents + 32*section
		from = int(u64(entry + 8))
		return from, from + int(u64(entry+16))
	}
	sums, _ := place(26)
	for section := range 26 {
		from, to := place(section)
		first := sums
		for to = (to + 63) / 64 * 64; from < to; from += 65536 {
			r.sum(data[from:min(from+65536, to)], u64(sums))
			sums += 8
		}
		r.sum(data[first:sums], u64(contents+32*section+24))
	}

	text, _ := place(6)
	terms := r.lengths(place(7))
	var df []int
	for at, end := place(8); at < end; at += 8 {
		for range u32(at + 4) {
			df = append(df, int(u32(at)))
		}
	}
	denseAt, denseEnd := place(9)
	dense, _ := place(10)
	flat, _ := place(11)
	counts, _ := place(12)
	escapes, escapesEnd := place(13)
	escaped, _ := place(14)
	documents := r.lengths(place(2))
	names, _ := place(1)
	withBitmap := (denseEnd-denseAt)/8 - 1
	got := map[[2]string]uint32{}
	posting, short := 0, 0
	for term, n := range df {
		name := string(data[text+terms[term] : text+terms[term+1]])
		var ids []uint32
		if term < withBitmap {
			b := roaring.New()
			testkit.Must(b.FromBuffer(data[dense+int(u64(denseAt+8*term)):]))
			ids = b.ToArray()
		} else {
			var size int
			ids, size = r.packed(flat+short, n, len(documents)-1)
			short += size
		}
		for _, id := range ids {
			doc := string(data[names+documents[id] : names+documents[id+1]])
			count := uint32(data[counts+posting])
			for e := escapes; count == 255 && e < escapesEnd; e += 8 {
				if u64(e) == uint64(posting) {
					count = u32(escaped + (e-escapes)/2)
					break
				}
			}
			got[[2]string{name, doc}] = count
			posting++
		}
	}
	for d := range src.IDs {
		for i := src.DocStart[d]; i < src.DocStart[d+1]; i++ {
			key := [2]string{src.Names[src.Terms[i]], src.IDs[d]}
			testkit.Equal(testkit.Stop(t), got[key], src.Counts[i], key)
			delete(got, key)
		}
	}
	testkit.Equal(testkit.Stop(t), len(got), 0)
	r.stored(place, documents, terms)
}

// packed reads a packed list bit by bit, and says how many bytes it has.
func (r formatReader) packed(at, n, documents int) (ids []uint32, size int) {
	bit := func(i int) uint32 { return uint32(r.data[at+i/8]>>(i%8)) & 1 }
	low := 0
	for documents/n >= 2<<low {
		low++
	}
	high, place := uint32(0), n*low
	for i := range n {
		for ; bit(place) == 0; place++ {
			high++
		}
		place++
		id := high << low
		for b := range low {
			id |= bit(i*low+b) << b
		}
		ids = append(ids, id)
	}
	return ids, (n*low + n + (documents-1)>>low + 7) / 8
}

// stored holds the forward view and the cells against the lists of the source.
func (r formatReader) stored(place func(section int) (from, to int), documents, terms []int) {
	starts, _ := place(17)
	forward, end := place(18)
	df := make([]uint32, len(terms)-1)
	for d := range len(documents) - 1 {
		for at := r.u64(starts + 8*d); at < r.u64(starts+8*d+8); at++ {
			df[r.u32(forward+4*int(at))]++
		}
	}
	if r.u64(starts+8*(len(documents)-1)) != uint64(end-forward)/4 {
		r.t.Fatal("the starts do not end where the terms do")
	}
	runs, _ := place(8)
	left := uint32(0)
	labelStarts, _ := place(4)
	labels, _ := place(5)
	cells, _ := place(19)
	classes, _ := place(20)
	docs, _ := place(21)
	for term, n := range df {
		if left == 0 {
			if left, runs = r.u32(runs+4), runs+8; r.u32(runs-8) != n {
				r.t.Fatalf("term %d is in %d documents by the forward view, %d by df", term, n, r.u32(runs-8))
			}
		}
		left--
		want := map[uint32]uint32{}
		for d := range len(documents) - 1 {
			for at := r.u64(starts + 8*d); at < r.u64(starts+8*d+8); at++ {
				for l := r.u32(labelStarts + 4*d); r.u32(forward+4*int(at)) == uint32(term) && l < r.u32(labelStarts+4*d+4); l++ {
					want[r.u32(labels+4*int(l))]++
				}
			}
		}
		if n == 1 {
			continue
		}
		for range r.data[cells+2*term] {
			class := uint32(r.data[classes])
			if want[class] != uint32(r.data[docs]) {
				r.t.Fatalf("term %d, class %d: %d documents, want %d", term, class, r.data[docs], want[class])
			}
			delete(want, class)
			classes, docs = classes+1, docs+1
		}
		if len(want) > 0 {
			r.t.Fatalf("term %d lacks cells", term)
		}
	}
}

type formatReader struct {
	t    *testing.T
	data []byte
}

func (r formatReader) u32(at int) uint32 { return le.Uint32(r.data[at:]) }
func (r formatReader) u64(at int) uint64 { return le.Uint64(r.data[at:]) }

// lengths gives where names begin, and where the last ends.
func (r formatReader) lengths(from, to int) []int {
	places := []int{0}
	for from < to {
		length := 0
		for shift := 0; ; shift += 7 {
			b := r.data[from]
			from++
			length |= int(b&0x7f) << shift
			if b < 0x80 {
				break
			}
		}
		places = append(places, places[len(places)-1]+length)
	}
	return places
}

func (r formatReader) sum(covered []byte, want uint64) {
	r.t.Helper()
	if xxh3.Hash(covered) != want {
		r.t.Fatal("a sum is another")
	}
}
