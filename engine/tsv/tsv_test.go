package tsv

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Texts are escaped and read back as replacing one pair after the other, from the left, does.
func TestEscape(t *testing.T) {
	escaper := strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	unescaper := strings.NewReplacer(`\\`, "\\", `\t`, "\t", `\n`, "\n", `\r`, "\r")
	random := rand.New(rand.NewPCG(1, 2))
	const letters = "\\\\\t\n\rtnrxé"
	for range 20_000 {
		b := make([]byte, random.IntN(9))
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		s := string(b)
		testkit.Equal(testkit.Stop(t), Escape(s), escaper.Replace(s), "Escape", s, "=")
		testkit.Equal(testkit.Stop(t), Unescape(s), unescaper.Replace(s), "Unescape", s, "=")
		testkit.Equal(testkit.Stop(t), Unescape(Escape(s)), s, "Unescape(Escape", "=")
	}
}
