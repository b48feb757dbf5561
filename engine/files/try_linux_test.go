package files_test

import (
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/files"
)

// Where no file can be created, the error names the path and not a temporary file.
func TestTryNamesThePath(t *testing.T) {
	const folder = "/sys" // even root cannot create a file there
	for want, err := range map[string]error{
		"create /sys/out: ":      files.Try(files.OS{}, folder+"/out"),
		"create files in /sys: ": files.TryFolder(files.OS{}, folder+"/out"),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
