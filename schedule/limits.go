package schedule

import "time"

// What a schedule may have at most. The language and Validate refuse what is beyond.
const (
	MaxOps       = 4_000_000
	MaxPairs     = 1 << 26                // ops times streams: the order of a schedule needs as many numbers
	MaxMicro     = 1024                   // micro-batches of a pipeline
	MaxRepeat    = 1_000_000              // rounds of a pipeline's stages
	MaxOffset    = 1024                   // stages from one micro-batch to the next
	MaxOp        = time.Hour              // of one op
	MaxTotal     = 24 * time.Hour         // of all ops
	MaxHostDelay = 100 * time.Millisecond // for each call
	MaxCapacity  = 1024                   // of an engine
	MaxBytes     = 64 << 30               // of a copy
	MaxWaves     = 64                     // of a grid
	MaxPriority  = 100                    // of a stream; −100 at least
	MaxThread    = 7                      // of a call: there are eight
	MaxCode      = 9999                   // that a call may want; CUDA's last is 999
)

// mostBurst is how many launches one burst makes at most.
const mostBurst = 1 << 20
