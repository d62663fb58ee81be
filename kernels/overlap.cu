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

// Where in the buffer a launch begins to read: far from the ops that run beside it, whose slots are others, and elsewhere
// than the last time, so that it is the memory that answers and not a cache. The factors are those of a sequence in the
// plane of which no two near members lie close together (1/g and 1/g^2 with g^3 = g + 1, as parts of 2^64).
static __device__ __inline__ unsigned place(const Slot *slot, unsigned mask) {
    u64 at = (u64)slot / sizeof *slot * 0xc13fa9a902a6328full + (now() >> 16) * 0x91e10da5c79e7b1dull;
    return (unsigned)((at >> 32) * ((u64)mask + 1) >> 32) & ~255u;
}

// Reads a number of words, so many threads of each block together, eight each at a time so that enough of them are on
// their way. The buffer is a power of two of words, mask + 1, and what one such step reads; it is larger than the caches.
static __device__ __inline__ void memory(u64 words, Slot *slot, const Word *buffer, unsigned mask, unsigned readers) {
    unsigned block, sum = 0;
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    if (thread() == 0)
        stamp_start(slot);
    if (thread() < readers) {
        unsigned stride = blocks() * readers, mine = block * readers + thread(), at = place(slot, mask) + mine;
        for (u64 i = mine; i < words; i += 8 * stride, at += 8 * stride) {
            const Word *from = &buffer[at & mask];
            Word w[8];
#pragma unroll
            for (unsigned k = 0; k < 8; k++, from += stride)
                asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(w[k].x), "=r"(w[k].y), "=r"(w[k].z), "=r"(w[k].w)
                             : "l"(from));
#pragma unroll
            for (unsigned k = 0; k < 8; k++)
                sum += w[k].x ^ w[k].y ^ w[k].z ^ w[k].w;
        }
    }
    if (sum == 0x9e3779b9u) // never of zeros: it keeps the loads
        slot->sm = sum;
    together();
    if (thread() == 0)
        stamp_end(slot);
}

// The largest block is one of 1024 threads. Of kernels that hold SMs, two fit on one; one that reads has registers for the
// words that are on their way.
#define HOLDS extern "C" __global__ __attribute__((launch_bounds(1024, 2)))
#define READS extern "C" __global__ __attribute__((launch_bounds(1024)))

HOLDS void computation_exact(u64 ns, Slot *slot) { exact(ns, slot); }
HOLDS void communication_exact(u64 ns, Slot *slot) { exact(ns, slot); }
HOLDS void computation_nanosleep(u64 ns, Slot *slot) { nanosleep(ns, slot); }
HOLDS void communication_nanosleep(u64 ns, Slot *slot) { nanosleep(ns, slot); }
READS void computation_memory(u64 words, Slot *slot, const Word *buffer, unsigned mask, unsigned readers) {
    memory(words, slot, buffer, mask, readers);
}
READS void communication_memory(u64 words, Slot *slot, const Word *buffer, unsigned mask, unsigned readers) {
    memory(words, slot, buffer, mask, readers);
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
