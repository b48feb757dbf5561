package main

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Files of statistics travel compressed. With 61,048 classes they take 0.4 of their bytes then, at
// 260 MB/s; prism has five copies of what travels in memory, other runners send it to other machines.

var encoder = sync.OnceValue(func() *zstd.Encoder {
	return made(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)))
})

var decoder = sync.OnceValue(func() *zstd.Decoder {
	return made(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0)))
})

func made[T any](v T, err error) T {
	if err != nil {
		panic(err) // no option is wrong
	}
	return v
}

// pack compresses a file.
func pack(file []byte) []byte { return encoder().EncodeAll(file, nil) }

// unpack returns the file that pack has compressed.
func unpack(packed []byte) ([]byte, error) {
	file, err := decoder().DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("statistics that came to the worker changed: %w", err)
	}
	return file, nil
}
