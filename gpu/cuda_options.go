package gpu

import "time"

// Options says which GPU OpenCUDA opens and how patient it is. The zero value is GPU 0 with the defaults.
type Options struct {
	GPU  int           // the driver's ordinal, as CUDA_VISIBLE_DEVICES leaves it
	Wait time.Duration // how long to wait for another suite that uses the GPU; 0 means 5 minutes
	// Slack is what a request may take beyond its nominal durations, times four, before its worker is taken for hung
	// and killed; 0 means 30 seconds.
	Slack time.Duration
}

func (o Options) wait() time.Duration {
	if o.Wait > 0 {
		return o.Wait
	}
	return 5 * time.Minute
}

func (o Options) slack() time.Duration {
	if o.Slack > 0 {
		return o.Slack
	}
	return 30 * time.Second
}
