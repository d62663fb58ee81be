//go:build gpu && cgo

#include <stdlib.h>

#include "trace.h"

ov_trace *ov_trace_new(ov_program *p, int32_t nnodes) {
    ov_trace *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->p = p;
    t->nodes = calloc(nnodes > 0 ? (size_t)nnodes : 1, sizeof *t->nodes);
    t->nnodes = nnodes;
    if (t->nodes == NULL) {
        free(t);
        return NULL;
    }
    cuCtxGetCurrent(&t->context);
    return t;
}

void ov_trace_free(ov_trace *t) {
    ov_stock_free(&t->stock);
    if (t->module != NULL)
        cuModuleUnload(t->module);
    free(t->nodes);
    free(t);
}

int32_t ov_trace_enter(const ov_trace *t) { return cuCtxSetCurrent(t->context); }

void ov_trace_leave(ov_trace *t) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    ov_end_captures(t->p);
    cuThreadExchangeStreamCaptureMode(&mode);
}

int32_t ov_trace_priority(CUgraphNode node) {
    CUlaunchAttributeValue value = {0};
    return cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value) == CUDA_SUCCESS ? value.priority : 0;
}

int32_t ov_trace_status(const ov_trace *t, int32_t stream, int32_t *value) {
    CUstream s = t->p->streams[stream].handle;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (s == OV_ABSENT)
        return -1;
    CUresult rc = cuStreamGetCaptureInfo_v3(s, &status, NULL, NULL, NULL, NULL, NULL);
    *value = status;
    return rc;
}

// creates says whether the call makes what its operand names, so that it need not exist.
static int creates(int32_t verb) {
    switch (verb) {
    case OV_CREATE_STREAM: case OV_CREATE_EVENT: case OV_CREATE_GRAPH: case OV_END_CAPTURE: return 1;
    }
    return 0;
}

// takes_exec says whether the graph of a call stands for its exec.
static int takes_exec(int32_t verb) {
    switch (verb) {
    case OV_UPLOAD: case OV_REPLAY: case OV_DESTROY_EXEC: case OV_ENABLE_NODE: case OV_UPDATE_EXEC: return 1;
    }
    return 0;
}

static CUevent event_of(const ov_trace *t, int32_t i) { return i >= 0 ? t->p->events[i] : NULL; }
static CUgraph graph_of(const ov_trace *t, int32_t i) { return i >= 0 ? t->p->graphs[i] : NULL; }

// node_of gives OV_ABSENT for a node that is not there.
static CUgraphNode node_of(const ov_trace *t, int32_t i) {
    if (i < 0)
        return NULL;
    return t->nodes[i] != NULL ? t->nodes[i] : OV_ABSENT;
}

// resolve finds the handles of a step's operands. It is 0 when one of them does not exist: then there is nothing that may be
// handed to the driver.
static int resolve(const ov_trace *t, const ov_step *s, const int32_t *ids, ov_operands *o) {
    const ov_call *c = &s->call;
    int made = creates(c->verb) || (c->verb == OV_INSTANTIATE_WITH && s->graph >= 0), exec = takes_exec(c->verb), absent = 0;
    o->stream = c->stream >= 0 ? t->p->streams[c->stream].handle : NULL;
    o->event = event_of(t, c->event), o->other_event = event_of(t, s->event);
    o->graph = graph_of(t, c->graph), o->other_graph = graph_of(t, s->graph);
    o->exec = c->graph >= 0 ? t->p->execs[c->graph] : NULL;
    absent |= o->stream == OV_ABSENT && c->verb != OV_CREATE_STREAM;
    absent |= o->event == OV_ABSENT && c->verb != OV_CREATE_EVENT;
    absent |= o->other_event == OV_ABSENT || o->other_graph == OV_ABSENT;
    absent |= exec ? o->exec == OV_ABSENT : o->graph == OV_ABSENT && !made;
    o->node = NULL;
    if (c->verb == OV_DESTROY_NODE || c->verb == OV_ENABLE_NODE)
        absent |= (o->node = node_of(t, s->node)) == OV_ABSENT;
    for (int32_t i = 0; i < o->n; i++)
        absent |= (o->nodes[i] = node_of(t, ids[i])) == OV_ABSENT;
    return !absent;
}

// tip is the one node on which the next call on a stream depends; NULL when the stream does not capture, or depends on none
// or several.
static CUgraphNode tip(CUstream s) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const CUgraphNode *deps = NULL;
    const CUgraphEdgeData *data = NULL;
    size_t n = 0;
    if (cuStreamGetCaptureInfo_v3(s, &status, NULL, NULL, &deps, &data, &n) != CUDA_SUCCESS)
        return NULL;
    return status == CU_STREAM_CAPTURE_STATUS_ACTIVE && n == 1 ? deps[0] : NULL;
}

static int captures(CUstream s) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult rc = cuStreamGetCaptureInfo_v3(s, &status, NULL, NULL, NULL, NULL, NULL);
    return rc != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static CUresult create_stream(ov_stream *at, const ov_step *s) {
    CUstream made;
    CUresult rc = s->priority ? cuStreamCreateWithPriority(&made, (unsigned)s->number, s->second) : cuStreamCreate(&made, (unsigned)s->number);
    if (rc == CUDA_SUCCESS)
        at->handle = made;
    return rc;
}

static CUresult create_event(CUevent *at, const ov_step *s) {
    CUevent made;
    CUresult rc = cuEventCreate(at != NULL ? &made : NULL, (unsigned)s->number);
    if (rc == CUDA_SUCCESS)
        *at = made;
    return rc;
}

