package lab

import (
	"os"
	"path/filepath"
	"runtime"
)

// Corpus gives the path of a file of the real collections, which are not part of the repository: below
// TERMSIFT_DATA or else below ../shared/data beside the project. Where it is missing the test is
// skipped, or failed if TERMSIFT_REQUIRE_DATA=1.
func Corpus(t test, name string) string {
	t.Helper()
	dir := os.Getenv("TERMSIFT_DATA")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("TERMSIFT_REQUIRE_DATA") == "1" {
			t.Fatalf("TERMSIFT_REQUIRE_DATA=1, and %v", err)
		}
		t.Skipf("TERMSIFT_DATA has no %s: %v", name, err)
	}
	return path
}
