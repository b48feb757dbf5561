package matrix

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Labels are the classes of the documents of a matrix. Those of document d are the
// elements of Of from Start[d] to Start[d+1], or Of[d] alone if Start is nil. Classes are
// numbers below Classes; -1 is none.
type Labels struct {
	Classes int
	Of      []int32
	Start   []int64 // documents+1, or nil
	// ByNumber has classes without names in the order of their numbers: named by these alone, 10 would come before 2. Measures
	// that add up over the classes do so in the order of the names.
	ByNumber bool
}

// documents are the documents of a matrix with their classes.
type documents struct {
	N       int
	Classes []string // that have a document, by bytes
	Of      []uint32 // the classes of the documents one after another, ascending within each
	Start   []uint32 // documents+1
	Several bool     // some document has several classes
}

// sizes returns the number of documents of each class.
func (d *documents) sizes() []float64 {
	sizes := make([]float64, len(d.Classes))
	for _, class := range d.Of {
		sizes[class]++
	}
	return sizes
}

// number numbers the classes that have a document in the order of their names, and
// returns the labels in these numbers, each once a document.
func (y *Labels) number(n int, names []string) (*documents, error) {
	d := &documents{N: n, Of: make([]uint32, 0, len(y.Of)), Start: make([]uint32, 1, n+1)}
	present, err := y.present()
	if err != nil {
		return nil, err
	}
	width := 0
	if y.ByNumber && y.Classes > 10 { // else the names of digits are in their order
		width = len(strconv.Itoa(y.Classes))
	}
	numbers, err := d.name(present, names, width)
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
			d.Of = append(d.Of, number(class))
		}
		d.Start = append(d.Start, uint32(len(d.Of)))
	}
}

// addSeveral sets the labels of documents.
func (d *documents) addSeveral(y *Labels, number func(class int32) uint32) {
	for doc := range d.N {
		own := len(d.Of)
		for _, class := range y.Of[y.Start[doc]:y.Start[doc+1]] {
			if class >= 0 {
				d.Of = append(d.Of, number(class))
			}
		}
		slices.Sort(d.Of[own:])
		d.Of = d.Of[:own+len(slices.Compact(d.Of[own:]))]
		d.Several = d.Several || len(d.Of)-own > 1
		d.Start = append(d.Start, uint32(len(d.Of)))
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

// distinct returns the classes of labels, ascending, each once; -1 is none. It sorts nothing
// unless there are far more classes than labels.
func distinct(labels []int32, classes int) (all []int32) {
	if !fewClasses(classes, len(labels)) {
		all = slices.Clone(labels)
		sort.Slice(all, func(i, j int) bool { return all[i] < all[j] }) // rare: smaller code than Sort
		all = slices.Compact(all)
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

// name sets the names of the classes that are present; nil names them by numbers of a width. It returns, for each of
// them, its number in the order of the names.
func (d *documents) name(present []int32, names []string, width int) (numbers []uint32, err error) {
	named := make([]string, len(present))
	for i, class := range present {
		if named[i] = fmt.Sprintf("%0*d", width, class); names != nil {
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
		if number > 0 && named[i] == d.Classes[number-1] {
			return nil, usage.Errorf("matrix: Options.Classes has %q twice; names must differ", usage.Cut(named[i]))
		}
		numbers[i] = uint32(number)
		d.Classes = append(d.Classes, named[i])
	}
	return numbers, nil
}

// check checks the lengths of labels, and Start.
func (y *Labels) check(documents int) error {
	switch {
	case y.Classes < 0 || uint64(y.Classes) > math.MaxInt32:
		return usage.Errorf("matrix: Labels.Classes is %d; it must be from 0 to %d", y.Classes, math.MaxInt32)
	case uint64(len(y.Of)) > math.MaxUint32:
		return usage.Errorf("matrix: Labels.Of has %d elements; the most are %d", len(y.Of), uint64(math.MaxUint32))
	case y.Start == nil && len(y.Of) != documents:
		return usage.Errorf("matrix: Labels.Of has %d elements for %d documents; without Labels.Start it must have one for each", len(y.Of), documents)
	case y.Start == nil:
		return nil
	case len(y.Start)-1 != documents:
		return usage.Errorf("matrix: Labels.Start has %d elements; it must have one more than there are documents, which are %d", len(y.Start), documents)
	}
	last := int64(0)
	for d, at := range y.Start {
		if at < last {
			return fmt.Errorf("matrix: Labels.Start[%d] is %d, below %d: %w: it must ascend from 0 or more", d, at, last, usage.ErrData)
		}
		last = at
	}
	if uint64(last) > uint64(len(y.Of)) {
		return fmt.Errorf("matrix: Labels.Start[%d] is %d: %w: Labels.Of has %d elements", documents, last, usage.ErrData, len(y.Of))
	}
	return nil
}

// checkClassName checks the name of a class.
func checkClassName(class int32, name string) error {
	switch {
	case len(name) > ingest.MaxName:
		return usage.Errorf("matrix: Options.Classes[%d] has %d bytes; the longest that is kept has %d", class, len(name), ingest.MaxName)
	case !utf8.ValidString(name):
		return usage.Errorf("matrix: Options.Classes[%d], %q, is not UTF-8", class, usage.Cut(name))
	}
	return nil
}

// byClass returns the documents as those that are counted class by class.
func (d *documents) byClass() table.Documents {
	return table.Documents{Classes: len(d.Classes), Of: d.Of, Start: d.Start, Several: d.Several}
}
