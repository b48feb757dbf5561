//go:build !cgo || !(unix || windows)

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "libtermsift: this is a library for C, built with a C compiler by go build -buildmode=c-shared; see its README.md")
	os.Exit(2)
}
