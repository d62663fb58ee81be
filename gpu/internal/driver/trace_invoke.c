//go:build gpu && cgo

// The calls that a probe makes for their own sake, and what they work on.
#include <stdlib.h>
#include <string.h>

#include "trace.h"

enum { PINNED = 1 << 20, PAGEABLE = 4 << 20, SOME = 4096 };

// The smallest module: quick to load, and its kernel does nothing.
static const char empty_ptx[] = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n";

CUresult ov_launch_empty(const ov_trace *t, CUstream s) {
    return cuLaunchKernel(t->empty, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL);
}

int32_t ov_trace_empty(ov_trace *t) {
    CUresult rc = CUDA_SUCCESS;
    if (t->module == NULL)
        rc = cuModuleLoadData(&t->module, empty_ptx);
    if (rc == CUDA_SUCCESS && t->empty == NULL)
        rc = cuModuleGetFunction(&t->empty, t->module, "empty");
    if (rc == CUDA_SUCCESS)
        rc = ov_launch_empty(t, NULL); // the first launch loads
    return rc == CUDA_SUCCESS ? cuCtxSynchronize() : rc;
}

// keep notes what a call made: it is destroyed at the end.
static CUresult keep(ov_stock *k, int32_t api, CUresult rc, void *handle) {
    if (rc == CUDA_SUCCESS)
        k->made[k->nmade++] = (ov_made){api, handle};
    return rc;
}

static CUresult make(ov_trace *t, int32_t api, void **handle) {
    ov_stock *k = &t->stock;
    CUdeviceptr d = 0;
    CUresult rc = CUDA_ERROR_INVALID_VALUE;
    *handle = NULL;
    switch (api) {
    case OV_MEM_ALLOC:
    case OV_MEM_FREE: rc = cuMemAlloc(&d, SOME), *handle = (void *)d; break;
    case OV_MEM_ALLOC_HOST:
    case OV_MEM_FREE_HOST: rc = cuMemHostAlloc(handle, SOME, CU_MEMHOSTALLOC_PORTABLE); break;
    case OV_MODULE_LOAD:
    case OV_MODULE_UNLOAD: rc = cuModuleLoadData((CUmodule *)handle, empty_ptx); break;
    case OV_MAKE_STREAM:
    case OV_KILL_STREAM: rc = cuStreamCreate((CUstream *)handle, CU_STREAM_NON_BLOCKING); break;
    case OV_MAKE_EVENT:
    case OV_KILL_EVENT: rc = cuEventCreate((CUevent *)handle, CU_EVENT_DISABLE_TIMING); break;
    case OV_MAKE_GRAPH: rc = cuGraphCreate((CUgraph *)handle, 0); break;
    case OV_MAKE_EXEC: rc = cuGraphInstantiateWithFlags((CUgraphExec *)handle, k->graph, 0); break;
    }
    return rc;
}

