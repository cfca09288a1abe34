// Who wins at positions that one integer n describes, for n = FROM..TO:
//
//   described triples FROM TO     Nim on n, 2n and 3n: lost exactly if n has no two neighbouring binary ones
//   described pairs FROM TO       Wythoff's game on a and a + n, a the integer part of n times the golden ratio: lost
//
// Nim by the values of its heaps, each the least value that no smaller heap has. Wythoff's game by its lost positions:
// each row and each diagonal contains at most one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

static void solve_nim(int *g, int size) {
  unsigned char *seen = malloc(size + 2);
  for (int h = 0; h <= size; h++) {
    memset(seen, 0, h + 1);
    for (int m = 1; m <= h; m++) seen[g[h - m]] = 1;
    int v = 0;
    while (v < h && seen[v]) v++;
    g[h] = v;
  }
}

static void solve_wythoff(int *partner, int size) {  // partner[x] = y if the heaps x, y are lost; otherwise -1
  unsigned char *by_difference = calloc(size + 1, 1);
  for (int x = 0; x <= size; x++) partner[x] = -1;
  for (int x = 0; x <= size; x++)
    for (int y = x; y <= size && partner[x] < 0; y++)
      if (partner[y] < 0 && !by_difference[y - x]) partner[x] = y, partner[y] = x, by_difference[y - x] = 1;
}

int main(int argc, char **argv) {
  (void)argc;
  int triples = !strcmp(argv[1], "triples"), from = atoi(argv[2]), to = atoi(argv[3]);
  long long failing = 0, greatest = to;
  int golden = (int)((greatest + (long long)sqrtl(5.0L * greatest * greatest)) / 2);
  int size = triples ? 3 * to : golden + to;
  int *table = calloc(size + 1, sizeof *table);
  if (triples) solve_nim(table, size);
  else solve_wythoff(table, size);
  for (int n = from; n <= to; n++) {
    int a = (int)((n + (long long)sqrtl(5.0L * n * n)) / 2);
    int wins = triples ? (table[n] ^ table[2 * n] ^ table[3 * n]) != 0 : table[a] != a + n;
    failing += triples ? wins == !(n & 2 * n) : wins;
    add_byte(wins);
  }
  print_answer(failing ? "fails" : "holds", to - from + 1);
  return 0;
}
