package files_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/termsift/termsift/engine/files"
)

// Whole pages are given back; bytes beside them, which others may have, stay.
func TestDiscard(t *testing.T) {
	page := os.Getpagesize()
	for _, n := range []int{0, 1, page - 1, page, 3*page + 5} {
		all := bytes.Repeat([]byte{7}, 8*page)
		for from := range 3 {
			files.Discard(all[page+from : page+from+n])
			zeros := bytes.Count(all, []byte{0})
			if zeros%page != 0 || zeros > n || zeros < n-2*page || bytes.Count(all[:page], []byte{7}) != page {
				t.Errorf("%d bytes at %d: %d were given back", n, from, zeros)
			}
		}
	}
}
