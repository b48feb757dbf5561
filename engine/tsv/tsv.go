// Package tsv writes and reads the fields of tab-separated text.
//
// [Escape] and [FormatValue] make fields of text and of float64, [Unescape] and [ParseValue]
// read them, and [Lines] reads a file line by line. The package does not know any file's
// columns.
package tsv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

// FormatValue returns the shortest text that [ParseValue] reads as v: inf and -inf for the
// infinities, null for NaN.
func FormatValue(v float64) string { return string(AppendValue(nil, v)) }

// AppendValue appends what FormatValue returns.
func AppendValue(to []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(to, "null"...)
	case math.IsInf(v, 1):
		return append(to, "inf"...)
	case math.IsInf(v, -1):
		return append(to, "-inf"...)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}

var (
	escaper   = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	unescaper = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")
)

// Escape returns s with tab, newline, carriage return and backslash as \t, \n, \r and \\.
func Escape(s string) string { return escaper.Replace(s) }

// Unescape returns the text that Escape has been given. A backslash before anything else stays.
func Unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return unescaper.Replace(s)
}

// ParseValue parses what FormatValue has returned.
func ParseValue(s string) (float64, error) {
	if s == "null" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(s, 64)
}

// LongestLine is the greatest number of bytes of a line, because a device may not end.
const LongestLine = 64 << 20

// Lines calls f for every line of r without its end until f returns an error, which Lines
// returns. An error of r is returned behind name; that of a line of more than 64 MiB wraps
// [usage.ErrData] and says which line.
func Lines(r io.Reader, name string, f func(line string) error) error {
	if f == nil {
		return usage.Errorf("a nil function was given")
	}
	return WholeLines(r, name, func(line []byte) error {
		return f(string(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))))
	})
}

// WholeLines is Lines with the bytes that end each line. f must not keep the line.
func WholeLines(r io.Reader, name string, f func(line []byte) error) error {
	if r == nil || f == nil {
		return usage.Errorf("a nil reader or function was given")
	}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, LongestLine)
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i+1], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	line := 1
	for ; scanner.Scan(); line++ {
		if err := f(scanner.Bytes()); err != nil {
			return err
		}
	}
	err := scanner.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return usage.NewError(usage.ErrData, fmt.Sprintf("%s:%d: the line has more than %d MiB; no file that termsift writes has such a line", name, line, LongestLine>>20))
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
