package projection_test

import (
	"encoding/json"
	"testing"

	"github.com/termsift/termsift/engine/projection"
)

// An alpha goes through JSON as the number that it is, and as null where none was set.
func TestAlpha(t *testing.T) {
	for text, want := range map[string]projection.Alpha{
		"null": {}, "0": projection.AlphaOf(0), "0.1": projection.AlphaOf(.1), "0.5": projection.AlphaOf(.5),
	} {
		written, err := json.Marshal(want)
		if err != nil || string(written) != text {
			t.Errorf("%v is written as %s, want %s: %v", want, written, text, err)
		}
		read := projection.AlphaOf(7)
		if err := json.Unmarshal([]byte(text), &read); err != nil || read != want {
			t.Errorf("%s is read as %v: %v", text, read, err)
		}
	}
	if v := (projection.Alpha{}).Value(); v != .5 {
		t.Errorf("the default is %v", v)
	}
	var o projection.Options
	if err := json.Unmarshal([]byte(`{"Alpha": "much"}`), &o); err == nil {
		t.Error("a text is no alpha")
	}
}
