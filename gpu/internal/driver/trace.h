// The calls of a trace: those of overlap.h one by one, and the many that only probes make.
#ifndef OVERLAP_TRACE_H
#define OVERLAP_TRACE_H

#include "overlap.h"

// The calls without operands, numbered as schedule.API.
enum {
    OV_NO_API, OV_MEMCPY_HTOD, OV_MEMCPY_HTOD_PAGEABLE, OV_MEMCPY_DTOH, OV_MEMCPY_DTOH_PAGEABLE, OV_MEMCPY_DTOD, OV_MEMSET_D8,
    OV_MEMSET_D32, OV_MEMSET_2D, OV_MEMSET_NOTHING, OV_MEM_ALLOC_ASYNC, OV_MEM_FREE_ASYNC, OV_WRITE_VALUE, OV_ADD_CALLBACK,
    OV_ATTACH_MEM, OV_LAUNCH_HOST_NULL, OV_LAUNCH_HOST_QUERY, OV_LAUNCH_EMPTY,
    OV_MEM_ALLOC, OV_MEM_ALLOC_NOTHING, OV_MEM_FREE, OV_MEM_ALLOC_HOST, OV_MEM_FREE_HOST, OV_MEMCPY_SYNC, OV_MODULE_LOAD,
    OV_MODULE_UNLOAD, OV_FUNC_SET_ATTRIBUTE, OV_CTX_SET_LIMIT, OV_MAKE_STREAM, OV_KILL_STREAM, OV_MAKE_EVENT, OV_KILL_EVENT,
    OV_MAKE_GRAPH, OV_MAKE_EXEC, OV_LAUNCH_ELSEWHERE, OV_REPLAY_ELSEWHERE, OV_ELAPSED_ELSEWHERE, OV_APIS
};

// The values of ov_step.number: schedule's.
enum { OV_AFTER_TRIGGER = 1, OV_TRIGGER_AT_END, OV_TRIGGER_AT_START, OV_COMPLETES_LAUNCH };
enum { OV_DEPEND_NULL = -1 };
enum { OV_ADD_OP = -1 };

// A call with all its operands but its nodes: indices as in ov_call.
typedef struct {
    ov_call call;
    int32_t number, second, api, event, graph, node;
    int32_t flags;    // a stream or event is created with the flags of number,
    int32_t priority; // and a stream with the priority of second
    uint64_t ns;
} ov_step;

// What a call gave. Nodes are ids; -1 for one that has none.
enum { OV_SEEN = 256 };
typedef struct {
    int32_t code, nvalues, nnodes, asked;
    int64_t took, values[2];
    int32_t nodes[OV_SEEN];
} ov_saw;

// What a host function that asks for its own stream got.
typedef struct {
    CUstream stream;
    int32_t code, ran;
} ov_asked;

// A thing that a call made, to be destroyed at the end.
typedef struct {
    int32_t api;
    void *handle;
} ov_made;

// What the calls without operands work on: made before the first call, because during a capture much may not be.
typedef struct {
    CUstream elsewhere;
    CUevent events[2]; // recorded elsewhere, with timing
    void *pinned, *pageable;
    CUdeviceptr device[2], managed;
    CUgraph graph; // of one empty kernel
    CUgraphExec exec;
    void **spare[OV_APIS]; // to be destroyed by a call
    int32_t nspare[OV_APIS];
    ov_made *made;
    ov_asked *asked;
    int32_t nmade, nasked;
} ov_stock;

enum { OV_CAPTURES = 256 };
typedef struct {
    ov_program *p;
    CUcontext context;
    CUgraphNode *nodes; // by id; NULL when it does not exist
    int32_t nnodes;
    cuuint64_t captures[OV_CAPTURES]; // ids, in the order in which they were seen
    int32_t ncaptures;
    CUmodule module; // of the empty kernel; NULL when no call needs it
    CUfunction empty;
    ov_stock stock;
} ov_trace;

// The operands of a step, as handles.
typedef struct {
    CUstream stream;
    CUevent event, other_event;
    CUgraph graph, other_graph;
    CUgraphExec exec;
    CUgraphNode node, *nodes;
    int32_t n;
} ov_operands;

// ov_trace_new makes the tables of a trace; NULL when memory is short. Nodes are numbered up to nnodes.
ov_trace *ov_trace_new(ov_program *p, int32_t nnodes);
void ov_trace_free(ov_trace *t);

// ov_trace_stock makes what the calls need: of each API, so many are made.
int32_t ov_trace_stock(ov_trace *t, const int32_t *calls);
int32_t ov_trace_empty(ov_trace *t); // the empty kernel alone

// ov_trace_enter makes the context current on a thread, ov_trace_leave ends the captures that it began and resets its mode.
int32_t ov_trace_enter(const ov_trace *t);
void ov_trace_leave(ov_trace *t);

// ov_trace_call makes one call. Nodes are ids.
void ov_trace_call(ov_trace *t, const ov_step *s, const int32_t *nodes, int32_t n, ov_saw *saw);

// ov_trace_id gives the id of a node, -1 when it has none.
int32_t ov_trace_id(const ov_trace *t, CUgraphNode node);

// ov_trace_priority gives the priority of a kernel node, 0 when it cannot be had.
int32_t ov_trace_priority(CUgraphNode node);

// ov_trace_status is cuStreamGetCaptureInfo of a stream of the program; -1 when the stream does not exist.
int32_t ov_trace_status(const ov_trace *t, int32_t stream, int32_t *value);

// The parts of ov_trace_call, by what they work on.
CUresult ov_do_capture(ov_trace *t, const ov_step *s, const ov_operands *o, ov_saw *saw);
CUresult ov_do_graph(ov_trace *t, const ov_step *s, const ov_operands *o, ov_saw *saw);
CUresult ov_do_invoke(ov_trace *t, int32_t api, CUstream stream, ov_saw *saw);
CUresult ov_launch_empty(const ov_trace *t, CUstream stream);
void ov_stock_free(ov_stock *k);

void ov_saw_node(const ov_trace *t, ov_saw *saw, CUgraphNode node);
void ov_saw_value(ov_saw *saw, int64_t value);
void ov_name_node(ov_trace *t, int32_t id, CUgraphNode node);

#endif
