/*
 * A wrapper for the cuda.h of CUDA 13, whose macros give the names of five functions to versions with more parameters.
 * gorgonia.org/cu calls them in their old form, which the driver still exports: here each old name is itself again.
 * Put this folder before CUDA's on the include path; before CUDA 13 it does nothing.
 */
#ifndef OVERLAP_CUDA13_CUDA_H
#define OVERLAP_CUDA13_CUDA_H

#include_next <cuda.h>

#if CUDA_VERSION >= 13000

#undef cuCtxCreate
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuGraphAddDependencies
#undef cuGraphGetEdges

#define cuCtxCreate cuCtxCreate_v2

#ifdef __cplusplus
extern "C" {
#endif

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream);
CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                        size_t numDependencies);
CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_VERSION >= 13000 */

#endif /* OVERLAP_CUDA13_CUDA_H */
