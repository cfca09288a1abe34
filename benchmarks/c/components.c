// Misère play of sums of components of four kinds, by the number of components of each kind.
//
//   components LAST
//
// The sums of n and of n + 1 components of kind 4 have the same outcome exactly for n = 1, 2, 3, 12, 14, 17 among 1..17.
#include <stdlib.h>

#include "fnv.h"

typedef uint64_t u64;
static const int OPTIONS[9][5] = {  // kind, and the components of each kind that replace one of it
    {1, 0, 0, 0, 0}, {2, 0, 0, 0, 0}, {2, 1, 0, 0, 0}, {3, 0, 0, 0, 0}, {3, 1, 2, 0, 0},
    {3, 0, 3, 0, 0}, {4, 1, 1, 0, 0}, {4, 1, 0, 1, 0}, {4, 0, 0, 2, 0}};
static u64 *keys, capacity = 1 << 16, count;
static unsigned char *known;

static u64 find(const u64 *from, u64 key) {
  u64 at = key * 0x9e3779b97f4a7c15ULL >> 20 & (capacity - 1);
  while (from[at] && from[at] != key) at = (at + 1) & (capacity - 1);
  return at;
}

static void store(u64 key, int wins) {
  if (2 * ++count > capacity) {
    u64 *old = keys, size = capacity;
    unsigned char *values = known;
    capacity *= 2, keys = calloc(capacity, sizeof *keys), known = malloc(capacity);
    for (u64 i = 0; i < size; i++)
      if (old[i]) {
        u64 at = find(keys, old[i]);
        keys[at] = old[i], known[at] = values[i];
      }
    free(old), free(values);
  }
  u64 at = find(keys, key);
  keys[at] = key, known[at] = wins;
}

static int wins(const int *c) {
  u64 key = 1;
  for (int i = 0; i < 4; i++) key = key << 15 | c[i];
  u64 at = find(keys, key);
  if (keys[at]) return known[at];
  int found = 0, any = 0;
  for (int i = 0; i < 9 && !found; i++) {
    const int *option = OPTIONS[i];
    if (!c[option[0] - 1]) continue;
    int after[4];
    for (int j = 0; j < 4; j++) after[j] = c[j] + option[j + 1] - (j == option[0] - 1);
    any = 1, found = !wins(after);
  }
  store(key, found = found || !any);
  return found;
}

int main(int argc, char **argv) {
  (void)argc;
  int last = atoi(argv[1]), failing = 0, before = 0;
  keys = calloc(capacity, sizeof *keys), known = malloc(capacity);
  for (int n = 1; n <= last + 1; n++) {
    int now = wins((int[]){0, 0, 0, n}), m = n - 1;
    int listed = m == 1 || m == 2 || m == 3 || m == 12 || m == 14 || m == 17;
    if (m) failing += (now == before) != listed;
    add_byte(before = now);
  }
  print_answer(failing ? "fails" : "holds", last);
  return 0;
}
