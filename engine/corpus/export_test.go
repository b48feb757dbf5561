package corpus

import (
	"context"
	"io"

	"github.com/termsift/termsift/engine/files"
)

// What tests of this package need to see.

// MergeFailing is Merge with the temporary files of a system.
func MergeFailing(ctx context.Context, w io.Writer, sys files.TemporarySystem, opt MergeOptions, corpora ...*Corpus) error {
	opt.system = sys
	return Merge(ctx, w, opt, corpora...)
}
