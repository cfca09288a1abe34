// FNV-1a, 64 bits: the digest by which ways to one answer are compared (benchmarks/ways/digest.py).
#include <stdint.h>
#include <stdio.h>

static uint64_t digest = 0xcbf29ce484222325ULL;

static inline void add_byte(uint8_t byte) { digest = (digest ^ byte) * 0x100000001b3ULL; }

static inline void add_value(uint32_t value) {  // two bytes, the lower one first
  add_byte(value & 255);
  add_byte(value >> 8 & 255);
}

static void print_answer(const char *answer, long long cases) {
  printf("{\"answer\": \"%s\", \"cases\": %lld, \"digest\": \"%016llx\"}\n", answer, cases, (unsigned long long)digest);
}
