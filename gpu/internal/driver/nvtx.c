//go:build gpu && cgo

// NVTX is headers alone: without a tool attached, a range is a test of one pointer.
#include <nvtx3/nvToolsExt.h>

#include "overlap.h"

void ov_range_push(const char *name) { nvtxRangePushA(name); }
void ov_range_pop(void) { nvtxRangePop(); }
