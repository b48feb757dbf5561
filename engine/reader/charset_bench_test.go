package reader

import (
	"testing"

	"github.com/termsift/termsift/engine/reader/charset"
)

// BenchmarkLatin1 decodes the training documents of 20 Newsgroups from Latin-1. All bytes of most of
// them are ASCII.
func BenchmarkLatin1(b *testing.B) {
	var texts [][]byte
	size := 0
	for _, d := range newsgroups(b) {
		var text []byte
		for _, r := range string(d.Text) {
			text = append(text, byte(r))
		}
		texts = append(texts, text)
		size += len(text)
	}
	b.Run("impl=termsift/set=20news", func(b *testing.B) {
		b.SetBytes(int64(size))
		d := charset.Decoder{Charset: charset.Latin1}
		for b.Loop() {
			for _, text := range texts {
				d.As(charset.Latin1, text)
			}
		}
	})
}
