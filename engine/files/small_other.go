//go:build !unix

package files

import "os"

// A Small is a regular file that is open for reading.
type Small struct{ *os.File }

// OpenSmall opens a regular file for reading. [Small.Close] must be called.
func OpenSmall(path string) (*Small, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Small{f}, nil
}
