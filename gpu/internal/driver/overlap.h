// What Go calls. Times are nanoseconds; codes are CUresult.
#ifndef OVERLAP_H
#define OVERLAP_H

#include <cuda.h>
#include <stdint.h>

#include "load.h"

// The verbs, numbered as schedule.Verb.
enum {
    OV_LAUNCH, OV_HOST_FUNC, OV_RECORD, OV_WAIT, OV_BEGIN_CAPTURE, OV_END_CAPTURE, OV_INSTANTIATE, OV_UPLOAD, OV_REPLAY,
    OV_SYNC_STREAM, OV_QUERY_STREAM, OV_SYNC_EVENT, OV_QUERY_EVENT, OV_SYNC_CONTEXT,
    OV_CREATE_STREAM, OV_DESTROY_STREAM, OV_CREATE_EVENT, OV_DESTROY_EVENT,
    OV_COPY, OV_GATE, OV_OPEN_GATE,
    OV_EXCHANGE_MODE, OV_CAPTURE_INFO, OV_IS_CAPTURING, OV_DEPEND, OV_BEGIN_CAPTURE_TO, OV_RECORD_EXTERNAL, OV_WAIT_EXTERNAL,
    OV_ELAPSED, OV_STREAM_PRIORITY, OV_STREAM_FLAGS, OV_INVOKE, OV_LAUNCH_WITH, OV_CREATE_GRAPH, OV_ADD_NODE, OV_ADD_EDGES,
    OV_REMOVE_EDGES, OV_DESTROY_NODE, OV_DESTROY_GRAPH, OV_DESTROY_EXEC, OV_ENABLE_NODE, OV_INSTANTIATE_WITH, OV_UPDATE_EXEC,
    OV_LIST_GRAPH, OV_PRINT_GRAPH, OV_BURST, OV_PAUSE, OV_VERBS
};

// A driver call: indices into the tables of its program, -1 where the verb names none.
typedef struct {
    int32_t verb, mode;
    int32_t stream, event, graph, op;
} ov_call;

// When a host function ran, on CLOCK_MONOTONIC; start 0 when it did not.
typedef struct {
    int64_t start, end;
} ov_host_stamp;

// What an op's launch needs, built before anything is timed. A copy stands between two kernels that stamp.
typedef struct {
    CUfunction kernel;
    uint32_t blocks, threads, shared;
    uint64_t ns; // or, of a kernel that reads memory, words
    CUdeviceptr slot, buffer;
    uint32_t mask, readers; // of a kernel that reads memory: of its buffer, and of each block
    void *params[5];        // &ns, &slot, &buffer, &mask, &readers
    ov_host_stamp host;
    size_t bytes; // of a copy; 0 otherwise
    int to_host, pageable;
    void *memory;       // the host's end of a copy
    CUdeviceptr device; // the device's end
    uint64_t mark;      // the latest repetition, counted: the last bytes of the source, 8 at most
} ov_op;

typedef struct {
    CUstream handle;
    uint32_t flags;
    int32_t priority;
} ov_stream;

// A prepared program. A stream or event that does not exist now has the handle OV_ABSENT: NULL is the legacy stream. A graph
// or exec that was never made is NULL, and OV_ABSENT once it was destroyed.
typedef struct {
    int32_t nstreams, nevents, ngraphs, nops;
    ov_stream *streams;
    CUevent *events;
    CUgraph *graphs;
    CUgraphExec *execs;
    ov_op *ops;
    CUdeviceptr slots; // nops, and one more, by which clocks are compared
    ov_call *body;
    int32_t nbody;
    int captures;    // the body begins a capture
    int copies;      // some op is a copy
    uint64_t *ticks; // nbody + 1
    uint64_t delay;  // ns that the host takes longer for each call of the body
    CUfunction begin, end, gate;
    uint32_t *word; // of the gate, in pinned memory
    char range[64];  // what a profiler calls a repetition
} ov_program;

#define OV_ABSENT ((void *)-1)

