//go:build gpu && cgo

#include <stdlib.h>
#include <string.h>

#include "overlap.h"

static void *table(int32_t n, size_t size) { return calloc(n > 0 ? (size_t)n : 1, size); }

ov_program *ov_new(int32_t streams, int32_t events, int32_t graphs, int32_t ops, const ov_call *body, int32_t nbody) {
    ov_program *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->streams = table(streams, sizeof *p->streams);
    p->events = table(events, sizeof *p->events);
    p->graphs = table(graphs, sizeof *p->graphs);
    p->execs = table(graphs, sizeof *p->execs);
    p->ops = table(ops, sizeof *p->ops);
    p->body = table(nbody, sizeof *p->body);
    p->ticks = table(nbody + 1, sizeof *p->ticks);
    if (!p->streams || !p->events || !p->graphs || !p->execs || !p->ops || !p->body || !p->ticks) {
        ov_free(p); // the counts are still 0
        return NULL;
    }
    p->nstreams = streams, p->nevents = events, p->ngraphs = graphs, p->nops = ops, p->nbody = nbody;
    for (int32_t i = 0; i < streams; i++)
        p->streams[i].handle = OV_ABSENT;
    for (int32_t i = 0; i < events; i++)
        p->events[i] = OV_ABSENT;
    for (int32_t i = 0; i < ops; i++) {
        p->ops[i].params[0] = &p->ops[i].ns;
        p->ops[i].params[1] = &p->ops[i].slot;
        p->ops[i].params[2] = &p->ops[i].buffer;
        p->ops[i].params[3] = &p->ops[i].mask;
        p->ops[i].params[4] = &p->ops[i].readers;
        p->ops[i].blocks = p->ops[i].threads = 1;
    }
    for (int32_t i = 0; i < nbody; i++)
        p->captures |= body[i].verb == OV_BEGIN_CAPTURE;
    if (nbody > 0)
        memcpy(p->body, body, (size_t)nbody * sizeof *body);
    return p;
}

int32_t ov_word(ov_program *p) {
    if (p->word != NULL)
        return CUDA_SUCCESS;
    return cuMemHostAlloc((void **)&p->word, sizeof *p->word, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
}

int32_t ov_copy(ov_program *p, int32_t op, uint64_t bytes, int to_host, int pageable) {
    ov_op *o = &p->ops[op];
    size_t size = bytes < sizeof o->mark ? sizeof o->mark : bytes;
    o->to_host = to_host, o->pageable = pageable;
    CUresult rc = cuMemAlloc(&o->device, size);
    if (rc != CUDA_SUCCESS)
        return rc;
    if (pageable)
        o->memory = malloc(size);
    else
        rc = cuMemHostAlloc(&o->memory, size, CU_MEMHOSTALLOC_PORTABLE);
    if (o->memory == NULL)
        return rc != CUDA_SUCCESS ? rc : CUDA_ERROR_OUT_OF_MEMORY;
    memset(o->memory, 0, size); // every page is there before anything is timed
    o->bytes = bytes, p->copies = 1;
    rc = cuMemcpyHtoD(o->device, o->memory, size); // and the first copy is none behind a gate
    return rc == CUDA_SUCCESS && to_host ? cuMemcpyDtoH(o->memory, o->device, size) : rc;
}

static void free_copy(ov_op *o) {
    if (o->device != 0)
        cuMemFree(o->device);
    if (o->memory != NULL && o->pageable)
        free(o->memory);
    else if (o->memory != NULL)
        cuMemFreeHost(o->memory);
}

void ov_end_captures(ov_program *p) {
    for (int32_t i = 0; i < p->nstreams; i++) {
        CUstreamCaptureStatus status;
        CUgraph g = NULL;
        CUstream s = p->streams[i].handle;
        if (s == OV_ABSENT || s == NULL)
            continue;
        if (cuStreamGetCaptureInfo_v3(s, &status, NULL, NULL, NULL, NULL, NULL) != CUDA_SUCCESS ||
            status == CU_STREAM_CAPTURE_STATUS_NONE)
            continue;
        cuStreamEndCapture(s, &g);
        if (g != NULL)
            ov_drop_graph(p, g);
    }
}

int32_t ov_drop_graph(ov_program *p, CUgraph g) {
    CUresult rc = cuGraphDestroy(g);
    for (int32_t i = 0; i < p->ngraphs && rc == CUDA_SUCCESS; i++)
        if (g != NULL && p->graphs[i] == g)
            p->graphs[i] = OV_ABSENT;
    return rc;
}

void ov_free(ov_program *p) {
    ov_end_captures(p);
    for (int32_t i = 0; i < p->ngraphs; i++) {
        if (ov_there(p->execs[i]))
            cuGraphExecDestroy(p->execs[i]);
        if (ov_there(p->graphs[i]))
            ov_drop_graph(p, p->graphs[i]);
    }
    for (int32_t i = 0; i < p->nstreams; i++)
        if (ov_created(p->streams[i].handle))
            cuStreamDestroy(p->streams[i].handle);
    for (int32_t i = 0; i < p->nevents; i++)
        if (p->events[i] != OV_ABSENT)
            cuEventDestroy(p->events[i]);
    for (int32_t i = 0; i < p->nops; i++)
        free_copy(&p->ops[i]);
    if (p->word != NULL)
        cuMemFreeHost(p->word);
    free(p->streams);
    free(p->events);
    free(p->graphs);
    free(p->execs);
    free(p->ops);
    free(p->body);
    free(p->ticks);
    free(p);
}
