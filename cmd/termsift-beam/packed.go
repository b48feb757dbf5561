package main

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Files of statistics travel compressed. With 61,048 classes they take 0.4 of their bytes then, at
// 260 MB/s; prism has five copies of what travels in memory, other runners send it to other machines.

var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
})

var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
})

// pack compresses a file.
func pack(file []byte) ([]byte, error) {
	e, err := encoder()
	if err != nil {
		return nil, err
	}
	return e.EncodeAll(file, nil), nil
}

// unpack returns the file that pack has compressed.
func unpack(packed []byte) ([]byte, error) {
	d, err := decoder()
	if err != nil {
		return nil, err
	}
	file, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("statistics that came to the worker changed: %w", err)
	}
	return file, nil
}
