//go:build gpu && cgo

// The walk over a program's calls: no Go code, no allocation and no lookup by name between the first and the last.
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "overlap.h"
#include "slot.h"

int64_t ov_monotonic(void) {
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
    return (uint64_t)ov_monotonic();
#endif
}

void CUDA_CB ov_host_func(void *data) {
    ov_op *op = data;
    int64_t start = ov_monotonic(), now = start;
    while (now - start < (int64_t)op->ns)
        now = ov_monotonic();
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
static inline CUevent event(const ov_program *p, const ov_call *c) { return c->event == OV_NULL ? NULL : p->events[c->event]; }
static inline CUgraphExec exec(const ov_program *p, const ov_call *c) { return c->graph == OV_NULL ? NULL : p->execs[c->graph]; }

static inline CUresult launch(ov_op *op, CUstream s) {
    return cuLaunchKernel(op->kernel, op->blocks, 1, 1, op->threads, 1, 1, op->shared, s, op->params, NULL);
}

int32_t ov_copy_alone(ov_op *op, CUstream s) {
    return op->to_host ? cuMemcpyDtoHAsync(op->memory, op->device, op->bytes, s) : cuMemcpyHtoDAsync(op->device, op->memory, op->bytes, s);
}

// copy makes a copy and stamps around it. The first code that is none of success counts.
static CUresult copy(ov_program *p, ov_op *op, CUstream s) {
    CUresult rc = cuLaunchKernel(p->begin, 1, 1, 1, 1, 1, 1, 0, s, op->params, NULL);
    if (rc == CUDA_SUCCESS)
        rc = ov_copy_alone(op, s);
    return rc == CUDA_SUCCESS ? cuLaunchKernel(p->end, 1, 1, 1, 1, 1, 1, 0, s, op->params, NULL) : rc;
}

// gate holds a stream until the word is set, a second at most.
static CUresult gate(ov_program *p, CUstream s) {
    uint64_t ns = 1000000000;
    void *params[] = {&ns, &p->word};
    return cuLaunchKernel(p->gate, 1, 1, 1, 1, 1, 1, 0, s, params, NULL);
}

static CUresult open_gate(ov_program *p) {
    __atomic_store_n(p->word, 1, __ATOMIC_SEQ_CST);
    return CUDA_SUCCESS;
}

static CUresult end_capture(ov_program *p, CUstream s, int32_t graph) {
    CUgraph g = NULL;
    CUresult rc = cuStreamEndCapture(s, graph == OV_NULL ? NULL : &g);
    if (g != NULL && ov_there(p->graphs[graph]) && p->graphs[graph] != g)
        ov_drop_graph(p, p->graphs[graph]);
    if (g != NULL)
        p->graphs[graph] = g;
    return rc;
}

static CUresult instantiate(ov_program *p, int32_t graph) {
    CUgraphExec exec = NULL;
    CUresult rc = cuGraphInstantiateWithFlags(&exec, graph == OV_NULL ? NULL : p->graphs[graph], 0);
    if (rc != CUDA_SUCCESS)
        return rc;
    if (ov_there(p->execs[graph]))
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

static CUresult destroy_event(ov_program *p, int32_t event) {
    if (event == OV_NULL)
        return cuEventDestroy(NULL);
    CUevent *e = &p->events[event];
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
    case OV_HOST_FUNC: return cuLaunchHostFunc(stream(p, c), ov_host_func, &p->ops[c->op]);
    case OV_RECORD: return cuEventRecord(event(p, c), stream(p, c));
    case OV_WAIT: return cuStreamWaitEvent(stream(p, c), event(p, c), 0);
    case OV_BEGIN_CAPTURE: return cuStreamBeginCapture(stream(p, c), (CUstreamCaptureMode)c->mode);
    case OV_END_CAPTURE: return end_capture(p, stream(p, c), c->graph);
    case OV_INSTANTIATE: return instantiate(p, c->graph);
    case OV_UPLOAD: return cuGraphUpload(exec(p, c), stream(p, c));
    case OV_REPLAY: return cuGraphLaunch(exec(p, c), stream(p, c));
    case OV_SYNC_STREAM: return cuStreamSynchronize(stream(p, c));
    case OV_QUERY_STREAM: return cuStreamQuery(stream(p, c));
    case OV_SYNC_EVENT: return cuEventSynchronize(event(p, c));
    case OV_QUERY_EVENT: return cuEventQuery(event(p, c));
    case OV_SYNC_CONTEXT: return cuCtxSynchronize();
    case OV_CREATE_STREAM: return create_stream(&p->streams[c->stream]);
    case OV_DESTROY_STREAM: return destroy_stream(&p->streams[c->stream]);
    case OV_CREATE_EVENT: return create_event(&p->events[c->event]);
    case OV_DESTROY_EVENT: return destroy_event(p, c->event);
    case OV_COPY: return copy(p, &p->ops[c->op], stream(p, c));
    case OV_GATE: return gate(p, stream(p, c));
    case OV_OPEN_GATE: return open_gate(p);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

int32_t ov_do(ov_program *p, const ov_call *c) { return call(p, c); }

void ov_dawdle(uint64_t ns) {
    int64_t start = ov_monotonic();
    while ((uint64_t)(ov_monotonic() - start) < ns) {
    }
}

static void walk(ov_program *p, int32_t *codes, ov_times *times) {
    const ov_call *body = p->body;
    int32_t n = p->nbody;
    times->start = ov_monotonic();
    for (int32_t i = 0; i < n; i++) {
        p->ticks[i] = ticks();
        if (p->delay > 0)
            ov_dawdle(p->delay);
        codes[i] = call(p, &body[i]);
    }
    p->ticks[n] = ticks();
    times->wall = ov_monotonic() - times->start;
}

// scale turns ticks into nanoseconds from the start.
static void scale(const ov_program *p, int64_t *issued, const ov_times *times) {
    uint64_t first = p->ticks[0], span = p->ticks[p->nbody] - first;
    double rate = span > 0 ? (double)times->wall / (double)span : 0;
    for (int32_t i = 0; i <= p->nbody; i++)
        issued[i] = (int64_t)((double)(p->ticks[i] - first) * rate);
}

static size_t marked(const ov_op *o) { return o->bytes < sizeof o->mark ? o->bytes : sizeof o->mark; }

// mark gives the source of each copy something new to copy, in its last bytes.
static CUresult mark(ov_program *p) {
    for (int32_t i = 0; i < p->nops; i++) {
        ov_op *o = &p->ops[i];
        size_t n = marked(o), at = o->bytes - n;
        if (n == 0)
            continue;
        o->mark++;
        if (o->to_host) {
            CUresult rc = cuMemcpyHtoD(o->device + at, &o->mark, n);
            if (rc != CUDA_SUCCESS)
                return rc;
        } else {
            memcpy((char *)o->memory + at, &o->mark, n);
        }
    }
    return CUDA_SUCCESS;
}

int ov_arrived(const ov_program *p, int32_t op) {
    const ov_op *o = &p->ops[op];
    uint64_t got = 0;
    size_t n = marked(o), at = o->bytes - n;
    if (o->to_host)
        memcpy(&got, (char *)o->memory + at, n);
    else if (cuMemcpyDtoH(&got, o->device + at, n) != CUDA_SUCCESS)
        return 0;
    return memcmp(&got, &o->mark, n) == 0;
}

// compare stamps the last slot on the device, and notes when it can have done so at the earliest and at the latest.
static CUresult compare(ov_program *p, ov_times *times) {
    uint64_t ns = 0;
    CUdeviceptr slot = p->slots + (CUdeviceptr)p->nops * SLOT_SIZE;
    void *params[] = {&ns, &slot};
    times->high = ov_monotonic();
    CUresult rc = cuLaunchKernel(p->begin, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
    if (rc == CUDA_SUCCESS)
        rc = cuCtxSynchronize();
    times->low = ov_monotonic();
    return rc;
}

int32_t ov_settle(ov_program *p) {
    CUresult rc = cuMemsetD8Async(p->slots, SLOT_POISON, ((size_t)p->nops + 1) * SLOT_SIZE, NULL);
    if (rc == CUDA_SUCCESS && p->copies)
        rc = mark(p);
    if (p->word != NULL)
        *p->word = 0;
    for (int32_t i = 0; i < p->nops; i++)
        p->ops[i].host = (ov_host_stamp){0, 0};
    return rc == CUDA_SUCCESS ? cuCtxSynchronize() : rc;
}

int32_t ov_collect(ov_program *p, void *slots, ov_host_stamp *hosts, ov_times *times) {
    CUresult rc = cuCtxSynchronize();
    if (rc == CUDA_SUCCESS)
        rc = compare(p, times);
    if (rc == CUDA_SUCCESS)
        rc = cuMemcpyDtoH(slots, p->slots, ((size_t)p->nops + 1) * SLOT_SIZE);
    for (int32_t i = 0; i < p->nops; i++)
        hosts[i] = p->ops[i].host;
    return rc;
}

int32_t ov_clock(ov_program *p, ov_times *times) {
    CUdeviceptr slot = p->slots + (CUdeviceptr)p->nops * SLOT_SIZE;
    times->low = INT64_MIN, times->high = INT64_MAX;
    for (int i = 0; i < 16; i++) {
        ov_times t;
        int64_t stamp = 0;
        CUresult rc = compare(p, &t);
        if (rc == CUDA_SUCCESS)
            rc = cuMemcpyDtoH(&stamp, slot, sizeof stamp);
        if (rc != CUDA_SUCCESS)
            return rc;
        times->low = stamp - t.low > times->low ? stamp - t.low : times->low;
        times->high = stamp - t.high < times->high ? stamp - t.high : times->high;
    }
    return CUDA_SUCCESS;
}

int32_t ov_rep(ov_program *p, int32_t *codes, int64_t *issued, void *slots, ov_host_stamp *hosts, ov_times *times) {
    CUresult rc = ov_settle(p);
    if (rc != CUDA_SUCCESS)
        return rc;

    ov_range_push(p->range);
    walk(p, codes, times);
    ov_range_pop();

    if (p->captures)
        ov_end_captures(p);
    rc = ov_collect(p, slots, hosts, times);
    scale(p, issued, times);
    return rc;
}

int32_t ov_warm(CUfunction kernel, CUdeviceptr slot, CUstream stream) {
    uint64_t ns = 0;
    uint32_t mask = 0, readers = 0;
    void *params[] = {&ns, &slot, &slot, &mask, &readers};
    CUresult rc = cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
    return rc == CUDA_SUCCESS ? cuStreamSynchronize(stream) : rc;
}

int32_t ov_limits(int32_t device, int32_t *shared, int32_t *threads) {
    CUresult rc = cuDeviceGetAttribute(shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
    if (rc == CUDA_SUCCESS)
        rc = cuDeviceGetAttribute(threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, device);
    return rc;
}

int32_t ov_allow_shared(CUfunction kernel, int32_t bytes) {
    return cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
}

int32_t ov_zero(CUdeviceptr at, uint64_t bytes) {
    CUresult rc = cuMemsetD8Async(at, 0, bytes, NULL);
    return rc == CUDA_SUCCESS ? cuCtxSynchronize() : rc;
}

int32_t ov_once(ov_op *op, void *slot) {
    CUresult rc = cuMemsetD8Async(op->slot, SLOT_POISON, SLOT_SIZE, NULL);
    if (rc == CUDA_SUCCESS)
        rc = launch(op, NULL);
    if (rc == CUDA_SUCCESS)
        rc = cuCtxSynchronize();
    return rc == CUDA_SUCCESS ? cuMemcpyDtoH(slot, op->slot, SLOT_SIZE) : rc;
}