static CUresult elapsed(const ov_step *s, const ov_operands *o, ov_saw *saw) {
    float ms = 0;
    CUresult rc = cuEventElapsedTime(s->number == 1 ? NULL : &ms, o->event, o->other_event);
    if (rc == CUDA_SUCCESS)
        ov_saw_value(saw, (ms > 0) - (ms < 0));
    return rc;
}

static CUresult stream_priority(CUstream s, ov_saw *saw) {
    int priority = 0;
    CUresult rc = cuStreamGetPriority(s, &priority);
    if (rc == CUDA_SUCCESS)
        ov_saw_value(saw, priority);
    return rc;
}

static CUresult stream_flags(CUstream s, ov_saw *saw) {
    unsigned flags = 0;
    CUresult rc = cuStreamGetFlags(s, &flags);
    if (rc == CUDA_SUCCESS)
        ov_saw_value(saw, flags);
    return rc;
}

static CUresult burst(const ov_trace *t, CUstream s, int32_t n, ov_saw *saw) {
    CUresult rc = CUDA_SUCCESS;
    int32_t held = -1;
    for (int32_t i = 0; i < n && rc == CUDA_SUCCESS; i++) {
        int64_t start = ov_monotonic();
        rc = ov_launch_empty(t, s);
        if (held < 0 && ov_monotonic() - start >= 1000000)
            held = i;
    }
    ov_saw_value(saw, held);
    return rc;
}

static CUresult end_capture(ov_trace *t, const ov_step *s, ov_saw *saw) {
    int32_t graph = s->call.graph;
    CUgraph before = NULL;
    if (graph >= 0) {
        before = t->p->graphs[graph];
        t->p->graphs[graph] = NULL;
    }
    CUresult rc = ov_do(t->p, &s->call);
    int got = graph >= 0 && t->p->graphs[graph] != NULL;
    if (rc != CUDA_SUCCESS)
        ov_saw_value(saw, got);
    if (graph < 0)
        return rc;
    if (!got)
        t->p->graphs[graph] = before;
    else if (ov_there(before) && before != t->p->graphs[graph])
        ov_drop_graph(t->p, before);
    return rc;
}

static CUresult dispatch(ov_trace *t, const ov_step *s, const ov_operands *o, ov_saw *saw) {
    const ov_call *c = &s->call;
    switch (c->verb) {
    case OV_CREATE_STREAM: return s->flags ? create_stream(&t->p->streams[c->stream], s) : (CUresult)ov_do(t->p, c);
    case OV_CREATE_EVENT: return s->flags ? create_event(c->event >= 0 ? &t->p->events[c->event] : NULL, s) : (CUresult)ov_do(t->p, c);
    case OV_END_CAPTURE: return end_capture(t, s, saw);
    case OV_RECORD_EXTERNAL: return cuEventRecordWithFlags(o->event, o->stream, (unsigned)s->number);
    case OV_WAIT_EXTERNAL: return cuStreamWaitEvent(o->stream, o->event, (unsigned)s->number);
    case OV_ELAPSED: return elapsed(s, o, saw);
    case OV_STREAM_PRIORITY: return stream_priority(o->stream, saw);
    case OV_STREAM_FLAGS: return stream_flags(o->stream, saw);
    case OV_INVOKE: return ov_do_invoke(t, s->api, o->stream, saw);
    case OV_BURST: return burst(t, o->stream, s->number, saw);
    case OV_PAUSE: return ov_dawdle(s->ns), CUDA_SUCCESS;
    case OV_EXCHANGE_MODE: case OV_CAPTURE_INFO: case OV_IS_CAPTURING: case OV_DEPEND: case OV_BEGIN_CAPTURE_TO:
    case OV_LAUNCH_WITH: return ov_do_capture(t, s, o, saw);
    }
    return c->verb < OV_EXCHANGE_MODE ? (CUresult)ov_do(t->p, c) : ov_do_graph(t, s, o, saw);
}

// made is the node that the call may make in a capture: -1 when it has no name, -2 when the call makes none.
static int32_t made(const ov_step *s) {
    switch (s->call.verb) {
    case OV_LAUNCH: case OV_HOST_FUNC: case OV_COPY: case OV_LAUNCH_WITH: return s->call.op;
    case OV_REPLAY: case OV_RECORD_EXTERNAL: case OV_WAIT_EXTERNAL: return -1;
    case OV_INVOKE: return s->call.stream >= 0 ? s->node : -2;
    }
    return -2;
}

// A call is made between two readings of the clock; what it does to captures is asked before and after.
void ov_trace_call(ov_trace *t, const ov_step *s, const int32_t *nodes, int32_t n, ov_saw *saw) {
    ov_operands o = {.n = n, .nodes = calloc(n > 0 ? (size_t)n : 1, sizeof *o.nodes)};
    saw->nvalues = saw->nnodes = 0, saw->took = 0, saw->asked = -1;
    saw->code = o.nodes == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_HANDLE;
    if (o.nodes != NULL && resolve(t, s, nodes, &o)) {
        int32_t id = made(s);
        CUgraphNode before = id >= -1 ? tip(o.stream) : NULL;
        int bare = s->call.verb == OV_COPY && captures(o.stream); // a copy is one node
        if (t->p->delay > 0)
            ov_dawdle(t->p->delay);
        int64_t start = ov_monotonic();
        saw->code = bare ? (CUresult)ov_copy_alone(&t->p->ops[s->call.op], o.stream) : dispatch(t, s, &o, saw);
        saw->took = ov_monotonic() - start;
        CUgraphNode after = id >= -1 && saw->code == CUDA_SUCCESS ? tip(o.stream) : NULL;
        if (after != NULL && after != before)
            ov_name_node(t, id, after);
    }
    free(o.nodes);
}
