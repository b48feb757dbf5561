//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

import "os"

// keepsLocked says whether a file stays open and locked while it is held. It does not, as
// Windows cannot replace an open file.
const keepsLocked = false

// openLocked opens a file. There are no locks on this system.
func openLocked(path string) (*os.File, error) { return os.Open(path) }
