// Grundy values of single heaps 0..n, near what a machine can do.
//
//   sequences octal D1,D2,... N        a game of taking and splitting, by its digits
//   sequences subtract M1,M2,... N     taking one of some numbers
//   sequences grundy N, lasker N       Grundy's game, Lasker's Nim
//
// Then `bound B FROM` or `period P FROM`: whether g(i) <= B, or g(i) = g(i + P), for all i from FROM to N.
// Octal games by sparse spaces (as in J. P. Grossman, Searching for periodicity in Officers, 2012): of a sum of two heaps
// the value is common, of odd parity under a mask, only where one of them is among the few that are not.
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

#define MOST 65536
typedef uint32_t u32;
static u32 *g, seen[MOST], stamp, *sparse, sparse_count, mask;
static long long histogram[MOST];

static inline int is_common(u32 v) { return __builtin_parity(v & mask); }

static u32 mex(void) {
  u32 v = 0;
  while (seen[v] == stamp) v++;
  return v;
}

static void choose_mask(int n) {  // most values of odd parity: a Walsh-Hadamard transform of how often each occurs
  static long long h[1024];
  for (int i = 0; i < 1024; i++) h[i] = histogram[i];
  for (int step = 1; step < 1024; step *= 2)
    for (int i = 0; i < 1024; i += 2 * step)
      for (int j = i; j < i + step; j++) {
        long long x = h[j], y = h[j + step];
        h[j] = x + y, h[j + step] = x - y;
      }
  mask = 1;
  for (u32 i = 1; i < 1024; i++)
    if (h[i] < h[mask]) mask = i;
  sparse_count = 0;
  for (int i = 1; i <= n; i++)
    if (!is_common(g[i])) sparse[sparse_count++] = i;
}

static u32 octal(int n, const int *digits, int count) {
  stamp++;
  for (int i = 1; i <= count && i <= n; i++) {
    int rest = n - i, d = digits[i - 1];
    if (rest == 0 ? d & 1 : d & 2) seen[g[rest]] = stamp;
    if (d & 4)  // one of the two parts sparse, the other common
      for (u32 j = 0; j < sparse_count && (int)sparse[j] < rest; j++) {
        u32 v = g[sparse[j]] ^ g[rest - sparse[j]];
        seen[v] = stamp;
      }
  }
  u32 m = 0;
  while (seen[m] == stamp || !is_common(m)) m++;
  u32 missing = 0;  // the sparse values below m: each must be shown to be an option
  for (u32 v = 0; v < m; v++) missing += seen[v] != stamp;
  for (int step = 0; missing && 4 * step <= n; step++)  // from the middle, where equal parts give 0, and from the ends
    for (int i = 1; missing && i <= count && i <= n; i++)
      for (int end = 0; end < 2; end++) {
        int a = end ? 1 + step : (n - i) / 2 - step, b = n - i - a;
        if (digits[i - 1] & 4 && a > 0 && b > 0) {
          u32 v = g[a] ^ g[b];
          if (v < m && seen[v] != stamp) seen[v] = stamp, missing--;
        }
      }
  return missing ? mex() : m;
}

int main(int argc, char **argv) {
  int at = 2, digits[64], count = 0;
  const char *kind = argv[1];
  int is_octal = !strcmp(kind, "octal"), is_subtract = !strcmp(kind, "subtract"), is_lasker = !strcmp(kind, "lasker");
  if (is_octal || is_subtract)
    for (char *word = strtok(argv[at++], ","); word; word = strtok(NULL, ",")) digits[count++] = atoi(word);
  int n = atoi(argv[at]), by_period = !strcmp(argv[at + 1], "period"), number = atoi(argv[at + 2]), from = atoi(argv[at + 3]);
  (void)argc;
  int last = n;
  if (by_period) n += number;
  g = calloc(n + 1, sizeof *g), sparse = calloc(n + 1, sizeof *sparse);
  mask = 1;
  histogram[0] = 1;
  for (int i = 1; i <= n; i++) {
    if (is_octal) {
      g[i] = octal(i, digits, count);
    } else {
      stamp++;
      if (is_subtract) {
        for (int j = 0; j < count; j++)
          if (digits[j] <= i) seen[g[i - digits[j]]] = stamp;
      } else {
        for (int a = 1; is_lasker ? 2 * a <= i : 2 * a < i; a++) seen[g[a] ^ g[i - a]] = stamp;
        if (is_lasker)
          for (int a = 0; a < i; a++) seen[g[a]] = stamp;
      }
      g[i] = mex();
    }
    histogram[g[i] & 1023]++;
    if (is_octal) {
      if (!is_common(g[i])) sparse[sparse_count++] = i;
      if (i >= 64 && !(i & (i - 1))) choose_mask(i);
    }
  }
  long long cases = 0;
  int first = -1;
  for (int i = from; i <= last; i++) {
    cases++;
    if (first < 0 && (by_period ? g[i] != g[i + number] : (int)g[i] > number)) first = i;
  }
  for (int i = 0; i <= n; i++) add_value(g[i]);
  char answer[64] = "holds";
  if (first >= 0) snprintf(answer, sizeof answer, "fails at n = %d", first);
  print_answer(answer, cases);
  if (getenv("MOST")) {  // the greatest value and where it stands, for whoever writes a claim
    u32 most = 0;
    for (int i = 1; i <= n; i++)
      if (g[i] > most) most = g[i], fprintf(stderr, "g(%d) = %u\n", i, most);
  }
  return 0;
}
