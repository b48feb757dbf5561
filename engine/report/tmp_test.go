package report

import (
	"os"
	"testing"

	"github.com/termsift/termsift/internal/browsertest"
)

func TestTmpPage(t *testing.T) {
	b := browsertest.New(t)
	for range 2 {
		b.Show(os.Getenv("PAGE"), 1280, 900, "light")
		b.Wait(`document.querySelector("#plot canvas").dataset.drawn === "1"`)
		t.Log(b.Eval(`JSON.stringify(performance.getEntriesByType("mark").map((m) => [m.name, m.startTime|0]))`))
	}
	b.WindowPicture("m")
}
