//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report/browsertest"
	"github.com/termsift/termsift/engine/tsv"
)

// This file measures the page in Chromium. bench/results/page.txt has what it printed, beside the limits.
//
//	go test ./cmd/page -run '^$' -bench Page -benchtime 1x
//
// Times (s) are those of a clock in the page. cpu-s is the CPU time of its process, the engine's worker included, MB the
// most memory that this process had, and load that of the machine before.

// watch notes in the page when it entered a state, and its long tasks; it presses Count as soon as it can. window.until
// promises the time at which a condition holds, and window.press the seconds from a click to a condition, painted.
const watch = `
	window.at = {}; window.tasks = [];
	new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
	document.querySelector("#files").addEventListener("change", () => { window.at = { chosen: performance.now() }; window.tasks = []; }, true);
	new MutationObserver(() => {
		const state = document.documentElement.dataset.state;
		at[state] = performance.now();
		if (state === "asking" && window.going) document.querySelector("#go").click();
	}).observe(document.documentElement, { attributeFilter: ["data-state"] });
	window.going = true;
	window.until = async (holds) => {
		while (!holds()) await new Promise((resolve) => setTimeout(resolve, 4));
		return performance.now();
	};
	window.press = async (selector, holds) => {
		const from = performance.now();
		document.querySelector(selector).click();
		await new Promise((resolve) => setTimeout(resolve));
		await until(holds);
		await new Promise(requestAnimationFrame);
		await new Promise((resolve) => setTimeout(resolve));
		return (performance.now() - from) / 1000;
	};
	window.fill = (selector, value) => { document.querySelector(selector).value = value; document.querySelector(selector).dispatchEvent(new Event("input")); };
	window.plotted = () => performance.getEntriesByName("plot drawn").at(-1)?.startTime ?? 0;
	window.shows = (t) => t.startTime + t.duration > at.shown - 5; // whole milliseconds
	window.longest = (of) => Math.max(0, ...tasks.filter(of).map((t) => t.duration));`

// A tab is the page in a browser of its own.
type tab struct {
	*browsertest.Browser
	b *testing.B
}

// opens opens the page, and returns the seconds until it is ready.
func (t tab) opens() float64 {
	t.b.Helper()
	t.Show(testkit.Must(built())[0], 1400, 900, "light")
	return t.number(watch+`until(() => document.documentElement.dataset.state === "ready")`) / 1000
}

// number evaluates an expression that is a number.
func (t tab) number(expression string) float64 { return t.Eval(expression).(float64) }

// counts chooses a file, has it counted as the page proposes, and waits until all is plotted.
func (t tab) counts(file string) {
	t.b.Helper()
	t.Choose("#files", file)
	t.Eval(`until(() => at.error || at.shown && plotted() > at.shown)`)
	t.Expect(`document.querySelector("#message").textContent`, "")
}

// process returns the CPU seconds of the process that shows the page, its megabytes, and the most that it had since the
// last call, each without the pages of Chromium's own files. No other Chromium may run.
func (t tab) process() (cpu, now, most float64) {
	for _, file := range testkit.Must(filepath.Glob("/proc/[0-9]*/cmdline")) {
		dir := filepath.Dir(file)
		if line, _ := os.ReadFile(file); !strings.Contains(string(line), "--type=renderer") { // or that has ended
			continue
		}
		memory := func(name string) float64 { return numberBehind(dir+"/status", name) * 1024 / 1e6 }
		if high := memory("VmHWM:") - memory("RssFile:"); high > most { // Chromium keeps one more for the next page
			most, now = high, memory("RssAnon:")+memory("RssShmem:")
			stat := strings.Fields(string(testkit.Must(os.ReadFile(dir + "/stat"))))
			cpu = (testkit.Must(strconv.ParseFloat(stat[13], 64)) + testkit.Must(strconv.ParseFloat(stat[14], 64))) / 100
		}
		testkit.OK(os.WriteFile(dir+"/clear_refs", []byte("5"), 0o600)) // forgets the most
	}
	return cpu, now, most
}

// numberBehind returns the number behind a name in a file of /proc.
func numberBehind(file, name string) float64 {
	text, _ := os.ReadFile(file) // the process may have ended
	_, behind, _ := strings.Cut(string(text), name)
	if words := strings.Fields(behind); len(words) > 0 {
		return testkit.Must(strconv.ParseFloat(words[0], 64))
	}
	return 0
}

