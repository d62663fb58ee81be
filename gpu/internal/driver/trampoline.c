//go:build gpu && cgo

// Each driver symbol as one jump through a slot: as cheap as a call into a shared library, and bound when load says so.
#include <dlfcn.h>
#include <stddef.h>

#include "load.h"

static int not_initialized(void) { return 3; } // CUDA_ERROR_NOT_INITIALIZED
static int not_supported(void) { return 801; } // CUDA_ERROR_NOT_SUPPORTED

#define HIDDEN __attribute__((visibility("hidden"), used))
#define USED(f) NEED(f)

#define NEED(f) HIDDEN void *ov_slot_##f = (void *)not_initialized;
NEED(cuInit)
#include "symbols.h"
#undef NEED

#if defined(__x86_64__)
#define JUMP(f) "\tjmp *ov_slot_" #f "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(f) "\tadrp x16, ov_slot_" #f "\n\tldr x16, [x16, :lo12:ov_slot_" #f "]\n\tbr x16\n"
#else
#error "no trampoline for this architecture: write its jump through a slot"
#endif

#define NEED(f) \
    __asm__(".text\n.globl " #f "\n.hidden " #f "\n.type " #f ", %function\n" #f ":\n" JUMP(f) ".size " #f ", .-" #f "\n");
#include "symbols.h"
#undef NEED

// gorgonia.org/cu calls cuInit before main and exits the process unless it succeeds. The true call is ov_init's.
HIDDEN int cuInit(unsigned int flags) {
    (void)flags;
    return 0;
}

int ov_init(void) { return ((int (*)(unsigned int))ov_slot_cuInit)(0); }

static const struct {
    const char *name;
    void **slot;
    int need;
} symbols[] = {
#define NEED(f) {#f, &ov_slot_##f, 1},
#undef USED
#define USED(f) {#f, &ov_slot_##f, 0},
    NEED(cuInit)
#include "symbols.h"
};

int ov_load(const char *library, const char **what) {
    const size_t n = sizeof symbols / sizeof symbols[0];
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        *what = dlerror();
        return OV_NO_LIBRARY;
    }
    for (size_t i = 0; i < n; i++)
        if (symbols[i].need && dlsym(handle, symbols[i].name) == NULL) {
            *what = symbols[i].name;
            return OV_NO_SYMBOL;
        }
    for (size_t i = 0; i < n; i++) {
        void *f = dlsym(handle, symbols[i].name);
        *symbols[i].slot = f != NULL ? f : (void *)not_supported;
    }
    return OV_LOADED;
}
