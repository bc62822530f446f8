// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESTS_PROGRAMS_TLS_H
#define TESTS_PROGRAMS_TLS_H

extern __thread int tls_shared;          // of tls_part.c
extern __thread unsigned seen_from_afar; // of tls.c
int tls_bump(int by);
unsigned tls_peek(void);
int *tls_address_of_shared(void);

#endif
