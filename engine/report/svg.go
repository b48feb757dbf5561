package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
)

// WriteSVG writes the curves of a classifier as an SVG file on white, with the names of the
// methods beside the lines. It returns [ErrNoCurves] if the classifier has no point with a
// K above 0 and an F1 from 0 to 1.
func (r *Report) WriteSVG(w io.Writer, classifier string, m Metric) error {
	return r.writeSVG(w, classifier, m, light())
}

// WriteDarkSVG is WriteSVG for pages with a dark background.
func (r *Report) WriteDarkSVG(w io.Writer, classifier string, m Metric) error {
	return r.writeSVG(w, classifier, m, dark())
}

func (r *Report) writeSVG(w io.Writer, classifier string, m Metric, colours theme) error {
	if !slices.Contains(allMetrics(), m) {
		return fmt.Errorf("%w: %q is no metric: use %q or %q", ErrNoCurves, m, MicroF1, MacroF1)
	}
	c, ok := r.chart(classifier, m, colours)
	if !ok {
		return fmt.Errorf("%w: no point of classifier %q has terms and a %s from 0 to 1", ErrNoCurves, classifier, m)
	}
	t, err := template.New("svg").Parse(chartTemplate)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "file", c); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
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
		for _, classifier := range r.Classifiers() {
			for _, m := range allMetrics() {
				if _, ok := r.chart(classifier, m, light()); !ok {
					continue
				}
				base := filepath.Join(svg, fileName(classifier, m, taken))
				if !yield(base+".svg", func(w io.Writer) error { return r.WriteSVG(w, classifier, m) }) ||
					!yield(base+"-dark.svg", func(w io.Writer) error { return r.WriteDarkSVG(w, classifier, m) }) {
					return
				}
			}
		}
	}
}

// fileName returns the name of a classifier's SVG file. It keeps ASCII letters and digits,
// and numbers names that are equal on a file system that ignores case. taken has the names
// in use.
func fileName(classifier string, m Metric, taken map[string]bool) string {
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
