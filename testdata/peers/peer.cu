// The schedule of the suite's reference case as a plain C++ program over the CUDA runtime API: two micro-batches pass
// four stages on two streams, every op takes D. It is what `make compare` measures the suite's own driver against, so it
// does nothing that a careful author would not do by hand, and nothing less:
//
//   - kernels that run for an exact time and stamp their start and end;
//   - the legacy default stream as origin, two non-blocking streams, seven events created once;
//   - the graph captured on a private stream, instantiated and uploaded before anything is timed;
//   - giant batch, eager schedule and graph replay interleaved forth and back.
//
// peer --op-ns 2000 --reps 201 [--json]   one block, as a table or as one JSON object
// peer --serve                            a block for each line "run OP_NS REPS" on stdin, as one line of JSON
//
// Times are integer nanoseconds: wall from the first call to the return of the synchronisation, issue to the return of
// the last call before it, span from the first stamped start to the last stamped end.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t code, const char *call, int line) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "peer.cu:%d: %s: %d %s: %s\n", line, call, static_cast<int>(code), cudaGetErrorName(code),
               cudaGetErrorString(code));
  std::exit(1);
}

struct Stamp {
  unsigned long long start, end;
};

__device__ __forceinline__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void computation(unsigned long long ns, Stamp *slot) {
  const unsigned long long start = now();
  unsigned long long end = start;
  while (end - start < ns) end = now();
  *slot = Stamp{start, end};
}

__global__ void communication(unsigned long long ns, Stamp *slot) {
  const unsigned long long start = now();
  unsigned long long end = start;
  while (end - start < ns) end = now();
  *slot = Stamp{start, end};
}

constexpr int kStages = 4, kOps = 2 * kStages;

struct Timing {
  long long wall, issue, span;
};

// Schedule holds what is created once: streams, events, slots, and the graph of the op duration in hand.
class Schedule {
 public:
  Schedule() {
    CHECK(cudaStreamCreateWithFlags(&mb0_, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&mb1_, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&capture_, cudaStreamNonBlocking));
    for (cudaEvent_t *e : {&fork_, &join0_, &join1_}) CHECK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
    for (cudaEvent_t &e : done_) CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CHECK(cudaMalloc(&slots_, sizeof(Stamp) * kOps));
  }

  // Prepare captures, instantiates and uploads the graph for ops of op_ns, and warms every mode.
  void Prepare(unsigned long long op_ns) {
    if (op_ns == op_ns_) return;
    if (exec_ != nullptr) CHECK(cudaGraphExecDestroy(exec_));
    op_ns_ = op_ns;
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(capture_, cudaStreamCaptureModeThreadLocal));
    Overlap(capture_);
    CHECK(cudaStreamEndCapture(capture_, &graph));
    CHECK(cudaGraphInstantiate(&exec_, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphUpload(exec_, capture_));
    CHECK(cudaStreamSynchronize(capture_));
    for (int i = 0; i < 5; i++) {
      Giant();
      Eager();
      Replay();
    }
  }

  Timing Giant() {
    return Time(kStages, [this] {
      for (int s = 0; s < kStages; s++) Launch(s, 2 * op_ns_, cudaStreamLegacy, s);
    });
  }

  Timing Eager() {
    return Time(kOps, [this] { Overlap(cudaStreamLegacy); });
  }

  Timing Replay() {
    return Time(kOps, [this] { CHECK(cudaGraphLaunch(exec_, cudaStreamLegacy)); });
  }

 private:
  void Launch(int stage, unsigned long long ns, cudaStream_t stream, int slot) {
    if (stage % 2 == 0)
      computation<<<1, 1, 0, stream>>>(ns, slots_ + slot);
    else
      communication<<<1, 1, 0, stream>>>(ns, slots_ + slot);
    CHECK(cudaGetLastError());
  }

  // Overlap issues the schedule: at each stage micro-batch 1 waits until micro-batch 0 has passed it.
  void Overlap(cudaStream_t origin) {
    CHECK(cudaEventRecord(fork_, origin));
    CHECK(cudaStreamWaitEvent(mb0_, fork_, 0));
    CHECK(cudaStreamWaitEvent(mb1_, fork_, 0));
    for (int s = 0; s < kStages; s++) {
      Launch(s, op_ns_, mb0_, 2 * s);
      CHECK(cudaEventRecord(done_[s], mb0_));
      CHECK(cudaStreamWaitEvent(mb1_, done_[s], 0));
      Launch(s, op_ns_, mb1_, 2 * s + 1);
    }
    CHECK(cudaEventRecord(join0_, mb0_));
    CHECK(cudaStreamWaitEvent(origin, join0_, 0));
    CHECK(cudaEventRecord(join1_, mb1_));
    CHECK(cudaStreamWaitEvent(origin, join1_, 0));
  }

