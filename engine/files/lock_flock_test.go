//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"context"
	"errors"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestHoldCanBeInterrupted(t *testing.T) {
	path := begin(t)
	h := testkit.Must(Hold(t.Context(), path, nil))
	defer h.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	waited := 0
	if _, err := Hold(ctx, path, func() { waited++; cancel() }); !errors.Is(err, context.Canceled) || waited != 1 {
		t.Fatalf("%v, told %d times to wait", err, waited)
	}
}
