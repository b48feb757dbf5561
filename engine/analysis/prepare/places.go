package prepare

import (
	"unicode"
	"unicode/utf8"
)

// Places returns a text as [Folder.Text] does, and for each of its bytes the place of the character it
// comes from: it begins at from[i] and ends before to[i]. It is slow.
func (f *Folder) Places(text []byte) (final []byte, from, to []int) {
	known, _ := f.Version.hide(text) // has the same characters, but for those that are newer
	for at, place := 0, 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		_, knownSize := utf8.DecodeRune(known[place:])
		parts := f.foldRune(r, size, known, place)
		for range parts {
			from, to = append(from, at), append(to, at+size)
		}
		final = append(final, parts...)
		at, place = at+size, place+knownSize
	}
	return final, from, to
}

// foldRune returns what becomes of the character at a place of a text.
func (f *Folder) foldRune(r rune, size int, text []byte, at int) (parts []byte) {
	switch {
	case r == utf8.RuneError:
		parts = f.appendError(nil, text[at:at+size])
	case !f.Version.Has(r) && f.Words:
		return utf8.AppendRune(nil, hidden)
	case !f.Version.Has(r) && f.Accents == asciiOnly:
		return nil
	case !f.Version.Has(r), f.KeepCase:
		parts = utf8.AppendRune(nil, r)
	case r == 'İ':
		parts = []byte("i\u0307")
	case r == 'Σ':
		parts = utf8.AppendRune(nil, SmallSigma(text, at))
	default:
		parts = utf8.AppendRune(nil, unicode.ToLower(r))
	}
	if f.Accents == "" || !f.Version.Has(r) {
		return parts
	}
	return stripAccents(nil, parts, f.Accents == asciiOnly)
}
