package browsertest

import (
	"encoding/base64"
	"os"
	"path/filepath"
)

// This file keeps what pages look like.

// pictures is the folder of pictures, "" if none are wanted.
func pictures() string { return os.Getenv("TERMSIFT_SCREENSHOTS") }

// Pictures reports whether pictures are kept.
func Pictures() bool { return pictures() != "" }

// Picture keeps a picture of the whole page, as name.png in the folder of
// TERMSIFT_SCREENSHOTS, if that is set.
func (b *Browser) Picture(name string) {
	b.t.Helper()
	b.picture(name, true)
}

// WindowPicture is Picture of what the window shows.
func (b *Browser) WindowPicture(name string) {
	b.t.Helper()
	b.picture(name, false)
}

func (b *Browser) picture(name string, whole bool) {
	b.t.Helper()
	if !Pictures() {
		return
	}
	var shot struct {
		Data string `json:"data"`
	}
	b.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole}, &shot)
	b.keep(name+".png", shot.Data)
}

// PDF prints the page, keeps it as a picture is kept, and returns its bytes.
func (b *Browser) PDF(name string) []byte {
	b.t.Helper()
	var printed struct {
		Data string `json:"data"`
	}
	b.call("Page.printToPDF", map[string]any{"preferCSSPageSize": true, "printBackground": false}, &printed)
	if Pictures() {
		b.keep(name+".pdf", printed.Data)
	}
	pdf, err := base64.StdEncoding.DecodeString(printed.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return pdf
}

func (b *Browser) keep(name, data string) {
	b.t.Helper()
	content, err := base64.StdEncoding.DecodeString(data)
	if err == nil {
		err = os.WriteFile(filepath.Join(pictures(), name), content, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
