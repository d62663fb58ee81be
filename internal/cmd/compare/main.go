// Command compare runs one schedule as this project issues it, as a plain C++ program and as a PyTorch one, in one run
// on one GPU, and prints the medians and the ratios.
//
// The peers stay alive for the whole run and are asked for a block of repetitions in turn, in an order that goes forth
// and back from round to round, so that a drift of the clocks meets all of them alike. A peer whose compiler or library
// is not there is left out, and the report says so. What is compared is described in testdata/peers/peer.cu.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The peers' names in reports.
const (
	ours  = "ours"
	cpp   = "C++"
	torch = "PyTorch"
)

type options struct {
	ours, peers, python, out string
	ops                      []time.Duration
	rounds, reps             int
	timeout                  time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	opt, err := parseFlags(os.Args[1:], os.Stderr)
	if err != nil {
		os.Exit(2)
	}
	if err := run(ctx, opt, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var opt options
	var ops string
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&opt.ours, "ours", "build/overlap", "the overlap `command`, built with -tags gpu")
	flags.StringVar(&opt.peers, "peers", "testdata/peers", "the `folder` of peer.cu and peer_torch.py")
	flags.StringVar(&opt.python, "python", "python3", "the python that has PyTorch")
	flags.StringVar(&ops, "ops", "2us,5us,10us,20us,50us,100us,1ms", "op durations")
	flags.IntVar(&opt.rounds, "rounds", 15, "blocks of each peer and op duration")
	flags.IntVar(&opt.reps, "reps", 30, "repetitions in a block")
	flags.DurationVar(&opt.timeout, "timeout", 3*time.Minute,
		"the longest that a block may take, the first one's start included")
	flags.StringVar(&opt.out, "out", "", "write the raw results to this JSON `file`")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	err := parseOps(ops, &opt)
	if err == nil && (opt.rounds < 1 || opt.reps < 1 || flags.NArg() > 0) {
		err = errors.New("want at least one round and one repetition, and no arguments besides flags")
	}
	if err != nil {
		fmt.Fprintln(stderr, "compare:", err)
	}
	return opt, err
}

func parseOps(list string, opt *options) error {
	for s := range strings.SplitSeq(list, ",") {
		d, err := time.ParseDuration(s)
		if err != nil || d < time.Nanosecond || d > time.Second {
			return fmt.Errorf("-ops: %q is no op duration; want 1ns to 1s, as 2us,100us,1ms", s)
		}
		opt.ops = append(opt.ops, d)
	}
	return nil
}

func run(ctx context.Context, opt options, stdout io.Writer) error {
	dir, err := os.MkdirTemp("", "overlap-compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	peers, leftOut, err := start(ctx, opt, dir)
	defer func() {
		for _, p := range peers {
			_ = p.Close()
		}
	}()
	if err != nil {
		return err
	}
	report := &Report{Date: time.Now().UTC().Format(time.RFC3339), Device: device(ctx), Rounds: opt.rounds,
		Reps: opt.reps, LeftOut: leftOut}
	cpus, err := places()
	if err != nil {
		report.LeftOut = append(report.LeftOut, "the same processor for all: "+err.Error())
	}
	report.Processors = cpus
	if report.Blocks, err = measure(peers, opt, cpus); err != nil {
		return err
	}
	report.Ratios = ratios(report.Blocks, opt.ops)
	if opt.out != "" {
		if err := writeJSON(opt.out, report); err != nil {
			return err
		}
	}
	if report.Device != "" {
		fmt.Fprintln(stdout, report.Device)
	}
	return writeTable(stdout, report, opt.ops)
}

// start starts the peers that this machine can run, and says which it cannot and why.
func start(ctx context.Context, opt options, dir string) (peers []*Peer, leftOut []string, err error) {
	add := func(name string, argv ...string) error {
		p, err := startPeer(ctx, name, opt.timeout, argv...)
		if err == nil {
			peers = append(peers, p)
		}
		return err
	}
	if err := add(ours, opt.ours, "peer"); err != nil {
		return peers, nil, fmt.Errorf("%w; build it with: make compare", err)
	}
	switch program, err := buildCpp(ctx, filepath.Join(opt.peers, "peer.cu"), dir); {
	case errors.Is(err, errNoNvcc):
		leftOut = append(leftOut, cpp+": "+err.Error())
	case err != nil:
		return peers, nil, err
	default:
		if err := add(cpp, program, "--serve"); err != nil {
			return peers, nil, err
		}
	}
	if err := checkTorch(ctx, opt.python); err != nil {
		leftOut = append(leftOut, torch+": "+err.Error())
	} else if err := add(torch, opt.python, filepath.Join(opt.peers, "peer_torch.py"), "--serve"); err != nil {
		return peers, nil, err
	}
	return peers, leftOut, nil
}

// measure asks the peers in turn, forth in even rounds and back in odd ones. In each round all of them issue from the
// same processor, in the next from another; cpus is empty where they cannot be placed.
func measure(peers []*Peer, opt options, cpus []int) ([]Measured, error) {
	for _, p := range peers { // started and built, before anything is placed
		if _, err := p.Run(opt.ops[0].Nanoseconds(), 1); err != nil {
			return nil, err
		}
	}
	order := slices.Clone(peers)
	var blocks []Measured
	for _, d := range opt.ops {
		for round := range opt.rounds {
			for _, p := range order {
				if len(cpus) > 0 {
					if err := place(p.cmd.Process.Pid, cpus[round%len(cpus)]); err != nil {
						return nil, fmt.Errorf("%s: %w", p.Name, err)
					}
				}
				b, err := p.Run(d.Nanoseconds(), opt.reps)
				if err != nil {
					return nil, err
				}
				blocks = append(blocks, Measured{Peer: p.Name, Round: round, Block: b})
			}
			slices.Reverse(order)
		}
	}
	return blocks, nil
}

// device names the GPU and its driver; it is empty where nvidia-smi does not answer.
func device(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader",
		"--id=0").Output()
	if err != nil {
		return ""
	}
	name, driver, _ := strings.Cut(strings.TrimSpace(string(out)), ", ")
	return name + ", driver " + driver
}
