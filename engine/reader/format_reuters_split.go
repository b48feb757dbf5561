package reader

// A reutersTag has the attributes of a document's tag that are used, as written. Three of
// them say to which part of which split the document belongs, as the README of
// Reuters-21578 defines them.
type reutersTag struct {
	topics     []byte // whether it was labelled: YES, NO or BYPASS; not whether it has labels
	lewisSplit []byte
	cgiSplit   []byte
	newID      []byte
}

// reutersTagOf returns the tag of a document and what follows it. It is not ok if the tag
// has no end.
func reutersTagOf(data []byte) (t reutersTag, inside []byte, ok bool) {
	rest := data[len("<REUTERS"):]
	for {
		var name, value []byte
		if name, value, rest = attribute(rest); len(name) == 0 {
			break
		}
		switch {
		case equalFold(name, "TOPICS"):
			t.topics = value
		case equalFold(name, "LEWISSPLIT"):
			t.lewisSplit = value
		case equalFold(name, "CGISPLIT"):
			t.cgiSplit = value
		case equalFold(name, "NEWID"):
			t.newID = value
		}
	}
	if len(rest) == 0 || rest[0] != '>' {
		return t, nil, false
	}
	return t, rest[1:], true
}

// reutersSplit returns the part that a document is in and whether the options ask for it.
func (p *parser) reutersSplit(t *reutersTag) (part string, wanted bool) {
	part, known := t.part(p.s.opt.ReutersSplit)
	if p.s.opt.Split == "" {
		return part, true
	}
	p.tally.splits[part] = true
	if !known && part != p.s.opt.Split {
		p.tally.skipped["document whose attributes are of no split"]++
	}
	return part, part == p.s.opt.Split
}

// part returns the part of a split that a document is in. If an attribute has a value that
// the collection does not have, the part is "unused" and not known.
func (t *reutersTag) part(split string) (part string, known bool) {
	if split == "modhayes" {
		switch {
		case equalFold(t.cgiSplit, "TRAINING-SET"):
			return "train", true
		case equalFold(t.cgiSplit, "PUBLISHED-TESTSET"):
			return "test", true
		}
		return "unused", false
	}
	yes, no := equalFold(t.topics, "YES"), equalFold(t.topics, "NO")
	used := yes || no && split == "modlewis"
	known = yes || no || equalFold(t.topics, "BYPASS")
	switch {
	case equalFold(t.lewisSplit, "TRAIN"):
		part = "train"
	case equalFold(t.lewisSplit, "TEST"):
		part = "test"
	default:
		return "unused", known && equalFold(t.lewisSplit, "NOT-USED")
	}
	if !used {
		part = "unused"
	}
	return part, known
}