// medians reports the medians of what some rounds measure, by unit, and the load of the machine before them.
func medians(b *testing.B, rounds int, measure func() map[string]float64) {
	b.Helper()
	load, all := numberBehind("/proc/loadavg", ""), map[string][]float64{}
	for range rounds {
		for unit, value := range measure() {
			all[unit] = append(all[unit], value)
		}
	}
	for unit, values := range all {
		slices.Sort(values)
		b.ReportMetric((values[(rounds-1)/2]+values[rounds/2])/2, unit)
	}
	b.ReportMetric(load, "load")
	b.ReportMetric(0, "ns/op")
}

// jsonLines writes every nth text of a real collection as a line of JSON, again and again with other numbers up to a
// size, if there is one.
func jsonLines(t testing.TB, collection string, nth, size int) string {
	t.Helper()
	var out []byte
	for i := 0; i == 0 || len(out) < size; {
		source := testkit.Must(reader.Read(t.Context(), []string{testkit.Corpus(t, collection)}, reader.Options{}))
		for d := range testkit.All(source.Documents()) {
			if i++; i%nth == 0 && (size == 0 || len(out) < size) {
				record := map[string]string{"id": strconv.Itoa(i), "label": string(d.Labels[0]), "text": string(d.Text)}
				out = append(append(out, testkit.Must(json.Marshal(record))...), '\n')
			}
		}
	}
	return testkit.Write(filepath.Join(t.TempDir(), "texts.jsonl"), out)
}

func newsgroups(t testing.TB) string { return testkit.Corpus(t, "20news-bydate.tar.gz") }

// counting measures the way from a chosen file to the terms.
func counting(b *testing.B, file string) {
	b.Helper()
	t := tab{browsertest.New(b), b}
	medians(b, 3, func() map[string]float64 {
		t.opens()
		before, _, _ := t.process()
		t.counts(file)
		cpu, now, most := t.process()
		t.Eval(`window.typed = performance.now(), fill('[data-state="q"]', "spacecraft")`)
		search := t.number(`until(() => document.querySelector("[data-found]").textContent.startsWith("1 of ")).then((found) => found - typed)`)
		return map[string]float64{
			"s-shown": t.number(`at.shown - at.chosen`) / 1000, "s-plotted": t.number(`plotted() - at.chosen`) / 1000, "s-search": search / 1000,
			"cpu-s": cpu - before, "MB": most, "MB-after": now,
			"ms-task-counting": t.number(`longest((t) => !shows(t))`), "ms-task-shown": t.number(`longest(shows)`),
		}
	})
}

// asks fills a form of a panel, and measures until its answer is painted.
func (t tab) asks(panel, word string) map[string]float64 {
	t.b.Helper()
	t.Eval(fmt.Sprintf(`if (document.querySelector("#%s [data-pattern]")) fill("#%[1]s [data-pattern]", %q)`, panel, word))
	before, _, _ := t.process()
	seconds := t.number(fmt.Sprintf(`press("#%s form button", () => document.querySelector("#%[1]s [data-out] :is(table, svg)"))`, panel))
	after, _, most := t.process()
	return map[string]float64{"s": seconds, "cpu-s": after - before, "MB": most}
}

// left presses a button that ends what the engine does, and measures until the page is in a state.
func (t tab) left(button, state string) map[string]float64 {
	t.b.Helper()
	return map[string]float64{"s": t.number(fmt.Sprintf(`press(%q, () => document.documentElement.dataset.state === %q)`, button, state))}
}

func BenchmarkPage(b *testing.B) {
	b.Run("what=open", func(b *testing.B) {
		t, page := tab{browsertest.New(b), b}, testkit.Must(built())
		medians(b, 6, func() map[string]float64 {
			seconds := t.opens()
			cpu, _, most := t.process()
			return map[string]float64{"s": seconds, "MB-file": float64(testkit.Must(os.Stat(page[0])).Size()) / 1e6, "MB": most, "cpu-s": cpu}
		})
	})
	b.Run("what=20news", func(b *testing.B) { counting(b, newsgroups(b)) })
	b.Run("what=lines", func(b *testing.B) { counting(b, jsonLines(b, "20news-bydate.tar.gz", 1, 100e6)) })
	b.Run("what=panels", panels)
	b.Run("what=again", again)
}

// panels asks the panels of 20 Newsgroups.
func panels(b *testing.B) {
	t := tab{browsertest.New(b), b}
	t.opens()
	t.counts(newsgroups(b))
	for _, c := range [][2]string{
		{"words", "all"},
		{"contexts", "the"},
		{"contexts", "space"},
		{"contexts", "perihelion"},
		{"collocates", "the"},
		{"collocates", "space"},
		{"spread", "the"},
		{"spread", "space"},
	} {
		b.Run("panel="+c[0]+"/word="+c[1], func(b *testing.B) {
			medians(b, 6, func() map[string]float64 { return tab{t.Browser, b}.asks(c[0], c[1]) })
		})
	}
}

