package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// A scanner cuts a formula into tokens.
type scanner struct {
	text   string
	at, to int   // where the token at hand begins and ends
	token  token // it
}

type token struct {
	kind tokenKind
	text string
}

type tokenKind uint8

const (
	end tokenKind = iota
	number
	name
	sign
)

// is reports whether the token at hand is a sign.
func (s *scanner) is(text string) bool { return s.token == token{sign, text} }

// wrong returns an error at the token at hand.
func (s *scanner) wrong(format string, args ...any) error {
	return &Error{Text: s.text, At: s.at, Problem: usage.Errorf(format, args...)}
}

// next reads the next token.
func (s *scanner) next() error {
	s.at = s.to + len(s.text[s.to:]) - len(strings.TrimLeft(s.text[s.to:], " \t\r\n"))
	rest := s.text[s.at:]
	kind, length := end, 0
	switch {
	case rest == "":
	case isDigit(rest[0]) || rest[0] == '.' && len(rest) > 1 && isDigit(rest[1]):
		kind, length = number, numberLength(rest)
	case isLetter(rest[0]):
		kind, length = name, run(rest, func(b byte) bool { return isLetter(b) || isDigit(b) })
	default:
		if length = signLength(rest); length == 0 {
			return s.foreign(rest)
		}
		kind = sign
	}
	s.to = s.at + length
	s.token = token{kind, rest[:length]}
	return nil
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_' }

// run returns how many bytes at the beginning of a text are of a kind.
func run(text string, of func(b byte) bool) int {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

// numberLength returns the length of the number that a text begins with.
func numberLength(text string) int {
	n := run(text, isDigit)
	if n < len(text) && text[n] == '.' {
		n += 1 + run(text[n+1:], isDigit)
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		exponent := n + 1
		if exponent < len(text) && (text[exponent] == '-' || text[exponent] == '+') {
			exponent++
		}
		if digits := run(text[exponent:], isDigit); digits > 0 {
			return exponent + digits
		}
	}
	return n
}

// signLength returns the length of the sign that a text begins with, or 0.
func signLength(text string) int {
	for _, long := range [...]string{"<=", ">=", "==", "!="} {
		if strings.HasPrefix(text, long) {
			return len(long)
		}
	}
	if strings.HasPrefix(text, "**") || !strings.Contains("+-*/^(),<>", text[:1]) {
		return 0
	}
	return 1
}

// foreign returns the error for a character that is none of the language.
func (s *scanner) foreign(rest string) error {
	if strings.HasPrefix(rest, "**") {
		return s.wrong("write ^ for a power, not **")
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch ours := instead[r]; {
	case r == utf8.RuneError && size == 1:
		return s.wrong("byte %#02x is not UTF-8", rest[0])
	case r == '=':
		return s.wrong("write == to compare: = stands once, behind the name of the formula")
	case ours != "":
		return s.wrong("write %s for %q (%U)", ours, r, r)
	case unicode.IsPrint(r):
		return s.wrong("%q is not part of a formula", r)
	}
	return s.wrong("%U is not part of a formula", r)
}

// instead has what to write for characters that people paste from papers.
var instead = map[rune]string{
	'−': "-", '–': "-", '—': "-", '‐': "-", '－': "-", '×': "*", '·': "*", '⋅': "*", '∗': "*", '∙': "*", '•': "*", '＊': "*",
	'÷': "/", '∕': "/", '⁄': "/", '／': "/", '＋': "+", '≤': "<=", '≥': ">=", '≠': "!=", '＝': "==", '²': "^2", '³': "^3",
	'√': "sqrt(...)", 'Φ': "Phi(...)", 'φ': "Phi(...)", '（': "(", '）': ")", '，': ",", '[': "(", ']': ")", '{': "(", '}': ")",
	'\u00a0': "a space", '\u3000': "a space", '|': "abs(...)",
}