// The index of a stream's, event's or graph's handle that is NULL: schedule.Null.
enum { OV_NULL = -2 };

// ov_created says whether a stream's handle is one that the program made: it is destroyed with the program.
static inline int ov_created(CUstream s) { return s != OV_ABSENT && s != NULL && s != CU_STREAM_PER_THREAD; }
static inline CUstream ov_per_thread(void) { return CU_STREAM_PER_THREAD; }
static inline int ov_there(const void *graph) { return graph != NULL && graph != OV_ABSENT; }

// ov_new allocates a program whose streams and events are absent; NULL when memory is short.
ov_program *ov_new(int32_t streams, int32_t events, int32_t graphs, int32_t ops, const ov_call *body, int32_t nbody);

// ov_free ends open captures and destroys what still exists, then frees the memory.
void ov_free(ov_program *p);

// ov_end_captures ends what a program that failed midway left capturing: while it lasts, the thread may neither wait for
// the context nor free memory. Only the origin of a capture can end it; on its other streams the call fails.
void ov_end_captures(ov_program *p);

// ov_do makes one call, untimed.
int32_t ov_do(ov_program *p, const ov_call *c);

// ov_warm runs a kernel of 0 ns on a stream and waits for it.
int32_t ov_warm(CUfunction kernel, CUdeviceptr slot, CUstream stream);

// What a repetition took. start is on CLOCK_MONOTONIC, wall counts from it. %globaltimer − CLOCK_MONOTONIC lies between low
// and high.
typedef struct {
    int64_t start, wall, low, high;
} ov_times;

// ov_copy makes an op a copy: it allocates both ends and copies once.
int32_t ov_copy(ov_program *p, int32_t op, uint64_t bytes, int to_host, int pageable);

// ov_arrived says whether a copy's latest repetition copied, as far as its last bytes tell.
int ov_arrived(const ov_program *p, int32_t op);

// ov_word makes the word of the gate, once.
int32_t ov_word(ov_program *p);

// What a kernel may hold of an SM: ov_limits gives the most shared memory of a block, and threads of an SM.
int32_t ov_limits(int32_t device, int32_t *shared, int32_t *threads);
int32_t ov_allow_shared(CUfunction kernel, int32_t bytes);

// ov_drop_graph destroys a graph and forgets it wherever it stands: a capture into a graph ends with the same graph.
int32_t ov_drop_graph(ov_program *p, CUgraph g);

// What walk.c and the calls of traces share: the host function of an op, a copy alone, the host's clock, a wait.
void CUDA_CB ov_host_func(void *op);
int32_t ov_copy_alone(ov_op *op, CUstream s);
int64_t ov_monotonic(void);
void ov_dawdle(uint64_t ns);

// ov_zero fills device memory with zeros.
int32_t ov_zero(CUdeviceptr at, uint64_t bytes);

// ov_once runs an op's kernel alone on the legacy stream and gives its stamps.
int32_t ov_once(ov_op *op, void *slot);

// ov_rep poisons the stamps, waits for the device, walks the body, waits again and reads the slots back. codes is of
// nbody, issued (from the start) of nbody + 1: the last is when the last call returned. It gives the first code of its own
// calls that is not CUDA_SUCCESS.
int32_t ov_rep(ov_program *p, int32_t *codes, int64_t *issued, void *slots, ov_host_stamp *hosts, ov_times *times);

// ov_settle and ov_collect are the two ends of a repetition: poisoned stamps and an idle device; and the stamps read back,
// after all work has ended. Of times, ov_collect sets low and high.
int32_t ov_settle(ov_program *p);
int32_t ov_collect(ov_program *p, void *slots, ov_host_stamp *hosts, ov_times *times);

// ov_clock compares the clocks more often than a repetition has the time to: between low and high is then what the device's
// clock shows more than the host's.
int32_t ov_clock(ov_program *p, ov_times *times);

// Ranges for a profiler; free when none is attached.
void ov_range_push(const char *name);
void ov_range_pop(void);

#endif
