// Turning Corners: the values of a coin at x, y of at most SIZE, and the sum of a coin and its mirror image, which is lost.
//
//   corners SIZE
#include <stdlib.h>

#include "fnv.h"

int main(int argc, char **argv) {
  (void)argc;
  int size = atoi(argv[1]), s = size + 1;
  uint32_t *g = calloc((size_t)s * s, sizeof *g), *seen = calloc(1 << 16, sizeof *seen), stamp = 0;
  long long failing = 0;
  for (int x = 1; x < s; x++)
    for (int y = 1; y < s; y++) {
      stamp++;
      for (int a = 0; a < x; a++)
        for (int b = 0; b < y; b++) seen[g[x * s + b] ^ g[a * s + y] ^ g[a * s + b]] = stamp;
      uint32_t v = 0;
      while (seen[v] == stamp) v++;
      g[x * s + y] = v;
    }
  for (int x = 0; x < s; x++)
    for (int y = 0; y < s; y++) failing += (g[x * s + y] ^ g[y * s + x]) != 0, add_value(g[x * s + y]);
  print_answer(failing ? "fails" : "holds", (long long)s * s);
  return 0;
}
