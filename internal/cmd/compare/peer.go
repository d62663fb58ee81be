package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Peer is a running program that measures the schedule on request. It stays alive, and so warm, from block to block,
// and measures only between a request and its answer, so that the peers never run at the same time.
type Peer struct {
	Name    string
	timeout time.Duration
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *bytes.Buffer
}

// startPeer starts the command. A block that takes longer than timeout ends the process and is an error.
func startPeer(ctx context.Context, name string, timeout time.Duration, argv ...string) (*Peer, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = 5 * time.Second
	p := &Peer{Name: name, timeout: timeout, cmd: cmd, stderr: new(bytes.Buffer)}
	cmd.Stderr = p.stderr
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Run asks for one block.
func (p *Peer) Run(opNs int64, reps int) (Block, error) {
	watchdog := time.AfterFunc(p.timeout, func() { _ = p.cmd.Process.Kill() })
	line, err := p.ask(request(opNs, reps))
	if !watchdog.Stop() {
		return Block{}, fmt.Errorf("%s: no answer within %v for ops of %d ns", p.Name, p.timeout, opNs)
	}
	if err != nil {
		return Block{}, p.died(err)
	}
	b, err := parseBlock(line, opNs, reps)
	if err != nil {
		return Block{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	return b, nil
}

func (p *Peer) ask(line string) ([]byte, error) {
	if _, err := io.WriteString(p.in, line); err != nil {
		return nil, err
	}
	return p.out.ReadBytes('\n')
}

// died waits for the process that broke off and says why, in its own words where it left any.
func (p *Peer) died(err error) error {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill() // no-op when it has already ended
	wait := p.cmd.Wait()
	if words := lastLine(p.stderr.String()); words != "" {
		return fmt.Errorf("%s ended: %s", p.Name, words)
	}
	return fmt.Errorf("%s ended: %w", p.Name, errors.Join(wait, err))
}

// Close ends the peer by ending its input and gives the error it ended with.
func (p *Peer) Close() error {
	_ = p.in.Close()
	watchdog := time.AfterFunc(p.timeout, func() { _ = p.cmd.Process.Kill() })
	defer watchdog.Stop()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", p.Name, err, lastLine(p.stderr.String()))
	}
	return nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}
