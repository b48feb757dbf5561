package lab

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Child is a process that answers requests, a line each, as [Serve] does: measurements that take turns
// need processes that have prepared everything and wait. Lines of Python and C do the same.
type Child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// StartChild starts a command. It does not wait until the command is ready.
func StartChild(cmd *exec.Cmd) *Child {
	in := Need(cmd.StdinPipe())
	out := Need(cmd.StdoutPipe())
	Check(cmd.Start())
	return &Child{cmd, in, bufio.NewReader(out)}
}

// Ready waits until the process has prepared itself, and returns what it says of itself.
func (c *Child) Ready() string { return strings.TrimSpace(strings.TrimPrefix(c.reply(), ready)) }

// Ask sends a request and returns the reply.
func (c *Child) Ask(format string, args ...any) string {
	Need(fmt.Fprintf(c.in, format+"\n", args...))
	return c.reply()
}

// Close ends the process, which leaves when its input does.
func (c *Child) Close() {
	_ = c.in.Close()
	_ = c.cmd.Wait() // it has nothing left to say
}

const (
	ready   = "ready"
	refusal = "error: "
)

func (c *Child) reply() string {
	line, err := c.out.ReadString('\n')
	if err != nil {
		panic(Errorf("%s ended: %w", filepath.Base(c.cmd.Path), err))
	}
	line = strings.TrimSpace(line)
	if problem, failed := strings.CutPrefix(line, refusal); failed {
		panic(Errorf("%s: %s", filepath.Base(c.cmd.Path), problem))
	}
	return line
}

// Serve is the other side of a [Child]: it says that it is ready, with some words about itself, and answers
// each request, by the error where there is one.
func Serve(in io.Reader, out io.Writer, about string, answer func(request string) string) {
	fmt.Fprintln(out, strings.TrimSpace(ready+" "+about))
	requests := bufio.NewScanner(in)
	for requests.Scan() {
		reply, err := TryOf(func() string { return answer(requests.Text()) })
		if err != nil {
			reply = refusal + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Fprintln(out, reply)
	}
	Check(requests.Err())
}
