package reader

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/termsift/termsift/engine/usage"
)

// The names of encodings that this package itself tells apart.
const (
	inASCII   = "ascii"
	inUTF8    = "utf-8"
	inUTF16   = "utf-16"
	inLatin1  = "latin-1"
	inGB18030 = "gb18030"

	inBareUTF16 = "utf-16 without a mark"
	inPoorUTF8  = "utf-8 with malformed bytes" // of a text in a file that is UTF-8
)

// charsets lists what texts can be in, besides UTF-8, by the names of WHATWG's Encoding
// Standard. There latin-1 is called windows-1252, which has it as a label, and gbk is
// decoded as gb18030.
var charsets = []string{
	inLatin1, inGB18030, "big5", "euc-jp", "euc-kr", "ibm866", "iso-2022-jp",
	"iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i",
	"iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh", "shift_jis",
	"utf-16be", "utf-16le", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
	"windows-1257", "windows-1258", "windows-874", "x-mac-cyrillic",
}

// Charsets lists the values of Options.Charset, without the other labels that they have.
func Charsets() []string { return append([]string{"auto", inUTF8}, charsets...) }

// ParseCharset returns the name in Charsets of a label of WHATWG's Encoding Standard: latin-1
// for iso-8859-1, cp1252 and windows-1252. "" is auto. Case and white space around do not
// count, nor hyphens and underscores where they are the only difference.
func ParseCharset(label string) (string, error) {
	label = strings.ToLower(strings.TrimSpace(label))
	if label == "" || label == "auto" {
		return "auto", nil
	}
	for _, spelling := range []string{label, strings.ReplaceAll(label, "_", "-"), strings.NewReplacer("-", "", "_", "").Replace(label)} {
		e, err := htmlindex.Get(spelling)
		if err != nil {
			continue
		}
		if name, err := htmlindex.Name(e); err == nil {
			if name = ownName(name); slices.Contains(Charsets(), name) {
				return name, nil
			}
		}
	}
	return "", usage.Unknown("charset", label, Charsets())
}

// ownName returns the name that a charset of WHATWG's has here.
func ownName(name string) string {
	switch name {
	case "windows-1252":
		return inLatin1
	case "gbk":
		return inGB18030
	}
	return name
}

// encodingNamed returns the encoding of a name in charsets.
func encodingNamed(name string) encoding.Encoding {
	switch name {
	case inLatin1:
		return charmap.Windows1252
	case inUTF16, "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		panic(err) // charsets has it
	}
	return e
}

// decodedWhole reports whether a charset is decoded before an input is divided, because a
// byte below 128 need not be the character of ASCII there.
func decodedWhole(charset string) bool {
	return strings.HasPrefix(charset, inUTF16) || charset == "iso-2022-jp"
}

// trailsASCII reports whether the last byte of a character can be that of a letter, brace or
// backslash of ASCII.
func trailsASCII(charset string) bool {
	return charset == inGB18030 || charset == "big5" || charset == "shift_jis"
}

// singleBytes returns the characters of the bytes from 128 on, nil where they take several.
func singleBytes(e encoding.Encoding) *[128]rune {
	m, ok := e.(*charmap.Charmap)
	if !ok {
		return nil
	}
	table := new([128]rune)
	for i := range table {
		table[i] = m.DecodeByte(byte(utf8.RuneSelf + i))
		if table[i] == utf8.RuneError && i < 0x20 { // the standard has a control character there
			table[i] = rune(utf8.RuneSelf + i)
		}
	}
	return table
}
