// Toads and Frogs on LENGTH squares, each with a toad (1), a frog (-1) or nothing: who wins, for either mover.
//
//   toads LENGTH
//
// Checks that Left wins just where Right does in the mirror.  A position is a number to the base 3; each move makes
// it another, so that what is not known is looked up recursively.
#include <stdlib.h>

#include "fnv.h"

static int length;
static long powers[40];
static uint8_t *known[2];  // 0: not known, 1: lost, 2: won

static int wins(int mover, long at) {
  if (known[mover][at]) return known[mover][at] - 1;
  int own = mover ? 0 : 2, other = 2 - own, way = mover ? -1 : 1, won = 0;
  for (int i = 0; i < length; i++) {
    if (at / powers[i] % 3 != own) continue;
    for (int k = 1; k <= 2; k++) {
      int to = i + k * way;
      if (to < 0 || to >= length || at / powers[to] % 3 != 1) continue;
      if (k == 2 && at / powers[i + way] % 3 != other) continue;
      long after = at - (own - 1) * powers[i] + (own - 1) * powers[to];
      won |= !wins(1 - mover, after);
    }
  }
  known[mover][at] = 1 + won;
  return won;
}

int main(int argc, char **argv) {
  (void)argc;
  length = atoi(argv[1]);
  long size = 1;
  int failing = 0;
  for (int i = 0; i < length; i++, size *= 3) powers[i] = size;
  for (int m = 0; m < 2; m++) known[m] = calloc(size, 1);
  for (long at = 0; at < size; at++) {
    long mirror = 0, there = 0;  // the first square counts most
    for (int i = 0; i < length; i++) {
      int x = at / powers[length - 1 - i] % 3;
      there += x * powers[i];
      mirror += (2 - x) * powers[length - 1 - i];
    }
    int left = wins(0, there), right = wins(1, mirror);
    add_byte(left);
    failing += left != right;
  }
  print_answer(failing ? "fails" : "holds", size);
  return 0;
}
