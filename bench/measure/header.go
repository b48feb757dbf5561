package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// header says what the results come from, in lines "key: value".
func header(ctx context.Context) (string, error) {
	commit, err := git(ctx, "rev-parse", "--short", "HEAD")
	if err != nil {
		return "", err
	}
	changes, err := git(ctx, "status", "--porcelain", "--untracked-files=no", "--", "*.go", "*.s")
	if err != nil {
		return "", err
	}
	if changes != "" {
		commit += " with changes"
	}
	return fmt.Sprintf("machine: %d processors%s\ngo: %s\ncommit: %s\ndate: %s\n",
		runtime.NumCPU(), memory(), runtime.Version(), commit, time.Now().UTC().Format(time.DateOnly)), nil
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := output(exec.CommandContext(ctx, "git", args...))
	return strings.TrimSpace(out), err
}

// memory is what Linux says that it has, or nothing.
func memory() string {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(info)) {
		var kilobytes int64
		if n, _ := fmt.Sscanf(line, "MemTotal: %d kB", &kilobytes); n == 1 {
			return fmt.Sprintf(", %d GiB of memory", (kilobytes+1<<19)>>20)
		}
	}
	return ""
}