  // Time poisons the slots, runs the body and the synchronisation under the clock, and reads the slots afterwards.
  template <typename Body>
  Timing Time(int ops, Body body) {
    using Clock = std::chrono::steady_clock;
    CHECK(cudaMemset(slots_, 0xff, sizeof(Stamp) * kOps));
    CHECK(cudaDeviceSynchronize());
    const auto start = Clock::now();
    body();
    const auto issued = Clock::now();
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
    const auto end = Clock::now();
    const auto ns = [start](Clock::time_point t) {
      return static_cast<long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(t - start).count());
    };
    return {ns(end), ns(issued), Span(ops)};
  }

  long long Span(int ops) {
    std::array<Stamp, kOps> s;
    CHECK(cudaMemcpy(s.data(), slots_, sizeof(Stamp) * kOps, cudaMemcpyDeviceToHost));
    unsigned long long first = ~0ull, last = 0;
    for (int i = 0; i < ops; i++) {
      if (s[i].start == ~0ull) {
        std::fprintf(stderr, "peer.cu: op %d did not run\n", i);
        std::exit(1);
      }
      first = std::min(first, s[i].start);
      last = std::max(last, s[i].end);
    }
    return static_cast<long long>(last - first);
  }

  cudaStream_t mb0_, mb1_, capture_;
  cudaEvent_t fork_, join0_, join1_;
  std::array<cudaEvent_t, kStages> done_;
  cudaGraphExec_t exec_ = nullptr;
  Stamp *slots_ = nullptr;
  unsigned long long op_ns_ = 0;
};

struct Block {
  unsigned long long op_ns;
  std::array<std::vector<Timing>, 3> modes;  // giant, eager, replay
};

static const char *const kModes[] = {"giant", "eager", "replay"};

static Block Run(Schedule &schedule, unsigned long long op_ns, int reps) {
  schedule.Prepare(op_ns);
  Block b{op_ns, {}};
  for (int r = 0; r < reps; r++) {
    for (int i = 0; i < 3; i++) {
      const int mode = r % 2 == 0 ? i : 2 - i;
      b.modes[mode].push_back(mode == 0 ? schedule.Giant() : mode == 1 ? schedule.Eager() : schedule.Replay());
    }
  }
  return b;
}

static long long Median(const std::vector<Timing> &timings, long long Timing::*field) {
  std::vector<long long> v;
  for (const Timing &t : timings) v.push_back(t.*field);
  std::sort(v.begin(), v.end());
  const size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

struct Field {
  const char *name;
  long long Timing::*of;
};

static const Field kFields[] = {{"wall_ns", &Timing::wall}, {"issue_ns", &Timing::issue}, {"span_ns", &Timing::span}};

static void PrintJSON(const Block &b) {
  std::printf("{\"op_ns\":%llu", b.op_ns);
  for (int m = 0; m < 3; m++) {
    std::printf(",\"%s\":{", kModes[m]);
    for (const Field &f : kFields) {
      std::printf("\"%s\":[", f.name);
      const char *comma = "";
      for (const Timing &t : b.modes[m]) {
        std::printf("%s%lld", comma, t.*f.of);
        comma = ",";
      }
      std::printf("],");
    }
    const char *comma = "";
    std::printf("\"median\":{");
    for (const Field &f : kFields) {
      std::printf("%s\"%s\":%lld", comma, f.name, Median(b.modes[m], f.of));
      comma = ",";
    }
    std::printf("}}");
  }
  std::printf("}\n");
  std::fflush(stdout);
}

static void PrintTable(const Block &b) {
  std::printf("%llu ns ops, ideal %llu ns; medians of %zu in ns\n", b.op_ns, 5 * b.op_ns, b.modes[0].size());
  for (int m = 0; m < 3; m++) {
    std::printf("%-6s", kModes[m]);
    for (const Field &f : kFields) std::printf("  %s %lld", f.name, Median(b.modes[m], f.of));
    std::printf("\n");
  }
}

static int Usage() {
  std::fprintf(stderr, "usage: peer --op-ns N --reps N [--json] | peer --serve   (N: 1 to 1e9 ns, 1 to 1e6 repetitions)\n");
  return 2;
}

static bool Valid(unsigned long long op_ns, long long reps) {
  return op_ns >= 1 && op_ns <= 1000000000ull && reps >= 1 && reps <= 1000000;
}

static int Serve() {
  Schedule schedule;
  char line[256];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    unsigned long long op_ns = 0;
    long long reps = 0;
    if (std::sscanf(line, "run %llu %lld", &op_ns, &reps) != 2 || !Valid(op_ns, reps)) {
      std::fprintf(stderr, "peer: %s: want: run OP_NS REPS\n", std::string(line, std::strcspn(line, "\n")).c_str());
      return 2;
    }
    PrintJSON(Run(schedule, op_ns, static_cast<int>(reps)));
  }
  return 0;
}

int main(int argc, char **argv) {
  unsigned long long op_ns = 100000;
  long long reps = 201;
  bool json = false;
  for (int i = 1; i < argc; i++) {
    const std::string arg = argv[i];
    if (arg == "--serve" && argc == 2) return Serve();
    if (arg == "--json")
      json = true;
    else if (arg == "--op-ns" && i + 1 < argc)
      op_ns = std::strtoull(argv[++i], nullptr, 10);
    else if (arg == "--reps" && i + 1 < argc)
      reps = std::strtoll(argv[++i], nullptr, 10);
    else
      return Usage();
  }
  if (!Valid(op_ns, reps)) return Usage();
  Schedule schedule;
  const Block b = Run(schedule, op_ns, static_cast<int>(reps));
  if (json)
    PrintJSON(b);
  else
    PrintTable(b);
  return 0;
}
