package reader

import (
	"context"
	"io"

	"github.com/termsift/termsift/engine/usage"
)

// From returns the source of a stream that is no file of this machine, such as an object of a
// store. Documents and errors call it by name, as those of a file of that name: the same
// bytes under the same name give the same documents, with the same input hash. The stream is
// read ahead to its end, bounded by MaxInput, and not closed; a read that blocks may outlive
// an interrupted stream. Options.Stdin has no meaning here.
func From(ctx context.Context, name string, r io.Reader, opt Options) (*Source, error) {
	switch {
	case r == nil:
		return nil, usage.Errorf("a nil reader was given")
	case name == "":
		return nil, usage.Errorf("the stream has no name, by which its documents are called")
	}
	opt.Stdin = r
	s, err := Read(ctx, []string{"-"}, opt)
	if err != nil {
		return nil, err
	}
	s.streamName = name
	return s, nil
}
