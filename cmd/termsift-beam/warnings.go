package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// A warningsHandler prints the warnings of a job, and nothing else of Beam's log: an error comes in
// it five times, with the stages that it went through, and as the error of the job once more.
type warningsHandler struct {
	mu sync.Mutex
	w  io.Writer
}

// Enabled implements [slog.Handler].
func (h *warningsHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level == slog.LevelWarn
}

// Handle implements [slog.Handler].
func (h *warningsHandler) Handle(_ context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := fmt.Fprintf(h.w, "termsift-beam: warning: %s\n", strings.TrimPrefix(r.Message, "[SDK] "))
	return err
}

// WithAttrs implements [slog.Handler].
func (h *warningsHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements [slog.Handler].
func (h *warningsHandler) WithGroup(string) slog.Handler { return h }
