package reader

import (
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// This file has what JSON and CSV share: the names of fields, and what is said of those
// that are missing.

// textParts returns the names of the fields that a text is joined of, nil for one field.
func textParts(option string) []string {
	if !strings.Contains(option, ",") {
		return nil
	}
	var parts []string
	for name := range strings.SplitSeq(option, ",") {
		if name = strings.TrimSpace(name); name != "" {
			parts = append(parts, name)
		}
	}
	return parts
}

// fieldNames are the names of the fields that a document has.
type fieldNames []string

// String lists the first names for messages.
func (n fieldNames) String() string {
	const most = 20
	var b strings.Builder
	for i, name := range n[:min(len(n), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.40q", name)
	}
	if len(n) > most {
		fmt.Fprintf(&b, " and %d more", len(n)-most)
	}
	return b.String()
}

// remedy returns a remedy for a missing field, with the names most similar to it in front.
func (n fieldNames) remedy(missing, remedy string) string {
	near := usage.Nearest(strings.ToLower(missing), func(yield func(string) bool) {
		for _, name := range n {
			if !yield(strings.ToLower(name)) {
				return
			}
		}
	})
	if len(near) == 0 {
		return remedy
	}
	for i, lower := range near {
		at := slices.IndexFunc(n, func(name string) bool { return strings.ToLower(name) == lower })
		near[i] = fmt.Sprintf("%.40q", n[at])
	}
	return "did you mean " + strings.Join(slices.Compact(near), " or ") + "? " + remedy
}

// An unlabelled is the first document of a frame in which no field with labels was found.
type unlabelled struct {
	frame  int
	pos    document.Position
	fields fieldNames
}

// noLabel records a document without a field of labels, unless the frame at hand had one
// before; fields returns the names of its fields.
func (p *parser) noLabel(pos document.Position, fields func() fieldNames) {
	if p.tally.unlabelled == nil {
		p.tally.unlabelled = &unlabelled{p.frame, pos, fields()}
	}
}

// LabelHint returns the names of the fields of the first document that had no field with
// labels, and the flag that names one, or else which classes asked for were not there; "" if
// there is nothing to say. It is for the error that no
// document has a label.
func (s *Source) LabelHint() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.total.unlabelled
	if u == nil {
		return s.missingClasses()
	}
	asked, name := `"labels" or "label"`, "label"
	if s.opt.LabelField != "" {
		asked, name = fmt.Sprintf("%.40q", s.opt.LabelField), s.opt.LabelField
	}
	return fmt.Sprintf("%v has no field %s; there are %v; %s", u.pos, asked, u.fields, u.fields.remedy(name, "name the field with --label-field"))
}

// join joins the texts of the parts that a document has, each a line, until the next call. text
// gives that of a part and whether it is there; some says that one is.
func (p *parser) join(parts []string, text func(part int) ([]byte, bool, error)) (joined []byte, some bool, err error) {
	p.joined = p.joined[:0]
	for i, name := range parts {
		part, there, err := text(i)
		if err != nil {
			return nil, false, err
		}
		if !there {
			continue
		}
		if some {
			p.joined = append(p.joined, '\n')
		}
		p.joined = append(p.joined, part...)
		some = true
		if !p.tally.parts[name] {
			p.tally.parts[name] = true
		}
	}
	return p.joined, some, nil
}

// splitOf returns the split with a name, "" for none. Documents of a split follow each other, so
// the last string is reused.
func (p *parser) splitOf(name []byte) string {
	if p.split != string(name) {
		p.split = string(name)
	}
	if seen := p.tally.splits; p.s.opt.Split != "" && len(seen) < mostSplits && !seen[p.split] {
		seen[p.split] = true
	}
	return p.split
}

// mostSplits is how many splits are named where the one asked for is not there.
const mostSplits = 10

// missingParts returns the parts of joined texts that no document has had, if any has had
// another. The caller holds the lock.
func (s *Source) missingParts() []string {
	if len(s.total.parts) == 0 {
		return nil
	}
	return slices.DeleteFunc(textParts(s.opt.TextField), func(name string) bool { return s.total.parts[name] })
}
