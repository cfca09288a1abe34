// Subtract a square, from single heaps of 1..LAST: every square number of objects is won.
//
//   squares LAST
#include <stdlib.h>

#include "fnv.h"

int main(int argc, char **argv) {
  (void)argc;
  int last = atoi(argv[1]), root = 0, failing = 0;
  unsigned char *wins = calloc(last + 1, 1);
  for (int n = 1; n <= last; n++) {
    for (int r = 1; r * r <= n && !wins[n]; r++) wins[n] = !wins[n - r * r];
    if ((root + 1) * (root + 1) == n) root++, failing += !wins[n];
    add_byte(wins[n]);
  }
  print_answer(failing ? "fails" : "holds", last);
  return 0;
}
