// The kernels that ops run: two names, so that a profiler tells computation from communication, and two ways to spend a
// duration. Built by build.sh with clang alone: no CUDA header, so the keywords and special registers stand here.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __inline__ inline __attribute__((always_inline))

typedef unsigned long long u64;

// One op's stamps. The host poisons all bytes with 0xff; not_end is the complement of the end, so that both times are
// found by a minimum and one fill poisons both.
struct Slot {
    u64 start;   // %globaltimer at the first start over the blocks
    u64 not_end; // ~%globaltimer at the last end over the blocks
    unsigned sm; // %smid of a block
    unsigned pad[3];
};

static __device__ __inline__ u64 now() {
    u64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

static __device__ __inline__ void sleep(unsigned ns) {
    asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory");
}

static __device__ __inline__ void keep_min(u64 *at, u64 t) {
    asm volatile("red.min.u64 [%0], %1;" ::"l"(at), "l"(t) : "memory");
}

static __device__ __inline__ unsigned blocks() {
    unsigned n;
    asm("mov.u32 %0, %%nctaid.x;" : "=r"(n));
    return n;
}

// A kernel ends when its last memory operation has: a block that is alone stores, which takes less than a reduction.
static __device__ __inline__ void keep(u64 *at, u64 t) {
    if (blocks() == 1)
        *(volatile u64 *)at = t;
    else
        keep_min(at, t);
}

static __device__ __inline__ u64 stamp_start(Slot *slot) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    u64 start = now();
    keep(&slot->start, start);
    slot->sm = sm;
    return start;
}

static __device__ __inline__ void stamp_end(Slot *slot) { keep(&slot->not_end, ~now()); }

// Runs up to a deadline, each block its own: as exact as %globaltimer is fine.
static __device__ __inline__ void exact(u64 ns, Slot *slot) {
    u64 start = stamp_start(slot);
    while (now() - start < ns) {
    }
    stamp_end(slot);
}

// Sleeps in steps of at most 1 ms, the most that one nanosleep takes, and so overshoots by some per cent.
static __device__ __inline__ void nanosleep(u64 ns, Slot *slot) {
    const unsigned step = 1000000;
    stamp_start(slot);
    for (; ns >= step; ns -= step)
        sleep(step);
    if (ns > 0)
        sleep((unsigned)ns);
    stamp_end(slot);
}

extern "C" __global__ void computation_exact(u64 ns, Slot *slot) { exact(ns, slot); }
extern "C" __global__ void communication_exact(u64 ns, Slot *slot) { exact(ns, slot); }
extern "C" __global__ void computation_nanosleep(u64 ns, Slot *slot) { nanosleep(ns, slot); }
extern "C" __global__ void communication_nanosleep(u64 ns, Slot *slot) { nanosleep(ns, slot); }
