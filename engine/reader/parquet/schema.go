package parquet

import (
	"fmt"
	"strings"
)

// A Kind is what the values of a column are.
type Kind int

// The kinds. Values of Int and Uint are whole numbers, those of Uint without a sign; Bool is 1
// for true; of Float32 and Float64 there are the bits.
const (
	None Kind = iota // not read
	Bytes
	Int
	Uint
	Bool
	Float32
	Float64
)

// A Column is a leaf of the schema.
type Column struct {
	// Name is the path to the column, its parts joined by dots. The groups that make a
	// list of a column are no part of it.
	Name string
	Kind Kind
	List bool // of values; otherwise a row has one or none

	refused  string // why it is not read; "" if it is
	physical physicalType
	// A value is there at the level maxDef, and an element of a list from listDef on.
	// maxRep is 1 for a list.
	maxDef, maxRep, listDef int
}

// Check returns an error if the column cannot be read.
func (c *Column) Check() error {
	if c.refused == "" {
		return nil
	}
	return notRead("cast it to text, a number or a list of these", "the column %.80q is %s", c.Name, c.refused)
}

// A physicalType is how values are stored.
type physicalType int64

const (
	typeInt32 physicalType = 1
	typeFloat physicalType = 4
)

// physicalTypes has the physical types by their numbers, and what values are that they store; None
// = they are not read.
var physicalTypes = [...]struct {
	name string
	kind Kind
}{
	{"BOOLEAN", Bool},
	{"INT32", Int},
	{"INT64", Int},
	{"INT96", None},
	{"FLOAT", Float32},
	{"DOUBLE", Float64},
	{"BYTE_ARRAY", Bytes},
	{"FIXED_LEN_BYTE_ARRAY", None},
}

// The repetitions of an element of the schema.
const (
	required = 0
	optional = 1
	repeated = 2
)

// An element is a node of the schema, which is a list in the order of a walk.
type element struct {
	name       string
	physical   int64
	repetition int64
	children   int64
	converted  int64 // -1 = none
	logical    int64 // number of the logical type, 0 = none
	unsigned   bool  // of a logical integer
}

// mostDeep bounds the groups that a column is in.
const mostDeep = 100

// A schema is the elements of a footer.
type schema struct {
	elements []element
	leaves   []Column
	most     int // columns
	at       int // the element that is read next
	err      error
}

// read reads the elements. The groups of a column are as many as those of a list, or fewer, but
// for odd files.
func (s *schema) read(t *thriftReader, kind thriftKind, columns int) {
	s.elements, s.most = nil, columns
	t.structures(kind, func() {
		if len(s.elements) > 4*columns {
			t.err = s.tooMany()
			return
		}
		s.elements = append(s.elements, readElement(t))
	})
}

func (s *schema) tooMany() error {
	return &Error{
		Problem: fmt.Sprintf("the schema has more than %d columns", s.most),
		Remedy:  "is another file meant? --max-fields raises the limit",
	}
}

func readElement(t *thriftReader) element {
	e := element{physical: -1, converted: -1}
	var name []byte
	t.record(fields{
		1: number(t, &e.physical), 3: number(t, &e.repetition), 4: t.text(&name), 5: number(t, &e.children), 6: number(t, &e.converted),
		10: func(kind thriftKind) { e.readLogical(t, kind) },
	})
	e.name = strings.ToValidUTF8(string(name), "\ufffd")
	return e
}

// readLogical reads a logical type: a structure of the one field that is the type.
func (e *element) readLogical(t *thriftReader, kind thriftKind) {
	if kind != thriftStruct {
		t.fail("a logical type should stand here")
		return
	}
	t.structure(func(id int64, kind thriftKind) {
		e.logical = id
		if id != logicalInteger || kind != thriftStruct {
			t.skip(kind)
			return
		}
		t.record(fields{2: t.isFalse(&e.unsigned)})
	})
}

// A branch is what is known of the groups above an element.
type branch struct {
	names            []string
	def, rep         int
	listDef          int
	list             []string // the name of the column, below a list's repeated group
	refused          string
	annotated, alone bool // the group above is annotated as a list; the element is its only child
}

// columns turns the elements into columns.
func (s *schema) columns() ([]Column, error) {
	if len(s.elements) == 0 {
		return nil, damaged("the footer has no schema")
	}
	root := s.elements[0]
	s.at = 1
	for range root.children {
		s.walk(branch{}, 0)
		if s.err != nil {
			return nil, s.err
		}
	}
	if s.at != len(s.elements) {
		return nil, damaged("the schema has %d elements, and %d are in its tree", len(s.elements), s.at)
	}
	return s.leaves, nil
}

