package charset

import (
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A message is decoded as its header says: the words of the header, the body, the text parts of a multipart body.
func TestMail(t *testing.T) {
	const alternatives = "Content-Type: multipart/alternative; boundary=\"b c\"\n\nfor old programs\n--b c\nContent-Type: text/plain; charset=utf-8\n" +
		"Content-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9=\n au lait\n--b c\nContent-Type: text/html\n\n<p>caf</p>\n--b c--\nbehind\n"
	for name, c := range map[string]struct {
		message, want   string
		leftOut, broken int
	}{
		"quoted-printable":    {"Subject: x\nContent-Type: text/plain; charset=\"iso-8859-1\"\nContent-Transfer-Encoding: Quoted-Printable\n\nca=\nf=E9 gro=DFe\n", "café große\n", 0, 0},
		"base64":              {"Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=UTF-8\n\nZ3Jvw59l\nIFfDtnJ0ZXI=\n-- \na list\n", "große Wörter-- \na list\n", 0, 0},
		"not as it says":      {"Content-Transfer-Encoding: base64\n\nplain words, not packed\n", "plain words, not packed\n", 0, 1},
		"no charset":          {"Content-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9\n", "café\n", 0, 0},
		"a charset not known": {"Content-Type: text/plain; charset=x-none\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9\n", "café\n", 0, 0},
		"Chinese":             {"Content-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: base64\n\n1tDOxA==\n", "中文", 0, 0},
		"Japanese":            {"Content-Type: text/plain; charset=iso-2022-jp\nContent-Transfer-Encoding: quoted-printable\n\n=1B$BF|K\\=1B(B\n", "日本\n", 0, 0},
		"lines of Windows":    {"Content-Transfer-Encoding: quoted-printable\r\nX: y\r\n\r\ncaf=C3=A9=\r\nteria\r\n", "caféteria\r\n", 0, 0},
		"alternatives":        {alternatives, "café au lait", 1, 0},
		"parts in parts": {"Content-Type: multipart/mixed; boundary=o\n\n--o\n" + alternatives + "--o\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBO\n" +
			"--o\n\na part without a header\n--o--\n", "café au lait\na part without a header\n", 2, 0},
		"a message in one": {"Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: message/rfc822\n\nSubject: =?utf-8?q?caf=C3=A9?=\n\ninner\n--o--\n", "Subject: café\n\ninner\n", 0, 0},
		"no end":           {"Content-Type: multipart/mixed; boundary=o\n\n--o\n\none\n--o\n\ntwo", "one\ntwo", 0, 0},
		"no boundary":      {"Content-Type: multipart/mixed\n\nwords\n", "words\n", 0, 0},
		"an image alone":   {"Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\nR0lG\n", "", 1, 0},
	} {
		d := Decoder{Charset: Auto}
		text, leftOut, broken, ok := d.Mail([]byte(c.message))
		testkit.Equal(t, ok, true, name)
		_, body, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n\r\n", "\n\n"), "\n\n")
		testkit.Equal(t, strings.TrimRight(body, "\r\n"), strings.TrimRight(c.want, "\r\n"), name)
		testkit.Equal(t, leftOut, c.leftOut, name, "left out")
		testkit.Equal(t, broken, c.broken, name, "broken")
	}
}

// Encoded words stand for their letters, and their line is one; other lines of the header stay.
func TestWordsOfMail(t *testing.T) {
	for name, c := range map[string][2]string{
		"of bytes":          {"Subject: =?utf-8?B?Z3Jvw59l?= x\nFrom: a@b\n", "Subject: große x\nFrom: a@b\n"},
		"over lines":        {"Subject: =?utf-8?q?gro=C3=9F?=\n =?utf-8?q?e_W?= =?iso-8859-1?Q?=F6rter?=\nFrom: =?koi8-r?B?7cnS?= <a@b>\n", "Subject: große Wörter\nFrom: Мир <a@b>\n"},
		"with a line end":   {"Subject: =?utf-8?q?a=0Ab?=\nX: y\n", "Subject: a b\nX: y\n"},
		"of no charset":     {"X: =?utf-8?q?=C3=A9?=\nSubject: =?x-none?q?a?=\n", "X: é\nSubject: =?x-none?q?a?=\n"},
		"behind From":       {"From ada Thu Aug 22 12:36:23 2002\nSubject: =?utf-8?q?=C3=A9?=\n", "From ada Thu Aug 22 12:36:23 2002\nSubject: é\n"},
		"bytes beside them": {"From: Ren\xe9\nSubject: =?utf-8?q?=C3=A9?=\n", "From: René\nSubject: é\n"},
	} {
		d := Decoder{Charset: Auto}
		text, _, _, ok := d.Mail([]byte(c[0] + "\nthe body\n"))
		testkit.Equal(t, ok, true, name)
		testkit.Equal(t, strings.TrimRight(string(text), "\n"), c[1]+"\nthe body", name)
	}
}

// What is no mail, or says nothing of an encoding, is left to others: to the byte.
func TestNoMail(t *testing.T) {
	for _, text := range []string{
		"", "words", "=?utf-8?q?a?=\n\nx", "From: a@b\nSubject: x=?\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\ncaf\xe9",
		"Note: this\nis a text, and no header\n\n=C3=A9", "From here on\n\ntext", "Content-Type: setext/plain; charset=ascii_827\n\nx", "\n\nx", "a:",
		"Subject: what=?\nX: is?=\n\nx",
	} {
		d := Decoder{Charset: Auto}
		if utf, _, _, ok := d.Mail([]byte(text)); ok {
			t.Errorf("%q: %q", text, utf)
		}
	}
}

func FuzzMail(f *testing.F) {
	f.Add("Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: message/rfc822\n\nSubject: =?utf-8?q?=C3?=\n\nx\n--o--\n")
	f.Add("Content-Transfer-Encoding: base64\n\nZ3Jv=w59l")
	f.Fuzz(func(t *testing.T, text string) {
		d := Decoder{Charset: Auto}
		if utf, _, _, ok := d.Mail([]byte(text)); ok && len(utf) > 4*len(text)+100 {
			t.Fatalf("%d bytes from %d", len(utf), len(text))
		}
	})
}
