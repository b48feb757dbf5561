package vectors

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
)

// A zip is that of archive/zip, byte for byte, wherever its members lie and however large they
// are.
func TestZip(t *testing.T) {
	for name, c := range map[string]struct{ offset, more uint64 }{
		"small":             {0, 0},
		"offset of 64 bits": {1<<32 - 40, 0},
		"size of 64 bits":   {0, 1<<32 - 1},
		"both":              {1 << 33, 1 << 33},
	} {
		var got, want bytes.Buffer
		members := []string{"a.npy", "empty.npy", "b.npy"}
		contents := map[string]string{"a.npy": "boats", "b.npy": strings.Repeat("ship", 1000)}
		z, reference := &zipWriter{w: &got, at: c.offset}, zip.NewWriter(&want)
		reference.SetOffset(int64(c.offset))
		for _, name := range members {
			z.writeMember(t, name, contents[name], c.more)
			writeReference(t, reference, name, contents[name], c.more)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := reference.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s:\n%q, want\n%q", name, got.Bytes(), want.Bytes())
		}
	}
}

// writeMember writes a member that is said to have more bytes than the contents.
func (z *zipWriter) writeMember(t *testing.T, name, contents string, more uint64) {
	t.Helper()
	if err := z.Create(name); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{contents[:len(contents)/2], contents[len(contents)/2:]} {
		if _, err := io.WriteString(z, part); err != nil {
			t.Fatal(err)
		}
	}
	z.members[len(z.members)-1].size += more
	if err := z.End(); err != nil {
		t.Fatal(err)
	}
}

// writeReference is writeMember for archive/zip. Sizes that are not those of the contents are
// given for members that are called raw.
func writeReference(t *testing.T, z *zip.Writer, name, contents string, more uint64) {
	t.Helper()
	h := &zip.FileHeader{Name: name, Method: zip.Store}
	create := z.CreateHeader
	if more > 0 {
		var sum member
		sumOf := &zipWriter{w: io.Discard, members: []member{sum}}
		if _, err := io.WriteString(sumOf, contents); err != nil {
			t.Fatal(err)
		}
		h.Flags, h.CRC32 = follows, sumOf.members[0].sum
		h.CreatorVersion, h.ReaderVersion = version20, version20
		h.UncompressedSize64 = uint64(len(contents)) + more
		h.CompressedSize64 = h.UncompressedSize64
		create = z.CreateRaw
	}
	w, err := create(h)
	if err != nil {
		t.Fatal(err)
	}
	if more > 0 {
		h.ReaderVersion = version64 // as a member that turns out to be large has it in the directory
	}
	if _, err := io.WriteString(w, contents); err != nil {
		t.Fatal(err)
	}
}
