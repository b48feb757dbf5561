package report

import (
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
)

// writeSVG writes the curves of a classifier as an SVG file, with the names of the methods
// beside the lines. It returns [ErrNoCurves] if the classifier has no point with a K above
// 0 and an F1 from 0 to 1.
func (r *Report) writeSVG(w io.Writer, classifier string, m metric, colours theme) error {
	if c, ok := r.chart(classifier, m, colours); ok {
		return execute(w, "file", c)
	}
	return fmt.Errorf("%w: no point of classifier %q has terms and a %s from 0 to 1", ErrNoCurves, classifier, m)
}

// Files yields the files of a report and what writes each: the page html, and for each
// classifier and metric with a curve two files like svm-micro-f1.svg and
// svm-micro-f1-dark.svg in the folder svg, which must be there. Either may be "", for none.
func (r *Report) Files(html, svg string) iter.Seq2[string, func(io.Writer) error] {
	return func(yield func(string, func(io.Writer) error) bool) {
		if html != "" && !yield(html, r.WriteHTML) {
			return
		}
		if svg == "" {
			return
		}
		taken := map[string]bool{}
		for _, classifier := range r.classifiers() {
			for _, m := range metrics {
				if _, ok := r.chart(classifier, m, light()); !ok {
					continue
				}
				base := filepath.Join(svg, fileName(classifier, m, taken))
				if !yield(base+".svg", func(w io.Writer) error { return r.writeSVG(w, classifier, m, light()) }) ||
					!yield(base+"-dark.svg", func(w io.Writer) error { return r.writeSVG(w, classifier, m, dark()) }) {
					return
				}
			}
		}
	}
}

// fileName returns the name of a classifier's SVG file. It keeps ASCII letters and digits,
// and numbers names that are equal on a file system that ignores case. taken has the names
// in use.
func fileName(classifier string, m metric, taken map[string]bool) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(classifier))
	name = strings.Trim(name[:min(len(name), 60)], "-")
	if name == "" {
		name = "classifier"
	}
	base := name + "-" + strings.ToLower(string(m))
	for i := 2; ; i++ {
		if !taken[base] {
			taken[base] = true
			return base
		}
		base = fmt.Sprintf("%s-%d-%s", name, i, strings.ToLower(string(m)))
	}
}
