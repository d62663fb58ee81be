// Finding the driver. This header does without cuda.h, whose macros would rename the symbols that trampoline.c lists.
#ifndef OVERLAP_LOAD_H
#define OVERLAP_LOAD_H

enum { OV_LOADED, OV_NO_LIBRARY, OV_NO_SYMBOL };

// ov_load fills the slots of all driver symbols from a library. *what is dlopen's message or the first symbol missing.
int ov_load(const char *library, const char **what);

// ov_init is the real cuInit.
int ov_init(void);

#endif
