// A driver without a GPU, for tests of the layers above: launches run at once, in virtual time that streams and events
// carry. A few durations misbehave. It is no model of CUDA: gpu/sim is.
#include <cuda.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#undef cuDeviceGetUuid // from CUDA 13 on a macro for _v2; what is looked up is the name itself

enum { HANGS = 666001, DIES = 666002, FAULTS = 666003, MAX = 64 };

typedef struct { uint64_t start, not_end; uint32_t sm, pad[3]; } slot;
enum { OP, BEGIN, END, GATE, COPY };
typedef struct CUgraphNode_st {
    int what;
    void *to;
    const void *from;
    uint64_t ns, end;
    slot *at;
    CUhostFn fn;
    void *data;
    int n;
    struct CUgraphNode_st *deps[MAX];
} node;
typedef struct CUgraph_st { int n; node *nodes[MAX]; } graph;
typedef struct CUstream_st { uint64_t now; graph *capture; int origin, n; node *deps[MAX]; } stream;
typedef struct CUevent_st { uint64_t now; graph *capture; int n; node *deps[MAX]; } event;

struct CUfunc_st { const char *name; unsigned shared; };

static stream legacy, per_thread;
static volatile unsigned *gate; // of the latest gate, until something waits for it
static CUresult sticky;
static stream *of(CUstream s) { return s == CU_STREAM_PER_THREAD ? &per_thread : s != NULL ? s : &legacy; }

// tell appends a line to the file that FAKE_SEEN names.
static void tell(const char *format, ...) {
    if (getenv("FAKE_SEEN") == NULL)
        return;
    FILE *f = fopen(getenv("FAKE_SEEN"), "a");
    va_list args;
    va_start(args, format);
    vfprintf(f, format, args);
    va_end(args);
    fclose(f);
}

// await says how a gate is found when the host waits: it is the time at which a true one must be open.
static CUresult await(CUresult code) {
    if (gate != NULL)
        tell("gate waited for %u\n", *gate);
    return gate = NULL, code;
}

static void run(node *k, uint64_t ready) {
    if (k->ns == HANGS)
        for (;;) pause();
    if (k->ns == DIES)
        abort();
    if (k->ns == FAULTS)
        sticky = CUDA_ERROR_LAUNCH_FAILED;
    if (ready < 1000) ready = 1000;
    k->end = ready + k->ns;
    if (k->fn != NULL)
        k->fn(k->data);
    else if (k->what == COPY)
        memcpy(k->to, k->from, k->ns);
    else if (k->what == BEGIN)
        k->at->start = ready, k->at->sm = 3, k->end = ready;
    else if (k->what == END)
        k->at->not_end = ~ready, k->end = ready;
    else if (k->what == GATE && k->ns > 0)
        gate = (void *)k->at, tell("gate %u\n", *gate), k->end = ready;
    else if (k->at != NULL && k->what == OP)
        k->at->start = ready, k->at->not_end = ~k->end, k->at->sm = 3;
}

static void depend(int *n, node **deps, node *on) {
    for (int i = 0; i < *n; i++)
        if (deps[i] == on) return;
    deps[(*n)++] = on;
}

static CUresult enqueue(stream *s, node k) {
    if (s->capture == NULL) {
        run(&k, s->now);
        s->now = k.end;
        return CUDA_SUCCESS;
    }
    node *made = malloc(sizeof k);
    *made = k;
    made->n = s->n;
    memcpy(made->deps, s->deps, sizeof s->deps);
    s->capture->nodes[s->capture->n++] = made;
    s->n = 1, s->deps[0] = made;
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned f) { return getenv("FAKE_NO_DEVICE") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *v) { return *v = 12040, CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int *n) { return *n = 1, CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *d, int i) { return *d = i, CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *s, int n, CUdevice d) { return snprintf(s, n, "fake"), CUDA_SUCCESS; }
CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d) {
    switch (a) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return *v = 132, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return *v = 232448, CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return *v = 2048, CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}
CUresult cuDeviceGetUuid(CUuuid *u, CUdevice d) {
    memset(u, 0, sizeof *u);
    snprintf(u->bytes, sizeof u->bytes, "%s", getenv("FAKE_UUID") ? getenv("FAKE_UUID") : "fake");
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid_v2(CUuuid *id, CUdevice dev) { return cuDeviceGetUuid(id, dev); }
CUresult cuCtxCreate_v2(CUcontext *c, unsigned f, CUdevice d) { return *c = (CUcontext)&legacy, CUDA_SUCCESS; }
CUresult cuCtxDestroy_v2(CUcontext c) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize(void) { return await(sticky); }
CUresult cuModuleLoadData(CUmodule *m, const void *ptx) { return *m = (CUmodule)ptx, CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *s) {
    *f = calloc(1, sizeof **f);
    return (*f)->name = strdup(s), CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int v) {
    if (a != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || v > 232448)
        return CUDA_ERROR_INVALID_VALUE;
    return f->shared = v, CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n) { return *p = (CUdeviceptr)calloc(1, n), CUDA_SUCCESS; }
CUresult cuMemFree_v2(CUdeviceptr p) { return free((void *)p), CUDA_SUCCESS; }
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char c, size_t n, CUstream s) {
    if (n < 1 << 20 || c != 0) // a buffer is zeros as it is
        memset((void *)p, c, n);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr p, size_t n) { return memcpy(to, (void *)p, n), CUDA_SUCCESS; }

