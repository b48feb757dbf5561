package reader

import (
	"io"
	"os"

	"github.com/termsift/termsift/engine/document"
)

// Unpack decompresses the inputs that are compressed files and drops what comes out. It
// returns the number of bytes, 0 if no input is compressed. So it takes the part of the
// time of reading that is decompression. It leaves out directories, pipes and what is
// compressed within an archive.
func (s *Source) Unpack() (int64, error) {
	total := int64(0)
	for _, input := range s.inputs {
		n, err := s.unpack(input)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// unpack is Unpack for one input.
func (s *Source) unpack(input string) (int64, error) {
	if input == "-" {
		return 0, nil
	}
	if info, err := os.Stat(input); err != nil || !info.Mode().IsRegular() {
		return 0, err
	}
	file, err := os.Open(input)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	packed := buffered(inputReader{s.ctx, input, file, &s.meter})
	defer recycle(packed)
	pos := document.Position{File: input}
	in, closing, err := s.decompressed(pos, &s.meter, packed)
	if err != nil {
		return 0, err
	}
	defer closing()
	if in == packed {
		return 0, nil // it is not compressed
	}
	n, err := io.Copy(io.Discard, in)
	if err != nil {
		return 0, s.failure(pos, "the input breaks off", err)
	}
	return n, nil
}
