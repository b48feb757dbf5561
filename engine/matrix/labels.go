package matrix

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
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
	number := numbering(y.Classes, len(y.Of), present, numbers)
	if y.Start == nil {
		d.addOneEach(y.Of, number)
	} else {
		d.addSeveral(y, number)
	}
	return d, nil
}

// numbering returns a function that gives the number of a class that is present: by a
// table, unless there are far more classes than labels.
func numbering(classes, labels int, present []int32, numbers []uint32) func(class int32) uint32 {
	if !fewClasses(classes, labels) {
		return func(class int32) uint32 {
			at, _ := slices.BinarySearch(present, class)
			return numbers[at]
		}
	}
	table := make([]uint32, classes)
	for i, class := range present {
		table[class] = numbers[i]
	}
	return func(class int32) uint32 { return table[class] }
}

// fewClasses reports whether a table of all classes is in proportion to the labels.
func fewClasses(classes, labels int) bool { return classes/4 <= labels }

// addOneEach sets the labels of documents that have one each, or none.
func (d *documents) addOneEach(classes []int32, number func(class int32) uint32) {
	for _, class := range classes {
		if class >= 0 {
			d.of = append(d.of, number(class))
		}
		d.start = append(d.start, uint32(len(d.of)))
	}
}

// addSeveral sets the labels of documents.
func (d *documents) addSeveral(y *Labels, number func(class int32) uint32) {
	for doc := range d.n {
		own := len(d.of)
		for _, class := range y.Of[y.Start[doc]:y.Start[doc+1]] {
			if class >= 0 {
				d.of = append(d.of, number(class))
			}
		}
		slices.Sort(d.of[own:])
		d.of = d.of[:own+len(slices.Compact(d.of[own:]))]
		d.several = d.several || len(d.of)-own > 1
		d.start = append(d.start, uint32(len(d.of)))
	}
}

// present returns the classes that have a document, ascending.
func (y *Labels) present() ([]int32, error) {
	from, to := 0, len(y.Of)
	if y.Start != nil {
		from, to = int(y.Start[0]), int(y.Start[len(y.Start)-1])
	}
	for i, class := range y.Of[from:to] {
		if class < -1 || int(class) >= y.Classes {
			return nil, fmt.Errorf("matrix: Labels.Of[%d] is class %d: %w: there are %d classes, from 0, and -1 is none", from+i, class, usage.ErrData, y.Classes)
		}
	}
	classes := distinct(y.Of[from:to], y.Classes)
	if len(classes) == 0 {
		return nil, fmt.Errorf("matrix: Labels.Of: %w: none of the documents has a class", usage.ErrData)
	}
	return classes, nil
}

// distinct returns the classes of labels, ascending, each once; -1 is none. A table of 20
// classes takes 0.03 ms for 11,314 labels, where sorting them takes 0.5.
func distinct(labels []int32, classes int) (all []int32) {
	if !fewClasses(classes, len(labels)) {
		all = slices.Compact(slices.Sorted(slices.Values(labels)))
		return all[sort.Search(len(all), func(i int) bool { return all[i] >= 0 }):]
	}
	found := make([]bool, classes+1)
	for _, class := range labels {
		found[class+1] = true
	}
	for class := range classes {
		if found[class+1] {
			all = append(all, int32(class))
		}
	}
	return all
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
