//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// keepsLocked says whether a file stays open and locked while it is held.
const keepsLocked = true

// openLocked opens a file and locks it. It returns nil if another process has locked it.
// If the file system has no locks, the file is open but not locked.
func openLocked(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	err = lock(file)
	if errors.Is(err, unix.EBADF) { // NFS locks only what is open for writing
		if writable, openErr := os.OpenFile(path, os.O_RDWR, 0); openErr == nil {
			_ = file.Close() // nothing was written to it
			file, err = writable, lock(writable)
		}
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, file.Close()
	}
	return file, nil
}

// lock locks a file. The lock ends when the last descriptor of the open file is closed.
func lock(file *os.File) error {
	for {
		if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
