package projection

import "encoding/json"

// An Alpha is a share, or the paper's where none was set: the zero Alpha is 0.5. In JSON
// it is a number, or null where it was not set.
type Alpha struct {
	share float64
	set   bool
}

// AlphaOf makes an Alpha of a share, which 0 is as well as any other.
func AlphaOf(share float64) Alpha { return Alpha{share, true} }

// Value is the share.
func (a Alpha) Value() float64 {
	if !a.set {
		return .5
	}
	return a.share
}

// MarshalJSON implements [json.Marshaler].
func (a Alpha) MarshalJSON() ([]byte, error) {
	if !a.set {
		return []byte("null"), nil
	}
	return json.Marshal(a.share)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (a *Alpha) UnmarshalJSON(text []byte) error {
	var share *float64
	if err := json.Unmarshal(text, &share); err != nil {
		return err
	}
	*a = Alpha{}
	if share != nil {
		*a = AlphaOf(*share)
	}
	return nil
}