CUresult cuStreamCreateWithPriority(CUstream *s, unsigned f, int p) {
    if (getenv("FAKE_PRIORITY") && p != atoi(getenv("FAKE_PRIORITY")))
        return CUDA_ERROR_INVALID_VALUE;
    return *s = calloc(1, sizeof **s), CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream *s, unsigned f) { return cuStreamCreateWithPriority(s, f, 0); }
CUresult cuStreamDestroy_v2(CUstream s) { return free(s), CUDA_SUCCESS; }
CUresult cuStreamQuery(CUstream s) { return sticky; }
CUresult cuStreamSynchronize(CUstream s) { return of(s)->capture ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : await(sticky); }
CUresult cuEventCreate(CUevent *e, unsigned f) { return *e = calloc(1, sizeof **e), CUDA_SUCCESS; }
CUresult cuEventDestroy_v2(CUevent e) { return free(e), CUDA_SUCCESS; }
CUresult cuEventQuery(CUevent e) { return sticky; }
CUresult cuEventSynchronize(CUevent e) { return sticky; }
CUresult cuEventRecord(CUevent e, CUstream h) {
    stream *s = of(h);
    if (e == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    e->now = s->now, e->capture = s->capture, e->n = s->n;
    memcpy(e->deps, s->deps, sizeof s->deps);
    return CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream h, CUevent e, unsigned f) {
    stream *s = of(h);
    if (e == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    if (e->capture == NULL && s->now < e->now)
        s->now = e->now;
    if (e->capture != NULL)
        s->capture = e->capture;
    for (int i = 0; e->capture != NULL && i < e->n; i++)
        depend(&s->n, s->deps, e->deps[i]);
    return CUDA_SUCCESS;
}
// Of the memory each reader gets 128 bytes in 700 ns, as long as all of them take less than 4.8 bytes a picosecond.
static uint64_t reading(uint64_t words, uint64_t readers) {
    uint64_t alone = words * 700 / (8 * readers), least = words / 300;
    return alone > least ? alone : least;
}
CUresult cuLaunchKernel(CUfunction f, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned v, unsigned w,
                        unsigned shared, CUstream s, void **params, void **extra) {
    if (params == NULL)
        return enqueue(of(s), (node){.what = OP});
    node k = {.ns = *(uint64_t *)params[0], .at = *(slot **)params[1]};
    k.what = !strcmp(f->name, "stamp_begin") ? BEGIN : !strcmp(f->name, "stamp_end_of") ? END : !strcmp(f->name, "gate") ? GATE : OP;
    if (threads > 1024 || shared > f->shared)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned readers = strstr(f->name, "_memory") ? *(unsigned *)params[4] : 0;
    tell("%s %u blocks %u threads %u shared %u readers %llu\n", f->name, blocks, threads, shared, readers,
         (unsigned long long)k.ns);
    if (readers > 0)
        k.ns = reading(k.ns, (uint64_t)blocks * readers);
    return enqueue(of(s), k);
}
static CUresult copy(CUstream s, void *to, const void *from, size_t n) {
    node k = {.what = COPY, .ns = getenv("FAKE_NO_COPY") ? 0 : n, .to = to, .from = from};
    return enqueue(of(s), k);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, CUstream s) { return copy(s, (void *)to, from, n); }
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, CUstream s) { return copy(s, to, (void *)from, n); }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n) { return memcpy((void *)to, from, n), CUDA_SUCCESS; }
CUresult cuMemHostAlloc(void **p, size_t n, unsigned f) { return *p = calloc(1, n), CUDA_SUCCESS; }
CUresult cuMemFreeHost(void *p) { return free(p), CUDA_SUCCESS; }
CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void *data) {
    node k = {.fn = fn, .data = data};
    return enqueue(of(s), k);
}

