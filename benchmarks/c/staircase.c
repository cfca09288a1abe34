// Staircases of STEPS steps with 0..EACH coins each: from a step to the next lower one, from the lowest to the ground.
//
//   staircase STEPS EACH HEAPS
//
// Checks that one staircase, or two of them, are lost exactly where the nim-sum of the steps 1, 3, ... is 0.  A place
// for each list that can be reached, the highest step first; two staircases are won where their Grundy values differ.
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

static int steps, each, sides[16];
static long strides[16], size = 1;
static uint16_t *value;

static int read_list(long at, int *c) {  // whether it can be reached; c[0] is the lowest step
  int above = 0, fine = 1;
  for (int i = steps - 1; i >= 0; i--) {
    c[i] = at / strides[i] % sides[i];
    above += c[i];
    fine &= above <= each * (steps - i);
  }
  return fine;
}

static void solve(long at, const int *c, int values) {
  static uint32_t seen[1 << 16], stamp;
  int won = 0;
  stamp++;
  for (int i = 0; i < steps; i++)
    for (int m = 1; m <= c[i]; m++) {
      int v = value[at - m * strides[i] + (i ? m * strides[i - 1] : 0)];
      won |= !v;
      if (values) seen[v] = stamp;
    }
  if (values)
    for (won = 0; seen[won] == stamp;) won++;
  value[at] = won;
}

int main(int argc, char **argv) {
  steps = atoi(argv[1]), each = atoi(argv[2]);
  int heaps = atoi(argv[3]), failing = 0, c[16];
  (void)argc;
  for (int i = 0; i < steps; i++) sides[i] = each * (steps - i) + 1, strides[i] = size, size *= sides[i];
  value = calloc(size, sizeof *value);
  for (long at = 0; at < size; at++)
    if (read_list(at, c)) solve(at, c, heaps > 1);
  long count = 1, cases = 0;
  for (int i = 0; i < steps; i++) count *= each + 1;
  uint16_t *found = malloc(2 * count), *odd = malloc(2 * count);
  for (long n = 0; n < count; n++) {  // the lowest step is the first of a list
    long at = 0, rest = n;
    odd[n] = 0;
    for (int i = steps - 1; i >= 0; i--, rest /= each + 1) {
      int coins = rest % (each + 1);
      at += coins * strides[i];
      if (i % 2 == 0) odd[n] ^= coins;
    }
    found[n] = value[at];
  }
  for (long a = 0; a < count; a++)
    for (long b = heaps > 1 ? a : 0; b < (heaps > 1 ? count : 1); b++, cases++) {
      int won = (found[a] ^ (heaps > 1 ? found[b] : 0)) != 0;
      add_byte(won);
      failing += won != ((odd[a] ^ (heaps > 1 ? odd[b] : 0)) != 0);
    }
  print_answer(failing ? "fails" : "holds", cases);
  return 0;
}
