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

static __device__ __inline__ unsigned thread() {
    unsigned t;
    asm("mov.u32 %0, %%tid.x;" : "=r"(t));
    return t;
}

static __device__ __inline__ unsigned threads() {
    unsigned n;
    asm("mov.u32 %0, %%ntid.x;" : "=r"(n));
    return n;
}

// The threads of a block wait for one another, so that the block holds all of its SM's room to the end.
static __device__ __inline__ void together() {
    if (threads() > 1)
        asm volatile("bar.sync 0;" ::: "memory");
}

// Runs up to a deadline, each block its own: as exact as %globaltimer is fine.
static __device__ __inline__ void exact(u64 ns, Slot *slot) {
    if (thread() == 0) {
        u64 start = stamp_start(slot);
        while (now() - start < ns) {
        }
        stamp_end(slot);
    }
    together();
}

// Sleeps in steps of at most 1 ms, the most that one nanosleep takes, and so overshoots by some per cent.
static __device__ __inline__ void nanosleep(u64 ns, Slot *slot) {
    const unsigned step = 1000000;
    if (thread() == 0) {
        stamp_start(slot);
        for (; ns >= step; ns -= step)
            sleep(step);
        if (ns > 0)
            sleep((unsigned)ns);
        stamp_end(slot);
    }
    together();
}

struct Word {
    unsigned x, y, z, w;
};

// Reads a number of words, all blocks and threads together, from a buffer of a power of two of words that is larger than
// the caches, eight at a time so that enough of them are on their way.
static __device__ __inline__ void memory(u64 words, Slot *slot, const Word *buffer, u64 mask) {
    unsigned block;
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    if (thread() == 0)
        stamp_start(slot);
    u64 stride = (u64)blocks() * threads(), i = (u64)block * threads() + thread();
    unsigned sum = 0;
    for (; i < words; i += 8 * stride) {
        Word w[8];
#pragma unroll
        for (unsigned k = 0; k < 8; k++)
            asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(w[k].x), "=r"(w[k].y), "=r"(w[k].z), "=r"(w[k].w)
                         : "l"(&buffer[(i + k * stride) & mask]));
#pragma unroll
        for (unsigned k = 0; k < 8; k++)
            sum += w[k].x ^ w[k].y ^ w[k].z ^ w[k].w;
    }
    if (sum == 0x9e3779b9u) // never of zeros: it keeps the loads
        slot->sm = sum;
    together();
    if (thread() == 0)
        stamp_end(slot);
}

extern "C" __global__ void computation_exact(u64 ns, Slot *slot) { exact(ns, slot); }
extern "C" __global__ void communication_exact(u64 ns, Slot *slot) { exact(ns, slot); }
extern "C" __global__ void computation_nanosleep(u64 ns, Slot *slot) { nanosleep(ns, slot); }
extern "C" __global__ void communication_nanosleep(u64 ns, Slot *slot) { nanosleep(ns, slot); }
extern "C" __global__ void computation_memory(u64 words, Slot *slot, const Word *buffer, u64 mask) {
    memory(words, slot, buffer, mask);
}
extern "C" __global__ void communication_memory(u64 words, Slot *slot, const Word *buffer, u64 mask) {
    memory(words, slot, buffer, mask);
}

// What cannot stamp itself runs between these two.
extern "C" __global__ void stamp_begin(u64, Slot *slot) { stamp_start(slot); }
extern "C" __global__ void stamp_end_of(u64, Slot *slot) { stamp_end(slot); }

// Holds its stream until the host sets a word, or for so many ns.
extern "C" __global__ void gate(u64 ns, volatile unsigned *word) {
    u64 start = now();
    while (now() - start < ns && *word == 0)
        sleep(200);
}
