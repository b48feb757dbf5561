package prepare

// White reports whether a character is white space to Python: to \s of its re and to str.split.
func White(r rune) bool {
	switch {
	case '\t' <= r && r <= '\r', 0x1C <= r && r <= ' ', 0x2000 <= r && r <= 0x200A:
		return true
	}
	switch r {
	case 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return false
}
