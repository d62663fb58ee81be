//go:build gpu && cgo

// What a call gave, and the names of nodes: what the parts of ov_trace_call share.
#include "trace.h"

void ov_saw_value(ov_saw *saw, int64_t value) { saw->values[saw->nvalues++] = value; }

void ov_saw_node(const ov_trace *t, ov_saw *saw, CUgraphNode node) {
    if (saw->nnodes < OV_SEEN)
        saw->nodes[saw->nnodes++] = ov_trace_id(t, node);
}

int32_t ov_trace_id(const ov_trace *t, CUgraphNode node) {
    for (int32_t i = 0; i < t->nnodes; i++)
        if (node != NULL && t->nodes[i] == node)
            return i;
    return -1;
}

// A handle that is new may be that of a node that went with its graph.
void ov_name_node(ov_trace *t, int32_t id, CUgraphNode node) {
    for (int32_t i = 0; i < t->nnodes; i++)
        if (t->nodes[i] == node)
            t->nodes[i] = NULL;
    if (id >= 0)
        t->nodes[id] = node;
}