CUresult cuStreamBeginCapture_v2(CUstream h, CUstreamCaptureMode m) {
    stream *s = of(h);
    if (h == NULL)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    s->capture = calloc(1, sizeof *s->capture), s->origin = 1, s->n = 0;
    return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream h, CUgraph *g) {
    stream *s = of(h);
    if (s->capture == NULL)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (!s->origin)
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (g == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *g = s->capture, s->capture = NULL, s->origin = 0, s->n = 0;
    return CUDA_SUCCESS;
}
CUresult cuStreamGetCaptureInfo_v3(CUstream s, CUstreamCaptureStatus *st, cuuint64_t *id, CUgraph *g,
                                   const CUgraphNode **deps, const CUgraphEdgeData **data, size_t *n) {
    if (st == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *st = of(s)->capture ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    if (deps != NULL)
        *deps = of(s)->deps, *n = of(s)->n;
    if (id != NULL)
        *id = (cuuint64_t)of(s)->capture;
    return CUDA_SUCCESS;
}
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *to, size_t *n) {
    if (g == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *n = g->n;
    if (to != NULL)
        memcpy(to, g->nodes, g->n * sizeof *to);
    return CUDA_SUCCESS;
}
CUresult cuGraphNodeGetType(CUgraphNode k, CUgraphNodeType *t) {
    *t = k->fn ? CU_GRAPH_NODE_TYPE_HOST : k->what == COPY ? CU_GRAPH_NODE_TYPE_MEMCPY : CU_GRAPH_NODE_TYPE_KERNEL;
    return CUDA_SUCCESS;
}
CUresult cuGraphGetEdges_v2(CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *n) {
    size_t m = 0;
    for (int i = g->n - 1; i >= 0; i--) // in no order
        for (int j = 0; j < g->nodes[i]->n; j++, m++)
            if (from != NULL)
                from[m] = g->nodes[i]->deps[j], to[m] = g->nodes[i], data != NULL ? memset(&data[m], 0, sizeof *data) : NULL;
    return *n = m, CUDA_SUCCESS;
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode k, CUgraphNode *to, CUgraphEdgeData *data, size_t *n) {
    *n = k->n;
    if (to != NULL)
        memcpy(to, k->deps, k->n * sizeof *to);
    return CUDA_SUCCESS;
}
CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned flags) {
    FILE *f = fopen(path, "w");
    fprintf(f, "digraph dot {\n// %u, %d nodes\n}\n", flags, g->n);
    return fclose(f), CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *x, CUgraph g, unsigned long long f) {
    return *x = (CUgraphExec)g, g ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGraphUpload(CUgraphExec x, CUstream s) { return CUDA_SUCCESS; }
CUresult cuGraphLaunch(CUgraphExec x, CUstream s) {
    graph *g = (graph *)x;
    if (g == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t end = of(s)->now;
    for (int i = 0; i < g->n; i++) {
        uint64_t ready = of(s)->now;
        for (int j = 0; j < g->nodes[i]->n; j++)
            if (ready < g->nodes[i]->deps[j]->end)
                ready = g->nodes[i]->deps[j]->end;
        run(g->nodes[i], ready);
        if (end < g->nodes[i]->end)
            end = g->nodes[i]->end;
    }
    return of(s)->now = end, CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph g) { return CUDA_SUCCESS; }
CUresult cuGraphExecDestroy(CUgraphExec x) { return CUDA_SUCCESS; }

// What traces call, no more than that it can be told whether it was.
static __thread CUcontext current;
static __thread CUstreamCaptureMode mode;
CUresult cuCtxGetCurrent(CUcontext *c) { return *c = (CUcontext)&legacy, CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext c) { return current = c, CUDA_SUCCESS; }
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *m) {
    CUstreamCaptureMode was = mode;
    return mode = *m, *m = was, CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *st) { return cuStreamGetCaptureInfo_v3(s, st, NULL, NULL, NULL, NULL, NULL); }
CUresult cuGraphCreate(CUgraph *g, unsigned f) { return *g = calloc(1, sizeof **g), CUDA_SUCCESS; }
static CUresult add(CUgraphNode *made, CUgraph g, const CUgraphNode *deps, size_t n, node k) {
    *made = malloc(sizeof k);
    **made = k;
    (*made)->n = (int)n;
    memcpy((*made)->deps, deps, n * sizeof *deps);
    return g->nodes[g->n++] = *made, CUDA_SUCCESS;
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode *made, CUgraph g, const CUgraphNode *deps, size_t n, const CUDA_KERNEL_NODE_PARAMS *p) {
    node k = {.what = OP};
    if (p->kernelParams != NULL)
        k.ns = *(uint64_t *)p->kernelParams[0], k.at = *(slot **)p->kernelParams[1];
    return add(made, g, deps, n, k);
}
CUresult cuGraphAddHostNode(CUgraphNode *made, CUgraph g, const CUgraphNode *deps, size_t n, const CUDA_HOST_NODE_PARAMS *p) {
    return add(made, g, deps, n, (node){.fn = p->fn, .data = p->userData});
}
CUresult cuGraphAddEventRecordNode(CUgraphNode *made, CUgraph g, const CUgraphNode *deps, size_t n, CUevent e) {
    return e == NULL ? CUDA_ERROR_INVALID_HANDLE : add(made, g, deps, n, (node){.what = OP});
}
CUresult cuGraphAddEventWaitNode(CUgraphNode *made, CUgraph g, const CUgraphNode *deps, size_t n, CUevent e) {
    return cuGraphAddEventRecordNode(made, g, deps, n, e);
}
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *to, size_t *n) {
    size_t m = 0;
    for (int i = 0; i < g->n; i++)
        if (g->nodes[i]->n == 0 && ++m && to != NULL)
            to[m - 1] = g->nodes[i];
    return *n = m, CUDA_SUCCESS;
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode k, CUgraphNode *to, CUgraphEdgeData *data, size_t *n) { return *n = 0, CUDA_SUCCESS; }
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode k, CUlaunchAttributeID a, CUlaunchAttributeValue *v) { return v->priority = -3, CUDA_SUCCESS; }
