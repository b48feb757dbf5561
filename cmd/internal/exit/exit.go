// Package exit has the exit codes of the programs. Their callers rely on them.
package exit

import (
	"context"

	"github.com/termsift/termsift/engine/usage"
)

// The exit codes.
const (
	OK          = 0
	Nothing     = 1 // nothing found, or findings of check
	Usage       = 2
	Data        = 3 // invalid input
	IO          = 4
	Corrupt     = 5 // a broken index
	Interrupted = 130
)

// Code returns the exit code for an error: that of its kind, or IO if it has none.
func Code(err error) int {
	if err == nil {
		return OK
	}
	switch usage.KindOf(err) {
	case usage.ErrCorrupt:
		return Corrupt
	case usage.ErrUsage:
		return Usage
	case usage.ErrNothing:
		return Nothing
	case usage.ErrData:
		return Data
	case context.Canceled:
		return Interrupted
	}
	return IO
}
