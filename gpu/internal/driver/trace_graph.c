//go:build gpu && cgo

// The calls of a trace that work on graphs and their execs.
#include <stdlib.h>

#include "trace.h"

enum { ADDED_BYTES = 1024 }; // of a memcpy or memset node

static CUresult create(ov_program *p, int32_t graph) {
    CUgraph g = NULL;
    CUresult rc = cuGraphCreate(graph >= 0 ? &g : NULL, 0);
    if (rc != CUDA_SUCCESS)
        return rc;
    if (ov_there(p->graphs[graph]))
        ov_drop_graph(p, p->graphs[graph]);
    p->graphs[graph] = g;
    return rc;
}

// add_copy adds a copy between a host's memory, or NULL for the device's second buffer, and the device's.
static CUresult add_copy(CUgraphNode *made, const ov_trace *t, const ov_operands *o, const CUDA_MEMCPY3D *copy) {
    return cuGraphAddMemcpyNode(made, o->graph, o->nodes, (size_t)o->n, copy, t->context);
}

static CUresult add_op(CUgraphNode *made, const ov_trace *t, const ov_step *s, const ov_operands *o) {
    ov_op *op = &t->p->ops[s->call.op];
    if (op->bytes > 0) {
        CUDA_MEMCPY3D c = {.WidthInBytes = op->bytes, .Height = 1, .Depth = 1};
        c.srcMemoryType = op->to_host ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        c.dstMemoryType = op->to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        c.srcDevice = c.dstDevice = op->device, c.srcHost = c.dstHost = op->memory;
        return add_copy(made, t, o, &c);
    }
    if (op->kernel == NULL) {
        CUDA_HOST_NODE_PARAMS host = {.fn = ov_host_func, .userData = op};
        return cuGraphAddHostNode(made, o->graph, o->nodes, (size_t)o->n, &host);
    }
    CUDA_KERNEL_NODE_PARAMS kernel = {.func = op->kernel, .gridDimX = op->blocks, .gridDimY = 1, .gridDimZ = 1, .blockDimX = op->threads,
                                      .blockDimY = 1, .blockDimZ = 1, .sharedMemBytes = op->shared, .kernelParams = op->params};
    return cuGraphAddKernelNode(made, o->graph, o->nodes, (size_t)o->n, &kernel);
}

