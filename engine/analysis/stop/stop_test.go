package stop

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestListsAreAsPublished(t *testing.T) {
	for _, l := range lists {
		sum := sha256.Sum256([]byte(l.words))
		if got := hex.EncodeToString(sum[:]); got != l.sha256 {
			t.Errorf("%s: sha256 %s, want %s", l.name, got, l.sha256)
		}
		if n := len(Words(l.name, nil)); n != l.distinct {
			t.Errorf("%s: %d words, want %d", l.name, n, l.distinct)
		}
	}
	if n := len(strings.Fields(smartWords)); n != 571 { // one of them twice
		t.Errorf("smart: %d entries", n)
	}
	if n := len(Words("sklearn", nil)); n != 318 {
		t.Errorf("sklearn: %d words", n)
	}
	if n := len(Words("none", nil)); n != 0 {
		t.Errorf("none: %d words", n)
	}
}
