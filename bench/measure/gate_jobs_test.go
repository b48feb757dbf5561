package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// workers stands for the program of the jobs: it tells the times that it is made with, and does nothing.
const workers = `package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	args := strings.Join(os.Args[1:], " ")
	if !strings.Contains(args, "-name") {
		fmt.Print(%q)
		return
	}
	if strings.Contains(args, "-name broken") {
		fmt.Fprintln(os.Stderr, "no such file")
		os.Exit(1)
	}
	fmt.Println("ready")
	for in, n := bufio.NewScanner(os.Stdin), 0; in.Scan(); n++ {
		fmt.Println(%d + n%%3)
	}
}
`

// putWorkers writes the program of a revision, and a command.
func putWorkers(t *testing.T, jobs string, nanoseconds int) {
	t.Helper()
	put(t, filepath.Join("bench", "measure", "main.go"), fmt.Sprintf(workers, jobs, nanoseconds))
	put(t, filepath.Join("cmd", "termsift", "main.go"), "package main\n\nfunc main() {}\n")
}

// A job that takes 20 % longer fails, one that takes 10 % longer does not.
func TestSlowJobsFail(t *testing.T) {
	repository(t)
	putWorkers(t, "work\n", 10_000_000)
	commit(t, "base of the jobs")
	base := gitHere(t, "rev-parse", "HEAD")
	for _, test := range []struct {
		jobs        string
		nanoseconds int
		args        []string
		code        int
		out, told   string
	}{
		{"work\n", 12_000_000, nil, 1, "SLOWER", ""},
		{"work\n", 11_000_000, nil, 0, "1 judged: 0 slower by more than 15 %", ""},
		{"work\n", 11_600_000, nil, 1, "1.160 to 1.160", ""},
		{"work\n", 8_000_000, nil, 0, "faster", ""},
		{"work\nnew\n", 10_000_000, nil, 0, "1 judged: 0 slower", "new: only head has this job"},
		{"work\nbroken\n", 10_000_000, []string{"-jobs", "new"}, 2, "", `no job matches -jobs "new"`},
	} {
		putWorkers(t, test.jobs, test.nanoseconds)
		var out, errs strings.Builder
		args := append([]string{"-base", base, "-limit", "15", "-count", "7", "-jobs", "."}, test.args...)
		code := runGate(t.Context(), args, &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(errs.String(), test.told) {
			t.Errorf("%+v: exit %d\n%s%s", test, code, &out, &errs)
		}
		nothingLeft(t)
	}
}

func TestJobsThatFail(t *testing.T) {
	repository(t)
	for _, test := range []struct {
		prepare func()
		want    string
	}{
		{func() {}, "base does not build"}, // as there is no such program
		{func() { putWorkers(t, "broken\n", 1); commit(t, "broken jobs") }, "no such file"},
		{func() { put(t, filepath.Join("bench", "measure", "main.go"), "package main\n\nfunc {\n") }, "head does not build"},
	} {
		test.prepare()
		var out, errs strings.Builder
		code := runGate(t.Context(), []string{"-base", "HEAD", "-jobs", "."}, &out, &errs)
		if code != 2 || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%s: exit %d\n%s%s", test.want, code, &out, &errs)
		}
		nothingLeft(t)
	}
}