static CUresult add_kind(CUgraphNode *made, const ov_trace *t, const ov_step *s, const ov_operands *o) {
    CUgraph g = o->graph;
    const CUgraphNode *after = o->nodes;
    size_t n = (size_t)o->n;
    CUDA_MEMCPY3D copy = {.WidthInBytes = ADDED_BYTES, .Height = 1, .Depth = 1, .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = t->stock.device[0], .dstDevice = t->stock.device[1]};
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = t->stock.device[0], .elementSize = 1, .width = ADDED_BYTES, .height = 1};
    switch (s->number) {
    case OV_ADD_OP: return add_op(made, t, s, o);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return add_copy(made, t, o, &copy);
    case CU_GRAPH_NODE_TYPE_MEMSET: return cuGraphAddMemsetNode(made, g, after, n, &fill, t->context);
    case CU_GRAPH_NODE_TYPE_GRAPH: return cuGraphAddChildGraphNode(made, g, after, n, o->other_graph);
    case CU_GRAPH_NODE_TYPE_EMPTY: return cuGraphAddEmptyNode(made, g, after, n);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return cuGraphAddEventWaitNode(made, g, after, n, o->event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return cuGraphAddEventRecordNode(made, g, after, n, o->event);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult add(ov_trace *t, const ov_step *s, const ov_operands *o) {
    CUgraphNode made = NULL;
    CUresult rc = add_kind(&made, t, s, o);
    if (rc == CUDA_SUCCESS)
        ov_name_node(t, s->number == OV_ADD_OP ? s->call.op : s->node, made);
    return rc;
}

// edges adds or removes the edges between pairs of nodes.
static CUresult edges(const ov_step *s, const ov_operands *o) {
    size_t n = (size_t)o->n / 2;
    CUgraphNode *from = calloc(n + 1, sizeof *from), *to = calloc(n + 1, sizeof *to);
    CUresult rc = CUDA_ERROR_OUT_OF_MEMORY;
    if (from != NULL && to != NULL) {
        for (size_t i = 0; i < n; i++)
            from[i] = o->nodes[2 * i], to[i] = o->nodes[2 * i + 1];
        rc = s->call.verb == OV_ADD_EDGES ? cuGraphAddDependencies_v2(o->graph, from, to, NULL, n)
                                          : cuGraphRemoveDependencies_v2(o->graph, from, to, NULL, n);
    }
    free(from);
    free(to);
    return rc;
}

static CUresult destroy_node(ov_trace *t, const ov_step *s, const ov_operands *o) {
    CUresult rc = cuGraphDestroyNode(o->node);
    if (rc == CUDA_SUCCESS && s->node >= 0)
        t->nodes[s->node] = NULL;
    return rc;
}

// destroy_graph destroys a graph and forgets its nodes.
static CUresult destroy_graph(ov_trace *t, CUgraph g) {
    size_t n = 0;
    CUgraphNode *list = NULL;
    if (g != NULL && cuGraphGetNodes(g, NULL, &n) == CUDA_SUCCESS && n > 0 && (list = calloc(n, sizeof *list)) != NULL &&
        cuGraphGetNodes(g, list, &n) != CUDA_SUCCESS)
        n = 0;
    CUresult rc = ov_drop_graph(t->p, g);
    for (size_t i = 0; i < n && list != NULL && rc == CUDA_SUCCESS; i++)
        ov_name_node(t, -1, list[i]);
    free(list);
    return rc;
}

static CUresult destroy_exec(ov_program *p, int32_t graph, CUgraphExec exec) {
    CUresult rc = cuGraphExecDestroy(exec);
    if (rc == CUDA_SUCCESS && graph >= 0)
        p->execs[graph] = OV_ABSENT;
    return rc;
}

static void keep_exec(ov_program *p, int32_t graph, CUgraphExec exec) {
    if (graph < 0) {
        cuGraphExecDestroy(exec);
        return;
    }
    if (ov_there(p->execs[graph]))
        cuGraphExecDestroy(p->execs[graph]);
    p->execs[graph] = exec;
}

static CUresult instantiate_with(ov_trace *t, const ov_step *s, const ov_operands *o, ov_saw *saw) {
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = (cuuint64_t)(int64_t)s->number};
    CUgraphExec exec = NULL;
    CUresult rc = cuGraphInstantiateWithParams(&exec, s->graph >= 0 ? o->other_graph : o->graph, &params);
    ov_saw_value(saw, params.result_out);
    if (params.hErrNode_out != NULL)
        ov_saw_node(t, saw, params.hErrNode_out);
    if (rc == CUDA_SUCCESS)
        keep_exec(t->p, s->call.graph, exec);
    return rc;
}

static CUresult update(const ov_trace *t, const ov_operands *o, ov_saw *saw) {
    CUgraphExecUpdateResultInfo info = {0};
    CUresult rc = cuGraphExecUpdate(o->exec, o->other_graph, &info);
    ov_saw_value(saw, info.result);
    if (info.errorNode != NULL)
        ov_saw_node(t, saw, info.errorNode);
    if (info.errorFromNode != NULL)
        ov_saw_node(t, saw, info.errorFromNode);
    return rc;
}

CUresult ov_do_graph(ov_trace *t, const ov_step *s, const ov_operands *o, ov_saw *saw) {
    switch (s->call.verb) {
    case OV_CREATE_GRAPH: return create(t->p, s->call.graph);
    case OV_ADD_NODE: return add(t, s, o);
    case OV_ADD_EDGES:
    case OV_REMOVE_EDGES: return edges(s, o);
    case OV_DESTROY_NODE: return destroy_node(t, s, o);
    case OV_DESTROY_GRAPH: return destroy_graph(t, o->graph);
    case OV_DESTROY_EXEC: return destroy_exec(t->p, s->call.graph, o->exec);
    case OV_ENABLE_NODE: return cuGraphNodeSetEnabled(o->exec, o->node, (unsigned)s->number);
    case OV_INSTANTIATE_WITH: return instantiate_with(t, s, o, saw);
    case OV_UPDATE_EXEC: return update(t, o, saw);
    case OV_LIST_GRAPH: // what it holds, and its dumps, are read by Go
    case OV_PRINT_GRAPH: return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
