// The layout that the kernels stamp; package kernels checks against it.
#ifndef OVERLAP_SLOT_H
#define OVERLAP_SLOT_H

enum { SLOT_SIZE = 32, SLOT_POISON = 0xff };

#endif
