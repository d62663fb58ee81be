//go:build gpu && cgo

// The calls of a trace that work on captures.
#include "trace.h"

static CUresult exchange(CUstreamCaptureMode mode, ov_saw *saw) {
    CUresult rc = cuThreadExchangeStreamCaptureMode(&mode);
    if (rc == CUDA_SUCCESS)
        ov_saw_value(saw, mode);
    return rc;
}

// ordinal numbers the captures by when they were first seen.
static int64_t ordinal(ov_trace *t, cuuint64_t id) {
    for (int32_t i = 0; i < t->ncaptures; i++)
        if (t->captures[i] == id)
            return i + 1;
    if (t->ncaptures == OV_CAPTURES)
        return 0;
    t->captures[t->ncaptures++] = id;
    return t->ncaptures;
}

// Beside the status, the driver says something only of a stream whose capture is active.
static CUresult info(ov_trace *t, const ov_step *s, CUstream stream, ov_saw *saw) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    const CUgraphNode *deps = NULL;
    const CUgraphEdgeData *data = NULL;
    size_t n = 0;
    CUresult rc = cuStreamGetCaptureInfo_v3(stream, s->number == 2 ? NULL : &status, &id, NULL, &deps,
                                            s->number == 1 ? NULL : &data, &n);
    if (rc != CUDA_SUCCESS)
        return rc;
    ov_saw_value(saw, status);
    if (status == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        ov_saw_value(saw, ordinal(t, id));
        for (size_t i = 0; i < n; i++)
            ov_saw_node(t, saw, deps[i]);
    }
    return rc;
}

static CUresult is_capturing(const ov_step *s, CUstream stream, ov_saw *saw) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult rc = cuStreamIsCapturing(stream, s->number == 1 ? NULL : &status);
    if (rc == CUDA_SUCCESS)
        ov_saw_value(saw, status);
    return rc;
}

static CUresult depend(const ov_step *s, const ov_operands *o) {
    if (s->number == OV_DEPEND_NULL)
        return cuStreamUpdateCaptureDependencies_v2(o->stream, NULL, NULL, 1, 0);
    return cuStreamUpdateCaptureDependencies_v2(o->stream, o->n > 0 ? o->nodes : NULL, NULL, (size_t)o->n, (unsigned)s->number);
}

static CUresult begin_into(const ov_step *s, const ov_operands *o) {
    return cuStreamBeginCaptureToGraph(o->stream, o->graph, o->n > 0 ? o->nodes : NULL, NULL, (size_t)o->n,
                                       (CUstreamCaptureMode)s->call.mode);
}

// launch_with launches an op's kernel with one attribute.
static CUresult launch_with(const ov_trace *t, const ov_step *s, const ov_operands *o) {
    ov_op *op = &t->p->ops[s->call.op];
    CUlaunchAttribute a = {0};
    switch (s->number) {
    case OV_AFTER_TRIGGER:
        a.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        a.value.programmaticStreamSerializationAllowed = 1;
        break;
    case OV_TRIGGER_AT_END:
    case OV_TRIGGER_AT_START:
        a.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
        a.value.programmaticEvent.event = o->event;
        a.value.programmaticEvent.triggerAtBlockStart = s->number == OV_TRIGGER_AT_START;
        break;
    default:
        a.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
        a.value.launchCompletionEvent.event = o->event;
    }
    CUlaunchConfig config = {.gridDimX = op->blocks, .gridDimY = 1, .gridDimZ = 1, .blockDimX = op->threads, .blockDimY = 1, .blockDimZ = 1,
                             .sharedMemBytes = op->shared, .hStream = o->stream, .attrs = &a, .numAttrs = 1};
    return cuLaunchKernelEx(&config, op->kernel, op->params, NULL);
}

CUresult ov_do_capture(ov_trace *t, const ov_step *s, const ov_operands *o, ov_saw *saw) {
    switch (s->call.verb) {
    case OV_EXCHANGE_MODE: return exchange((CUstreamCaptureMode)s->call.mode, saw);
    case OV_CAPTURE_INFO: return info(t, s, o->stream, saw);
    case OV_IS_CAPTURING: return is_capturing(s, o->stream, saw);
    case OV_DEPEND: return depend(s, o);
    case OV_BEGIN_CAPTURE_TO: return begin_into(s, o);
    case OV_LAUNCH_WITH: return launch_with(t, s, o);
    }
    return CUDA_ERROR_INVALID_VALUE;
}