// again opens and closes 20 Newsgroups twenty times.
func again(b *testing.B) {
	t := tab{browsertest.New(b), b}
	t.opens()
	var counted, closed []float64
	for range 20 {
		t.counts(newsgroups(b))
		_, _, most := t.process()
		t.left("[data-again]", "ready")
		_, now, _ := t.process()
		counted, closed = append(counted, most), append(closed, now)
	}
	b.Logf("counted %.0f, closed %.0f", counted, closed)
	for unit, of := range map[string][]float64{"MB-counted-first-5": counted[:5], "MB-counted-last-5": counted[15:], "MB-closed-first-5": closed[:5], "MB-closed-last-5": closed[15:]} {
		b.ReportMetric(slices.Sorted(slices.Values(of))[2], unit)
	}
}

// The page has the command's values of each measure that it offers, and its order: of the first terms, and of all terms
// with a part in their name, saved as people save them. A case has a third of the measures.
func TestValuesAreThoseOfTheCommand(t *testing.T) {
	for _, i := range testkit.CaseNumbers(t, 12) {
		files, classes, part, flags := []string{newsgroups(t)}, "folder", "sh", []string(nil)
		switch i % 4 {
		case 1:
			files[0], classes, part = testkit.Corpus(t, "online_shopping_10_cats.csv.gz"), "column:cat", "不"
			flags = []string{"--text-field", "review", "--label-field", "cat"}
		case 2:
			files[0], classes, part = jsonLines(t, "fudan-corpus.tar.zst", 20, 0), "column:label", "不"
		case 3:
			files, classes = testkit.Must(filepath.Glob(filepath.Join(authors(t), "melville", "*"))), "none"
		}
		input, index, p := files[0], filepath.Join(t.TempDir(), "x.idx"), opens(t, 1400, "light")
		if len(files) > 1 {
			input = filepath.Dir(input)
		}
		printed(t, "", append([]string{"index", input, "-o", index}, flags...)...)
		p.Downloads()
		p.chooses(files...)
		p.counts(classes)
		p.Eval(watch + `document.querySelector("[data-form]").value = "tsv"`)
		for k, by := range p.Eval(`[...document.querySelector('[data-state="by"]').options].map((o) => o.value)`).([]any) {
			if k%3 == i/4 {
				p.Eval(fmt.Sprintf(`fill('[data-state="q"]', ""), fill('[data-state="by"]', %q)`, by))
				p.Wait(fmt.Sprintf(`document.querySelector(".rows th.c-value")?.textContent === %q && /^(.*) of \1 terms/.test(document.querySelector("[data-found]").textContent)`, by))
				first := p.terms(20)
				p.Eval(fmt.Sprintf(`fill('[data-state="q"]', %q)`, part))
				p.Wait(`/^(.*) of (?!\1 )/.test(document.querySelector("[data-found]").textContent)`)
				p.Click("[data-save]")
				saved := p.Saved(fmt.Sprintf("terms-%s.tsv", by))
				sameLists(t, fmt.Sprint(input, " by ", by), first, saved, part, printed(t, "", "score", index, "--by", by.(string), "--top", "10000000", "--format", "tsv"))
			}
		}
	}
}

// sameLists compares the first terms of the page, and those with a part in their name as it saves them, with the table
// that the command prints. Terms may change places if their values are the same but for the last digits.
func sameLists(t *testing.T, of string, first []string, saved, part, command string) {
	t.Helper()
	var all, having []string
	values := map[string]float64{}
	value := func(field string) float64 {
		if v, err := tsv.ParseValue(field); err == nil {
			return v
		}
		return math.NaN() // null
	}
	for line := range strings.Lines(command) {
		fields := strings.Split(line, "\t") // measure, combination, class, term, value
		all, values[fields[3]] = append(all, fields[3]), value(fields[4])
		if strings.Contains(fields[3], part) {
			having = append(having, fields[3])
		}
	}
	for i, term := range first {
		testkit.Close(t, values[term], values[all[1+i]], 1e-12, 0, of, term, "and", all[1+i])
	}
	rows := slices.Collect(strings.Lines(saved))[1:]
	testkit.Equal(t, len(rows), len(having), of, "terms with", part)
	for i, row := range rows[:min(len(rows), len(having))] {
		fields := strings.Split(row, "\t") // rank, term, value
		testkit.Close(t, value(fields[2]), values[fields[1]], 1e-12, 0, of, fields[1])
		testkit.Close(t, value(fields[2]), values[having[i]], 1e-12, 0, of, fields[1], "in the place of", having[i])
	}
}