static CUresult destroy(int32_t api, void *handle) {
    switch (api) {
    case OV_MEM_ALLOC:
    case OV_MEM_ALLOC_ASYNC:
    case OV_MEM_FREE: return cuMemFree((CUdeviceptr)handle);
    case OV_MEM_ALLOC_HOST:
    case OV_MEM_FREE_HOST: return cuMemFreeHost(handle);
    case OV_MODULE_LOAD:
    case OV_MODULE_UNLOAD: return cuModuleUnload(handle);
    case OV_MAKE_STREAM:
    case OV_KILL_STREAM: return cuStreamDestroy(handle);
    case OV_MAKE_EVENT:
    case OV_KILL_EVENT: return cuEventDestroy(handle);
    case OV_MAKE_GRAPH: return cuGraphDestroy(handle);
    case OV_MAKE_EXEC: return cuGraphExecDestroy(handle);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult made(ov_trace *t, int32_t api) {
    void *handle;
    CUresult rc = make(t, api, &handle);
    return keep(&t->stock, api, rc, handle);
}

// kill destroys a thing that was made for it.
static CUresult kill(ov_stock *k, int32_t api) {
    if (k->nspare[api] == 0)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult rc = destroy(api, k->spare[api][k->nspare[api] - 1]);
    if (rc == CUDA_SUCCESS)
        k->nspare[api]--;
    return rc;
}

static int kills(int32_t api) {
    return api == OV_MEM_FREE || api == OV_MEM_FREE_HOST || api == OV_MODULE_UNLOAD || api == OV_KILL_STREAM || api == OV_KILL_EVENT;
}

static CUresult spares(ov_trace *t, const int32_t *calls) {
    CUresult rc = CUDA_SUCCESS;
    for (int32_t api = 0; api < OV_APIS; api++) {
        if (!kills(api) || calls[api] == 0)
            continue;
        if ((t->stock.spare[api] = calloc((size_t)calls[api], sizeof(void *))) == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        for (int32_t i = 0; i < calls[api] && rc == CUDA_SUCCESS; i++)
            if ((rc = make(t, api, &t->stock.spare[api][i])) == CUDA_SUCCESS)
                t->stock.nspare[api]++;
    }
    return rc;
}

static CUresult memory(ov_stock *k) {
    CUresult rc = cuMemHostAlloc(&k->pinned, PINNED, CU_MEMHOSTALLOC_PORTABLE);
    if ((k->pageable = calloc(1, PAGEABLE)) == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memset(k->pageable, 1, PAGEABLE); // every page is there
    for (int i = 0; i < 2 && rc == CUDA_SUCCESS; i++)
        rc = cuMemAlloc(&k->device[i], PAGEABLE);
    return rc;
}

static void CUDA_CB called(CUstream stream, CUresult status, void *data) { (void)stream, (void)status, (void)data; }
static void CUDA_CB idle(void *data) { (void)data; }

// stage makes the graph, the stream elsewhere and the two events.
static CUresult stage(ov_trace *t) {
    ov_stock *k = &t->stock;
    CUgraphNode node;
    CUDA_KERNEL_NODE_PARAMS empty = {.func = t->empty, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    CUresult rc = cuStreamCreate(&k->elsewhere, CU_STREAM_NON_BLOCKING);
    for (int i = 0; i < 2 && rc == CUDA_SUCCESS; i++)
        if ((rc = cuEventCreate(&k->events[i], CU_EVENT_DEFAULT)) == CUDA_SUCCESS)
            rc = cuEventRecord(k->events[i], k->elsewhere);
    if (rc == CUDA_SUCCESS)
        rc = cuGraphCreate(&k->graph, 0);
    if (rc == CUDA_SUCCESS)
        rc = cuGraphAddKernelNode(&node, k->graph, NULL, 0, &empty);
    if (rc == CUDA_SUCCESS)
        rc = cuGraphInstantiateWithFlags(&k->exec, k->graph, 0);
    if (rc == CUDA_SUCCESS)
        rc = cuGraphLaunch(k->exec, k->elsewhere);
    if (rc == CUDA_SUCCESS)
        rc = ov_launch_empty(t, k->elsewhere);
    if (rc == CUDA_SUCCESS)
        rc = cuLaunchHostFunc(k->elsewhere, idle, NULL); // the first one starts a thread
    return rc == CUDA_SUCCESS ? cuStreamSynchronize(k->elsewhere) : rc;
}

// pool has the device's memory pool there before a call needs it. What a device lacks, the call itself will say.
static CUresult pool(const ov_stock *k) {
    CUdeviceptr d = 0;
    if (cuMemAllocAsync(&d, PINNED, k->elsewhere) == CUDA_SUCCESS)
        cuMemFreeAsync(d, k->elsewhere);
    return cuStreamSynchronize(k->elsewhere);
}

int32_t ov_trace_stock(ov_trace *t, const int32_t *calls) {
    ov_stock *k = &t->stock;
    size_t all = 1;
    for (int i = 0; i < OV_APIS; i++)
        all += (size_t)calls[i];
    k->made = calloc(all, sizeof *k->made);
    k->asked = calloc(all, sizeof *k->asked);
    if (k->made == NULL || k->asked == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult rc = ov_trace_empty(t);
    if (rc == CUDA_SUCCESS)
        rc = memory(k);
    if (rc == CUDA_SUCCESS)
        rc = stage(t);
    if (rc == CUDA_SUCCESS && calls[OV_MEM_ALLOC_ASYNC] > 0)
        rc = pool(k);
    if (rc == CUDA_SUCCESS && calls[OV_ATTACH_MEM] > 0)
        cuMemAllocManaged(&k->managed, SOME, CU_MEM_ATTACH_GLOBAL);
    return rc == CUDA_SUCCESS ? spares(t, calls) : rc;
}

void ov_stock_free(ov_stock *k) {
    for (int32_t i = 0; i < k->nmade; i++)
        destroy(k->made[i].api, k->made[i].handle);
    for (int32_t api = 0; api < OV_APIS; api++) {
        for (int32_t i = 0; i < k->nspare[api]; i++)
            destroy(api, k->spare[api][i]);
        free(k->spare[api]);
    }
    if (k->exec != NULL)
        cuGraphExecDestroy(k->exec);
    if (k->graph != NULL)
        cuGraphDestroy(k->graph);
    for (int i = 0; i < 2; i++) {
        if (k->events[i] != NULL)
            cuEventDestroy(k->events[i]);
        if (k->device[i] != 0)
            cuMemFree(k->device[i]);
    }
    if (k->elsewhere != NULL)
        cuStreamDestroy(k->elsewhere);
    if (k->managed != 0)
        cuMemFree(k->managed);
    if (k->pinned != NULL)
        cuMemFreeHost(k->pinned);
    free(k->pageable);
    free(k->made);
    free(k->asked);
}

static void CUDA_CB ask(void *data) {
    ov_asked *a = data;
    a->code = cuStreamQuery(a->stream);
    a->ran = 1;
}

static CUresult host_query(ov_stock *k, CUstream s, ov_saw *saw) {
    ov_asked *a = &k->asked[k->nasked];
    a->stream = s;
    CUresult rc = cuLaunchHostFunc(s, ask, a);
    if (rc == CUDA_SUCCESS)
        saw->asked = k->nasked++;
    return rc;
}

static CUresult alloc_async(ov_stock *k, CUstream s) {
    CUdeviceptr d = 0;
    CUresult rc = cuMemAllocAsync(&d, PINNED, s);
    return keep(k, OV_MEM_ALLOC_ASYNC, rc, (void *)d);
}

// free_async frees what the latest alloc_async gave.
static CUresult free_async(ov_stock *k, CUstream s) {
    int32_t i = k->nmade - 1;
    while (i >= 0 && k->made[i].api != OV_MEM_ALLOC_ASYNC)
        i--;
    if (i < 0)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult rc = cuMemFreeAsync((CUdeviceptr)k->made[i].handle, s);
    if (rc == CUDA_SUCCESS)
        k->made[i].api = OV_NO_API;
    return rc;
}

static CUresult on_stream(ov_trace *t, int32_t api, CUstream s, ov_saw *saw) {
    ov_stock *k = &t->stock;
    CUdeviceptr d = k->device[0];
    switch (api) {
    case OV_MEMCPY_HTOD: return cuMemcpyHtoDAsync(d, k->pinned, PINNED, s);
    case OV_MEMCPY_HTOD_PAGEABLE: return cuMemcpyHtoDAsync(d, k->pageable, PAGEABLE, s);
    case OV_MEMCPY_DTOH: return cuMemcpyDtoHAsync(k->pinned, d, PINNED, s);
    case OV_MEMCPY_DTOH_PAGEABLE: return cuMemcpyDtoHAsync(k->pageable, d, PAGEABLE, s);
    case OV_MEMCPY_DTOD: return cuMemcpyDtoDAsync(k->device[1], d, PINNED, s);
    case OV_MEMSET_D8: return cuMemsetD8Async(d, 1, PINNED, s);
    case OV_MEMSET_D32: return cuMemsetD32Async(d, 1, PINNED / 4, s);
    case OV_MEMSET_2D: return cuMemsetD2D8Async(d, 1024, 1, 512, 512, s);
    case OV_MEMSET_NOTHING: return cuMemsetD8Async(d, 1, 0, s);
    case OV_MEM_ALLOC_ASYNC: return alloc_async(k, s);
    case OV_MEM_FREE_ASYNC: return free_async(k, s);
    case OV_WRITE_VALUE: return cuStreamWriteValue32(s, d, 1, CU_STREAM_WRITE_VALUE_DEFAULT);
    case OV_ADD_CALLBACK: return cuStreamAddCallback(s, called, NULL, 0);
    case OV_ATTACH_MEM: return cuStreamAttachMemAsync(s, k->managed, 0, CU_MEM_ATTACH_GLOBAL);
    case OV_LAUNCH_HOST_NULL: return cuLaunchHostFunc(s, NULL, NULL);
    case OV_LAUNCH_HOST_QUERY: return host_query(k, s, saw);
    case OV_LAUNCH_EMPTY: return ov_launch_empty(t, s);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// set_limit asks for another size each time: what is so already may be no call at all.
static CUresult set_limit(void) {
    static size_t size = 1 << 20;
    return cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, size += SOME);
}

CUresult ov_do_invoke(ov_trace *t, int32_t api, CUstream s, ov_saw *saw) {
    ov_stock *k = &t->stock;
    CUdeviceptr none = 0;
    float ms;
    if (api < OV_MEM_ALLOC)
        return on_stream(t, api, s, saw);
    if (kills(api))
        return kill(k, api);
    switch (api) {
    case OV_MEM_ALLOC_NOTHING: return cuMemAlloc(&none, 0);
    case OV_MEMCPY_SYNC: return cuMemcpyHtoD(k->device[0], k->pinned, PINNED);
    case OV_FUNC_SET_ATTRIBUTE: return cuFuncSetAttribute(t->empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024);
    case OV_CTX_SET_LIMIT: return set_limit();
    case OV_LAUNCH_ELSEWHERE: return ov_launch_empty(t, k->elsewhere);
    case OV_REPLAY_ELSEWHERE: return cuGraphLaunch(k->exec, k->elsewhere);
    case OV_ELAPSED_ELSEWHERE: return cuEventElapsedTime(&ms, k->events[0], k->events[1]);
    }
    return made(t, api);
}
