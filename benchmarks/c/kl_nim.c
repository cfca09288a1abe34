// Theorem 14 of K-L-Nim on three heaps of 0..size, near what a machine can do: lines as words of bits.
//
//   kl_nim SIZE K_FROM K_TO L_FROM L_TO [digest]; the digest is of 1 for a losing position, by pair, position, player
//
// For all pairs k < l.  A line is all positions with the same two heaps a <= b; bit c says that a player loses there.
// "Any number but k" along another axis: won where two or more losing positions were met on it, or one that is not k
// away.  Along the line itself at most one position above a losing one stays open.  W words a line, set when compiled.
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

#ifndef W
#define W 1
#endif
typedef uint64_t u64;
typedef struct { u64 w[W]; } Line;

static inline int lowest(const Line *x) {
  for (int i = 0; i < W; i++)
    if (x->w[i]) return 64 * i + __builtin_ctzll(x->w[i]);
  return 64 * W;
}
static inline int get(const Line *x, int i) { return i < 64 * W && x->w[i >> 6] >> (i & 63) & 1; }
static inline void set(Line *x, int i) { x->w[i >> 6] |= 1ULL << (i & 63); }
static inline void only(Line *x, int i) {  // keep at most bit i
  int there = get(x, i);
  memset(x, 0, sizeof *x);
  if (there) set(x, i);
}

// The losing positions of the first and of the second player on a line, where n[p] are open for him.
static inline void along(Line n[2], const int forbidden[2], Line lost[2]) {
  memset(lost, 0, 2 * sizeof(Line));
  for (;;) {
    int e[2] = {lowest(&n[0]), lowest(&n[1])};
    int low = e[0] < e[1] ? e[0] : e[1];
    if (low == 64 * W) return;
    int here[2] = {e[0] == low, e[1] == low};
    for (int p = 0; p < 2; p++)
      if (here[p]) {
        set(&lost[p], low);
        n[p].w[low >> 6] &= ~(1ULL << (low & 63));
      }
    for (int p = 0; p < 2; p++)
      if (here[1 - p]) only(&n[p], low + forbidden[p]);  // who moves there wins, but for what he may not take
      else if (e[1 - p] == 64 * W) {  // nothing can strike any more what is left
        for (int i = 0; i < W; i++) lost[p].w[i] |= n[p].w[i];
        memset(&n[p], 0, sizeof(Line));
      }
  }
}

int main(int argc, char **argv) {
  int size = atoi(argv[1]), S = size + 1, k0 = atoi(argv[2]), k1 = atoi(argv[3]), l0 = atoi(argv[4]), l1 = atoi(argv[5]);
  int print = argc > 6;
  Line *lost = malloc((size_t)2 * S * S * sizeof(Line)), *once = malloc((size_t)2 * S * sizeof(Line)),
       *twice = malloc((size_t)2 * S * sizeof(Line)), zero, full;
  memset(&zero, 0, sizeof zero);
  memset(&full, 0, sizeof full);
  for (int c = 0; c < S; c++) set(&full, c);
  long long cases = 0, failing = 0;
  for (int k = k0; k <= k1; k++)
    for (int l = l0 > k ? l0 : k + 1; l <= l1; l++) {
      const int forbidden[2] = {k, l};
      memset(once, 0, (size_t)2 * S * sizeof(Line));
      memset(twice, 0, (size_t)2 * S * sizeof(Line));
#define LOST(p, a, b) lost[((size_t)(a) * S + (b)) * 2 + (p)]
      // By rising a, then b >= a; once[x], twice[x]: the losing c met so far on lines with the heap x and any other.
      for (int a = 0; a < S; a++)
        for (int b = a; b < S; b++) {
          Line n[2], found[2];
          for (int p = 0; p < 2; p++) {
            int q = 1 - p, f = forbidden[p];
            const Line *xa = &zero, *xb = &zero;
            if (a >= f) xa = &LOST(q, a - f, b);
            if (b >= f) xb = b - f < a ? &LOST(q, b - f, a) : &LOST(q, a, b - f);
            const Line *oa = &once[2 * b + q], *ta = &twice[2 * b + q], *ob = &once[2 * a + q], *tb = &twice[2 * a + q];
            for (int i = 0; i < W; i++)
              n[p].w[i] = full.w[i] & ~(ta->w[i] | (oa->w[i] & ~xa->w[i]) | tb->w[i] | (ob->w[i] & ~xb->w[i]));
          }
          along(n, forbidden, found);
          for (int p = 0; p < 2; p++) {
            LOST(p, a, b) = found[p];
            for (int side = 0; side < 2; side++) {
              int x = side ? b : a;
              if (side && a == b) break;
              for (int i = 0; i < W; i++) {
                twice[2 * x + p].w[i] |= once[2 * x + p].w[i] & found[p].w[i];
                once[2 * x + p].w[i] |= found[p].w[i];
              }
            }
          }
          // The theorem, at the positions with c >= b: the second player to move loses exactly at nim-sum 0, all below k.
          Line claimed = zero;
          if (a < k && b < k && (a ^ b) < k && (a ^ b) < S) set(&claimed, a ^ b);
          for (int i = b >> 6; i < W; i++) {
            u64 wrong = (claimed.w[i] ^ found[1].w[i]) & (i == b >> 6 ? ~0ULL << (b & 63) : ~0ULL) & full.w[i];
            failing += __builtin_popcountll(wrong);
          }
          cases += S - b;
        }
      if (print)
        for (int a = 0; a < S; a++)
          for (int b = a; b < S; b++)
            for (int c = b; c < S; c++) add_byte(get(&LOST(0, a, b), c)), add_byte(get(&LOST(1, a, b), c));
    }
  print_answer(failing ? "fails" : "holds", cases);
  return 0;
}
