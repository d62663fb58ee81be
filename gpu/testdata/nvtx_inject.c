// A tool that NVTX loads when NVTX_INJECTION64_PATH names it: it appends the name of each range to the file that
// NVTX_SEEN names.
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>

static int NVTX_API push(const char *name) {
    FILE *f = fopen(getenv("NVTX_SEEN"), "a");
    fprintf(f, "%s\n", name);
    fclose(f);
    return 0;
}

int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
    const NvtxExportTableCallbacks *callbacks = tables(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable table;
    unsigned size = 0;
    if (callbacks == NULL || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) ||
        size <= NVTX_CBID_CORE_RangePushA)
        return 0;
    *table[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)push;
    return 1;
}
