package table

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// A word has an escape where one of its lowest bytes is one, and is appended byte by byte.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var c Column
	for range 10_000 {
		low := make([]byte, 8)
		for i := range low {
			low[i] = []byte{0, 1, 127, 128, 253, 254, 255}[r.IntN(7)]
		}
		n, word := r.IntN(9), binary.LittleEndian.Uint64(low)
		if got, want := HasEscape(word, n), slices.Contains(low[:n], Escape); got != want {
			t.Fatalf("%x, %d: %v", low, n, got)
		}
		before := len(c.Bytes())
		c.AppendWord(word, n)
		if got := c.Bytes()[before:]; !slices.Equal(got, low[:n]) {
			t.Fatalf("%x, %d: %x", low, n, got)
		}
	}
}
