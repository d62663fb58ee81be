//go:build gpu && cgo

// The walk over a program's calls: no Go code, no allocation and no lookup by name between the first and the last.
#include <stdint.h>
#include <time.h>

#include "overlap.h"
#include "slot.h"

static int64_t monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// A counter of constant rate, cheaper than a clock. Its rate is found by the clock at both ends of each walk.
static inline uint64_t ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#else
    return (uint64_t)monotonic();
#endif
}

static void CUDA_CB host_func(void *data) {
    ov_op *op = data;
    int64_t start = monotonic(), now = start;
    while (now - start < (int64_t)op->ns)
        now = monotonic();
    op->host.start = start;
    op->host.end = now;
}

// absent says whether a call names a stream or event that was not created or is destroyed. Handing its handle to the
// driver would be undefined, or, had it been set to NULL, mean the legacy stream.
static inline int absent(const ov_program *p, const ov_call *c) {
    return (c->stream >= 0 && p->streams[c->stream].handle == OV_ABSENT && c->verb != OV_CREATE_STREAM) ||
           (c->event >= 0 && p->events[c->event] == OV_ABSENT && c->verb != OV_CREATE_EVENT);
}

static inline CUstream stream(const ov_program *p, const ov_call *c) { return p->streams[c->stream].handle; }
static inline CUevent event(const ov_program *p, const ov_call *c) { return p->events[c->event]; }

static inline CUresult launch(ov_op *op, CUstream s) {
    return cuLaunchKernel(op->kernel, 1, 1, 1, 1, 1, 1, 0, s, op->params, NULL);
}

static CUresult end_capture(ov_program *p, CUstream s, int32_t graph) {
    CUgraph g = NULL;
    CUresult rc = cuStreamEndCapture(s, &g);
    if (p->graphs[graph] != NULL && g != NULL)
        cuGraphDestroy(p->graphs[graph]);
    if (g != NULL)
        p->graphs[graph] = g;
    return rc;
}

static CUresult instantiate(ov_program *p, int32_t graph) {
    CUgraphExec exec = NULL;
    CUresult rc = cuGraphInstantiateWithFlags(&exec, p->graphs[graph], 0);
    if (rc != CUDA_SUCCESS)
        return rc;
    if (p->execs[graph] != NULL)
        cuGraphExecDestroy(p->execs[graph]);
    p->execs[graph] = exec;
    return rc;
}

static CUresult create_stream(ov_stream *s) {
    CUstream handle;
    CUresult rc = cuStreamCreateWithPriority(&handle, s->flags, s->priority);
    if (rc == CUDA_SUCCESS)
        s->handle = handle;
    return rc;
}

static CUresult destroy_stream(ov_stream *s) {
    CUresult rc = cuStreamDestroy(s->handle);
    if (rc == CUDA_SUCCESS)
        s->handle = OV_ABSENT;
    return rc;
}

static CUresult create_event(CUevent *e) {
    CUevent handle;
    CUresult rc = cuEventCreate(&handle, CU_EVENT_DISABLE_TIMING);
    if (rc == CUDA_SUCCESS)
        *e = handle;
    return rc;
}

static CUresult destroy_event(CUevent *e) {
    CUresult rc = cuEventDestroy(*e);
    if (rc == CUDA_SUCCESS)
        *e = OV_ABSENT;
    return rc;
}

static inline CUresult call(ov_program *p, const ov_call *c) {
    if (absent(p, c))
        return CUDA_ERROR_INVALID_HANDLE;
    switch (c->verb) {
    case OV_LAUNCH: return launch(&p->ops[c->op], stream(p, c));
    case OV_HOST_FUNC: return cuLaunchHostFunc(stream(p, c), host_func, &p->ops[c->op]);
    case OV_RECORD: return cuEventRecord(event(p, c), stream(p, c));
    case OV_WAIT: return cuStreamWaitEvent(stream(p, c), event(p, c), 0);
    case OV_BEGIN_CAPTURE: return cuStreamBeginCapture(stream(p, c), (CUstreamCaptureMode)c->mode);
    case OV_END_CAPTURE: return end_capture(p, stream(p, c), c->graph);
    case OV_INSTANTIATE: return instantiate(p, c->graph);
    case OV_UPLOAD: return cuGraphUpload(p->execs[c->graph], stream(p, c));
    case OV_REPLAY: return cuGraphLaunch(p->execs[c->graph], stream(p, c));
    case OV_SYNC_STREAM: return cuStreamSynchronize(stream(p, c));
    case OV_QUERY_STREAM: return cuStreamQuery(stream(p, c));
    case OV_SYNC_EVENT: return cuEventSynchronize(event(p, c));
    case OV_QUERY_EVENT: return cuEventQuery(event(p, c));
    case OV_SYNC_CONTEXT: return cuCtxSynchronize();
    case OV_CREATE_STREAM: return create_stream(&p->streams[c->stream]);
    case OV_DESTROY_STREAM: return destroy_stream(&p->streams[c->stream]);
    case OV_CREATE_EVENT: return create_event(&p->events[c->event]);
    case OV_DESTROY_EVENT: return destroy_event(&p->events[c->event]);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

int32_t ov_do(ov_program *p, const ov_call *c) { return call(p, c); }

static void walk(ov_program *p, int32_t *codes, ov_times *times) {
    const ov_call *body = p->body;
    int32_t n = p->nbody;
    times->start = monotonic();
    for (int32_t i = 0; i < n; i++) {
        p->ticks[i] = ticks();
        codes[i] = call(p, &body[i]);
    }
    p->ticks[n] = ticks();
    times->wall = monotonic() - times->start;
}

// scale turns ticks into nanoseconds from the start.
static void scale(const ov_program *p, int64_t *issued, const ov_times *times) {
    uint64_t first = p->ticks[0], span = p->ticks[p->nbody] - first;
    double rate = span > 0 ? (double)times->wall / (double)span : 0;
    for (int32_t i = 0; i <= p->nbody; i++)
        issued[i] = (int64_t)((double)(p->ticks[i] - first) * rate);
}

int32_t ov_rep(ov_program *p, int32_t *codes, int64_t *issued, void *slots, ov_host_stamp *hosts, ov_times *times) {
    size_t bytes = (size_t)p->nops * SLOT_SIZE;
    CUresult rc = bytes > 0 ? cuMemsetD8Async(p->slots, SLOT_POISON, bytes, NULL) : CUDA_SUCCESS;
    for (int32_t i = 0; i < p->nops; i++)
        p->ops[i].host = (ov_host_stamp){0, 0};
    if (rc == CUDA_SUCCESS)
        rc = cuCtxSynchronize();
    if (rc != CUDA_SUCCESS)
        return rc;

    ov_range_push(p->range);
    walk(p, codes, times);
    ov_range_pop();

    if (p->captures)
        ov_end_captures(p);
    rc = cuCtxSynchronize();
    if (rc == CUDA_SUCCESS && bytes > 0)
        rc = cuMemcpyDtoH(slots, p->slots, bytes);
    scale(p, issued, times);
    for (int32_t i = 0; i < p->nops; i++)
        hosts[i] = p->ops[i].host;
    return rc;
}

int32_t ov_warm(CUfunction kernel, CUdeviceptr slot, CUstream stream) {
    uint64_t ns = 0;
    void *params[] = {&ns, &slot};
    CUresult rc = cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
    return rc == CUDA_SUCCESS ? cuStreamSynchronize(stream) : rc;
}
