// Wythoff's game, both heaps 0..size: Grundy values, the least not met in the row, the column or the diagonal.
//
//   wythoff SIZE
//
// Checks that the value is 0 exactly at the pairs of the golden ratio.  Lines are sets of values, bits of words.
#include <stdlib.h>

#include "fnv.h"

typedef uint64_t u64;

int main(int argc, char **argv) {
  int size = atoi(argv[1]), S = size + 1, words = 3 * S / 64 + 1;
  (void)argc;
  u64 *line = calloc((size_t)S * words, sizeof *line), *slanted = calloc((size_t)S * words, sizeof *slanted);
  uint16_t *g = calloc((size_t)S * S, sizeof *g);
  long long cases = 0, failing = 0;
  for (int a = 0; a < S; a++)
    for (int b = a; b < S; b++) {  // line[x]: the values of positions with a heap x, as far as they are known
      u64 *x = line + (size_t)a * words, *y = line + (size_t)b * words, *z = slanted + (size_t)(b - a) * words;
      int i = 0;
      while (!~(x[i] | y[i] | z[i])) i++;
      int bit = __builtin_ctzll(~(x[i] | y[i] | z[i]));
      u64 word = 1ULL << bit;
      x[i] |= word, y[i] |= word, z[i] |= word;
      g[a * S + b] = 64 * i + bit;
      long long d = b - a;  // a is d times the golden ratio, rounded down: a^2 - a d - d^2 <= 0 < the same of a + 1
      long long below = (long long)a * a - a * d - d * d, above = (a + 1LL) * (a + 1) - (a + 1) * d - d * d;
      int pair = (a == 0 && b == 0) || (a < b && below <= 0 && 0 < above);
      failing += pair != (g[a * S + b] == 0);
      cases++;
    }
  for (int a = 0; a < S; a++)
    for (int b = a; b < S; b++) add_value(g[a * S + b]);
  print_answer(failing ? "fails" : "holds", cases);
  return 0;
}
