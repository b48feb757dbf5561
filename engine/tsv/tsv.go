// Package tsv writes and reads the fields of tab-separated text.
//
// [Escape] and [FormatValue] make fields of text and of float64, [Unescape] and [ParseValue]
// read them, and [Lines] reads a file line by line. The package does not know any file's
// columns.
package tsv

import (
	"bufio"
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

// escaped and escapes are the characters that are escaped, and what stands behind the backslash
// of each.
const (
	escaped = "\\\t\n\r"
	escapes = `\tnr`
)

// Escape returns s with tab, newline, carriage return and backslash as \t, \n, \r and \\.
func Escape(s string) string {
	if !strings.ContainsAny(s, escaped) {
		return s
	}
	var out strings.Builder
	for i := range len(s) {
		if at := strings.IndexByte(escaped, s[i]); at >= 0 {
			out.WriteByte('\\')
			out.WriteByte(escapes[at])
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// Unescape returns the text that Escape has been given. A backslash before anything else stays.
func Unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if at := strings.IndexByte(escapes, s[i+1]); at >= 0 {
				out.WriteByte(escaped[at])
				i++
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// ParseValue parses what FormatValue has returned.
func ParseValue(s string) (float64, error) {
	if s == "null" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(s, 64)
}

// Lines calls f for every line of r without its end, up to 64 MiB long, until f returns an
// error, which Lines returns. An error of r is returned behind name.
func Lines(r io.Reader, name string, f func(line string) error) error {
	if r == nil || f == nil {
		return usage.Errorf("a nil reader was given")
	}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		if err := f(scanner.Text()); err != nil {
			return err
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
