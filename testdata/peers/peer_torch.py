"""The schedule of the suite's reference case as PyTorch users write it: torch streams, an event for each hand-over made
when it is needed, torch.cuda.CUDAGraph for the replay, two small kernels from an inline extension.

peer_torch.py --op-ns 2000 --reps 201   one block, as one JSON object
peer_torch.py --serve                   a block for each line "run OP_NS REPS" on stdin, as one line of JSON

The kernels are those of peer.cu: they run for an exact time and stamp their start and end. All times are integer
nanoseconds: wall from the first call to the return of the synchronisation, issue to the return of the last call before
it, span from the first stamped start to the last stamped end.
"""

import argparse
import json
import os
import statistics
import sys
import time

STAGES = 4
OPS = 2 * STAGES
FIELDS = ("wall_ns", "issue_ns", "span_ns")

# A slot is passed as its address, which costs a call less than a tensor does.
DECLARATIONS = """
void computation(int64_t ns, int64_t slot);
void communication(int64_t ns, int64_t slot);
"""

KERNELS = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

struct Stamp { unsigned long long start, end; };

__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

#define KERNEL(NAME)                                                                          \
  __global__ void NAME##_kernel(unsigned long long ns, Stamp *slot) {                         \
    const unsigned long long start = now();                                                   \
    unsigned long long end = start;                                                           \
    while (end - start < ns) end = now();                                                     \
    *slot = Stamp{start, end};                                                                \
  }                                                                                           \
  void NAME(int64_t ns, int64_t slot) {                                                       \
    auto stream = c10::cuda::getCurrentCUDAStream().stream();                                 \
    NAME##_kernel<<<1, 1, 0, stream>>>(ns, reinterpret_cast<Stamp *>(slot));                  \
    C10_CUDA_KERNEL_LAUNCH_CHECK();                                                           \
  }

KERNEL(computation)
KERNEL(communication)
"""


def build():
    """Compiles the two kernels for the GPU in hand."""
    import torch
    from torch.utils.cpp_extension import load_inline

    major, minor = torch.cuda.get_device_capability()
    os.environ["TORCH_CUDA_ARCH_LIST"] = f"{major}.{minor}"
    return load_inline(
        name=f"overlap_peer_sm{major}{minor}",
        cpp_sources=DECLARATIONS,
        cuda_sources=KERNELS,
        functions=["computation", "communication"],
        extra_cuda_cflags=["-O3"],
        with_cuda=True,
    )


class Schedule:
    """Two micro-batches, four stages; the graph of the op duration in hand."""

    def __init__(self):
        import torch

        self.torch = torch
        kernels = build()
        self.stages = [kernels.computation, kernels.communication] * (STAGES // 2)
        self.stamps = torch.empty(OPS, 2, dtype=torch.int64, device="cuda")
        row = self.stamps.stride(0) * self.stamps.element_size()
        self.slots = [self.stamps.data_ptr() + row * i for i in range(OPS)]
        self.mb0 = torch.cuda.Stream()
        self.mb1 = torch.cuda.Stream()
        self.op_ns = 0
        self.graph = None

    def giant(self):
        for stage, op in enumerate(self.stages):
            op(2 * self.op_ns, self.slots[stage])

    def eager(self):
        cuda = self.torch.cuda
        origin = cuda.current_stream()
        fork = cuda.Event()
        fork.record(origin)
        self.mb0.wait_event(fork)
        self.mb1.wait_event(fork)
        for stage, op in enumerate(self.stages):
            with cuda.stream(self.mb0):
                op(self.op_ns, self.slots[2 * stage])
                passed = cuda.Event()
                passed.record(self.mb0)
            with cuda.stream(self.mb1):
                self.mb1.wait_event(passed)
                op(self.op_ns, self.slots[2 * stage + 1])
        for stream in (self.mb0, self.mb1):
            join = cuda.Event()
            join.record(stream)
            origin.wait_event(join)

    def replay(self):
        self.graph.replay()

    def modes(self):
        return {"giant": (self.giant, STAGES), "eager": (self.eager, OPS), "replay": (self.replay, OPS)}

    def prepare(self, op_ns):
        """Captures the graph for ops of op_ns and warms every mode."""
        if op_ns == self.op_ns:
            return
        self.op_ns = op_ns
        self.eager()
        self.torch.cuda.synchronize()
        self.graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(self.graph):
            self.eager()
        for _ in range(5):
            for body, ops in self.modes().values():
                self.time(body, ops)

    def time(self, body, ops):
        """Poisons the slots, runs body and the synchronisation under the clock, reads the slots afterwards."""
        cuda = self.torch.cuda
        stream = cuda.current_stream()
        self.stamps.fill_(-1)
        cuda.synchronize()
        start = time.perf_counter_ns()
        body()
        issued = time.perf_counter_ns()
        stream.synchronize()
        end = time.perf_counter_ns()
        stamps = self.stamps[:ops].cpu()
        if (stamps < 0).any():
            raise RuntimeError("an op did not run")
        return end - start, issued - start, int(stamps[:, 1].max() - stamps[:, 0].min())


def run(schedule, op_ns, reps):
    """One block: the three modes interleaved forth and back."""
    schedule.prepare(op_ns)
    modes = list(schedule.modes().items())
    samples = {name: [] for name, _ in modes}
    for rep in range(reps):
        for name, (body, ops) in modes if rep % 2 == 0 else reversed(modes):
            samples[name].append(schedule.time(body, ops))
    block = {"op_ns": op_ns}
    for name, timings in samples.items():
        columns = dict(zip(FIELDS, map(list, zip(*timings))))
        block[name] = {**columns, "median": {field: int(statistics.median(v)) for field, v in columns.items()}}
    return block


def valid(op_ns, reps):
    return 1 <= op_ns <= 10**9 and 1 <= reps <= 10**6


def serve():
    schedule = Schedule()
    for line in sys.stdin:
        words = line.split()
        if len(words) != 3 or words[0] != "run" or not all(w.isdigit() for w in words[1:]):
            sys.exit(f"peer_torch: {line.strip()}: want: run OP_NS REPS")
        op_ns, reps = int(words[1]), int(words[2])
        if not valid(op_ns, reps):
            sys.exit(f"peer_torch: {line.strip()}: want 1 to 1e9 ns and 1 to 1e6 repetitions")
        print(json.dumps(run(schedule, op_ns, reps)), flush=True)


def main():
    flags = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    flags.add_argument("--op-ns", type=int, default=100_000)
    flags.add_argument("--reps", type=int, default=201)
    flags.add_argument("--serve", action="store_true")
    args = flags.parse_args()
    if args.serve:
        serve()
    elif valid(args.op_ns, args.reps):
        print(json.dumps(run(Schedule(), args.op_ns, args.reps)))
    else:
        flags.error("want 1 to 1e9 ns and 1 to 1e6 repetitions")


if __name__ == "__main__":
    main()
