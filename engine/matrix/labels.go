package matrix

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/usage"
)

// documents are the documents of a matrix with their classes.
type documents struct {
	n       int
	classes []string // that have a document, by bytes
	of      []uint32 // the classes of the documents one after another, ascending within each
	start   []uint32 // documents+1
	several bool     // some document has several classes
}

// documents numbers the classes that have a document in the order of their names, and
// returns the labels in these numbers, each once a document.
func (y *Labels) documents(n int, names []string) (*documents, error) {
	d := &documents{n: n, of: make([]uint32, 0, len(y.Of)), start: make([]uint32, 1, n+1)}
	present, err := y.present()
	if err != nil {
		return nil, err
	}
	numbers, err := d.name(present, names)
	if err != nil {
		return nil, err
	}
	for doc := range n {
		from, to := y.labelsOf(doc)
		own := len(d.of)
		for _, class := range y.Of[from:to] {
			if class >= 0 {
				at, _ := slices.BinarySearch(present, class)
				d.of = append(d.of, numbers[at])
			}
		}
		slices.Sort(d.of[own:])
		d.of = d.of[:own+len(slices.Compact(d.of[own:]))]
		d.several = d.several || len(d.of)-own > 1
		d.start = append(d.start, uint32(len(d.of)))
	}
	return d, nil
}

// labelsOf returns the range of the labels of a document.
func (y *Labels) labelsOf(doc int) (from, to int) {
	if y.Start == nil {
		return doc, doc + 1
	}
	return int(y.Start[doc]), int(y.Start[doc+1])
}

// present returns the classes that have a document, ascending.
func (y *Labels) present() ([]int32, error) {
	from, to := 0, len(y.Of)
	if y.Start != nil {
		from, to = int(y.Start[0]), int(y.Start[len(y.Start)-1])
	}
	classes := slices.Clone(y.Of[from:to])
	for i, class := range classes {
		if class < -1 || int(class) >= y.Classes {
			return nil, fmt.Errorf("matrix: Labels.Of[%d] is class %d: %w: there are %d classes, from 0, and -1 is none", from+i, class, usage.ErrData, y.Classes)
		}
	}
	slices.Sort(classes)
	classes = slices.Compact(classes)
	if len(classes) > 0 && classes[0] == -1 {
		classes = classes[1:]
	}
	if len(classes) == 0 {
		return nil, fmt.Errorf("matrix: Labels.Of: %w: none of the documents has a class", usage.ErrData)
	}
	return classes, nil
}

// name sets the names of the classes that are present. It returns, for each of them, its
// number in the order of the names.
func (d *documents) name(present []int32, names []string) (numbers []uint32, err error) {
	named := make([]string, len(present))
	for i, class := range present {
		if named[i] = strconv.Itoa(int(class)); names != nil {
			named[i] = names[class]
		}
		if err := checkClassName(class, named[i]); err != nil {
			return nil, err
		}
	}
	order := make([]int, len(present))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(named[i], named[j]) })
	numbers = make([]uint32, len(present))
	for number, i := range order {
		if number > 0 && named[i] == d.classes[number-1] {
			return nil, usage.Errorf("matrix: Options.Classes has %q twice; names must differ", usage.Cut(named[i]))
		}
		numbers[i] = uint32(number)
		d.classes = append(d.classes, named[i])
	}
	return numbers, nil
}