// walk reads the element that is next and those below it.
func (s *schema) walk(above branch, depth int) {
	switch {
	case s.err != nil:
		return
	case s.at >= len(s.elements):
		s.err = damaged("the schema breaks off")
		return
	case depth > mostDeep:
		s.err = damaged("the schema is nested deeper than %d", mostDeep)
		return
	}
	e := s.elements[s.at]
	s.at++
	here := above.enter(e)
	if e.children == 0 {
		if s.leaves = append(s.leaves, here.leaf(e)); len(s.leaves) > s.most {
			s.err = s.tooMany()
		}
		return
	}
	here.annotated = e.converted == convertedList || e.logical == logicalList
	here.alone = e.children == 1
	for i := int64(0); i < e.children && s.err == nil; i++ {
		s.walk(here, depth+1)
	}
}

// enter returns the branch below an element.
func (b branch) enter(e element) branch {
	here := b
	here.names = append(b.names[:len(b.names):len(b.names)], e.name)
	switch e.repetition {
	case required:
	case optional:
		here.def++
	case repeated:
		here.def++
		here.rep++
		here.listDef = here.def
		here.list = here.names
		if b.annotated {
			here.list = b.names
		}
		if here.rep > 1 {
			here.refused = "a list of lists"
		}
	default:
		here.refused = fmt.Sprintf("of the unknown repetition %d", e.repetition)
	}
	if b.rep > 0 && here.refused == "" && (e.children > 0 || !b.alone) {
		here.refused = "a list of structures, or a map"
	}
	return here
}

// leaf returns the column of an element without children, to which the branch leads.
func (b branch) leaf(e element) Column {
	c := Column{
		physical: physicalType(e.physical), maxDef: b.def, maxRep: b.rep, listDef: b.listDef,
		List: b.rep > 0, refused: b.refused, Name: strings.Join(b.names, "."),
	}
	if c.List && b.refused == "" {
		c.Name = strings.Join(b.list, ".")
	}
	if c.refused == "" {
		c.Kind, c.refused = e.kind()
	}
	return c
}

// The types, converted or logical, that tell something.
const (
	convertedUTF8, convertedEnum, convertedJSON = 0, 4, 19
	convertedList                               = 3
	convertedUint8, convertedUint64             = 11, 14
	convertedInt8, convertedInt64               = 15, 18
	logicalString, logicalList, logicalEnum     = 1, 3, 4
	logicalInteger, logicalUnknown, logicalJSON = 10, 11, 12
)

// kind returns what the values of an element are, or why they are not read.
func (e *element) kind() (kind Kind, refused string) {
	if e.physical < 0 || e.physical >= int64(len(physicalTypes)) {
		return None, fmt.Sprintf("of the unknown type %d", e.physical)
	}
	physical := physicalTypes[e.physical]
	kind = physical.kind
	switch means := e.meaning(kind); {
	case means != "":
		return None, "a " + means
	case kind == None:
		return None, "of the type " + physical.name
	case kind == Int && (e.unsigned || convertedUint8 <= e.converted && e.converted <= convertedUint64):
		return Uint, ""
	}
	return kind, ""
}

// meaning returns what values are that are stored as a kind and are none, such as dates; ""
// if they are.
func (e *element) meaning(kind Kind) string {
	switch e.logical {
	case 0, logicalUnknown:
	case logicalString, logicalEnum, logicalJSON:
		if kind == Bytes {
			return ""
		}
	case logicalInteger:
		if kind == Int || kind == Uint {
			return ""
		}
	default:
		return nameOf(logicalNames, e.logical, "logical type")
	}
	switch c := e.converted; {
	case c == -1:
	case c == convertedUTF8 || c == convertedEnum || c == convertedJSON:
	case convertedUint8 <= c && c <= convertedInt64:
	default:
		return nameOf(convertedNames, c, "converted type")
	}
	return ""
}

// logicalNames and convertedNames have the types that are not read.
var (
	logicalNames = map[int64]string{
		2: "map", 3: "list", 5: "decimal", 6: "date", 7: "time of day", 8: "time", 13: "BSON document", 14: "UUID", 15: "FLOAT16",
		16: "variant", 17: "geometry", 18: "geography",
	}
	convertedNames = map[int64]string{
		1: "map", 2: "map", 3: "list", 5: "decimal", 6: "date", 7: "time of day", 8: "time of day", 9: "time", 10: "time",
		20: "BSON document", 21: "interval",
	}
)

func nameOf(names map[int64]string, number int64, what string) string {
	if name, ok := names[number]; ok {
		return name
	}
	return fmt.Sprintf("value of the %s %d", what, number)
}
