package lab

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// An Origin is where results come from: the machine, the compiler and the commit.
type Origin struct {
	CPU     string `json:"cpu,omitempty"` // where Linux says it
	Machine string `json:"machine"`
	Go      string `json:"go"`
	Commit  string `json:"commit"` // "with changes" where the sources are not those of the commit
	Date    string `json:"date"`
}

// OriginHere is the origin of what is measured now, in the repository of the working folder.
func OriginHere(ctx context.Context) (Origin, error) {
	commit, err := git(ctx, "rev-parse", "--short", "HEAD")
	o := OriginOf(commit)
	if err != nil {
		return o, err
	}
	changes, err := git(ctx, "status", "--porcelain", "--untracked-files=no", "--", "*.go", "*.s")
	if changes != "" {
		o.Commit += " with changes"
	}
	return o, err
}

// OriginOf is the origin of what is measured now with a program of that commit.
func OriginOf(commit string) Origin {
	return Origin{
		CPU: named("/proc/cpuinfo", "model name"), Machine: fmt.Sprintf("%d processors%s", runtime.NumCPU(), memory()),
		Go: runtime.Version(), Commit: commit, Date: time.Now().UTC().Format(time.DateOnly),
	}
}

// Lines are what raw files of benchmarks begin with. These name the processor
// themselves.
func (o Origin) Lines() string {
	return fmt.Sprintf("machine: %s\ngo: %s\ncommit: %s\ndate: %s\n", o.Machine, o.Go, o.Commit, o.Date)
}

func git(ctx context.Context, args ...string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// memory is what Linux says that it has, or nothing.
func memory() string {
	var kilobytes int64
	if n, _ := fmt.Sscanf(named("/proc/meminfo", "MemTotal"), "%d kB", &kilobytes); n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d GiB of memory", (kilobytes+1<<19)>>20)
}

// named gives the value of the first line "key: value" of a file of /proc.
func named(path, key string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
