package charset

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

// The names of encodings that are told apart.
const (
	ASCII   = "ascii"
	UTF8    = "utf-8"
	Latin1  = "latin-1"
	GB18030 = "gb18030"

	BareUTF16   = "utf-16 without a mark"
	PoorUTF8    = "utf-8 with malformed bytes" // of a text in a file that is UTF-8
	CP437       = "cp437"                      // of the names in a zip that says nothing of them
	markedUTF16 = "utf-16"
)

// Auto is the name of the charset that is found out.
const Auto = "auto"

// Mark is the byte order mark of UTF-8.
var Mark = []byte("\xef\xbb\xbf")

// known lists what texts can be in, besides UTF-8, by the names of WHATWG's Encoding
// Standard. There latin-1 is called windows-1252, which has it as a label, and gbk is
// decoded as gb18030.
var known = []string{
	Latin1, GB18030, "big5", "euc-jp", "euc-kr", "ibm866", "iso-2022-jp",
	"iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i",
	"iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh", "shift_jis",
	"utf-16be", "utf-16le", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
	"windows-1257", "windows-1258", "windows-874", "x-mac-cyrillic",
}

// Names lists the values of Options.Charset, without the other labels that they have.
func Names() []string { return append([]string{Auto, UTF8}, known...) }

// Parse returns the name in Names of a label of WHATWG's Encoding Standard: latin-1
// for iso-8859-1, cp1252 and windows-1252. "" is auto. Case and white space around do not
// count, nor hyphens and underscores where they are the only difference.
func Parse(label string) (string, error) {
	label = strings.ToLower(strings.TrimSpace(label))
	if label == "" || label == Auto {
		return Auto, nil
	}
	for _, spelling := range []string{label, strings.ReplaceAll(label, "_", "-"), strings.NewReplacer("-", "", "_", "").Replace(label)} {
		e, err := htmlindex.Get(spelling)
		if err != nil {
			continue
		}
		if name, err := htmlindex.Name(e); err == nil {
			if name = ownName(name); slices.Contains(Names(), name) {
				return name, nil
			}
		}
	}
	return "", usage.Unknown("charset", label, Names())
}

// ownName returns the name that a charset of WHATWG's has here.
func ownName(name string) string {
	switch name {
	case "windows-1252":
		return Latin1
	case "gbk":
		return GB18030
	}
	return name
}

// encodingNamed returns the encoding of a name in known.
func encodingNamed(name string) encoding.Encoding {
	switch name {
	case Latin1:
		return charmap.Windows1252
	case CP437:
		return charmap.CodePage437
	case markedUTF16, "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		panic(err) // known has it
	}
	return e
}

// decodedWhole reports whether a charset is decoded before an input is divided, because a
// byte below 128 need not be the character of ASCII there.
func decodedWhole(charset string) bool {
	return strings.HasPrefix(charset, markedUTF16) || charset == "iso-2022-jp"
}

// TrailsASCII reports whether the last byte of a character can be that of a letter, brace or
// backslash of ASCII.
func TrailsASCII(charset string) bool {
	return charset == GB18030 || charset == "big5" || charset == "shift_jis"
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
