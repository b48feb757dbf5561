//go:build linux

package kernels

import (
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// fencedBytes gives at least n bytes between two pages that cannot be touched,
// up to both of them.
func fencedBytes(t *testing.T, n int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	size := (n + page - 1) / page * page
	room, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	testkit.OK(err)
	t.Cleanup(func() {
		testkit.OK(syscall.Munmap(room))
	})
	for _, fence := range [][]byte{room[:page], room[page+size:]} {
		testkit.OK(syscall.Mprotect(fence, syscall.PROT_NONE))
	}
	return room[page : page+size : page+size]
}
