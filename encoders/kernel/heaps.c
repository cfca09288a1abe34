// Grundy values of single heaps in games whose moves take objects and may split the heap in two: solve them, or check a
// table of them.
//
// A mask divides the values: a value is `common` if its parity under the mask is odd, and `rare` otherwise. The nim-sum
// of two rare or of two common values is rare. So two heaps have a common nim-sum only if exactly one of them has a
// rare value. With a mask for which few heaps are rare (the sparse space of Berlekamp, Conway and Guy, Winning Ways,
// chapter 4), these pairs are quickly enumerated. The results are exact for every mask; a bad mask only costs time.
//
// All memory belongs to the caller. Every function returns after about `steps` steps, with the number of heaps done.
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
#define OUT __attribute__((visibility("default")))
#define DIGITS 1024  // size of the counts for the choice of a mask; values are taken modulo this
#define FEW 62        // largest number of moves whose values are marked in one word

typedef struct {
  i32 size;           // heaps are 0..size
  i32 ones, twos, equals;
  const i32 *one;     // the numbers that leave one heap; or, with `except`, those that may not be taken
  const i32 *two;     // the numbers that leave two heaps: different ones, or any if `same` is set
  const i32 *same;
  const i32 *equal;   // the numbers that leave two equal heaps
  const u8 *end;      // [size + 1]: whether all of a heap may be taken
  i32 except;
  i32 room;           // the length of `seen` and `count`; all values must be below
  u32 *values;        // [size + 1]
  u32 *seen;          // [room]: the last heap with a known option of this value
  u32 *left_out;      // [room]: with `except`, the number of heaps of a value that may not be left
  u32 *count;         // [room]: the number of heaps of at least 1 with each value
  i32 *rare;          // [size + 1]: the heaps of at least 1 with a rare value, ascending
  i32 rares;
  u32 mask;
  i32 done;           // the heaps below this are solved, or checked
  i32 wrong;          // 1: an option of heap `done` has its value; 2: no option has some smaller value
} Heaps;

static inline i32 is_common(const Heaps *c, u32 v) { return __builtin_popcount(v & c->mask) & 1; }

// Chooses the mask with the fewest rare heaps below h, by the Walsh-Hadamard transform of the values' counts.
static void choose_mask(Heaps *c, i32 h) {
  i32 sums[DIGITS];
  for (i32 i = 0; i < DIGITS; i++) sums[i] = 0;
  for (i32 i = 0; i < h; i++) sums[c->values[i] & (DIGITS - 1)]++;
  for (i32 step = 1; step < DIGITS; step *= 2)
    for (i32 i = 0; i < DIGITS; i += 2 * step)
      for (i32 j = i; j < i + step; j++) {
        i32 x = sums[j], y = sums[j + step];
        sums[j] = x + y, sums[j + step] = x - y;
      }
  c->mask = 1;
  for (u32 i = 1; i < DIGITS; i++)
    if (sums[i] < sums[c->mask]) c->mask = i;
  c->rares = 0;
  for (i32 i = 1; i < h; i++)
    if (!is_common(c, c->values[i])) c->rare[c->rares++] = i;
}

// Whether a move leaves one heap of a value, with `except`: all numbers may be taken except the listed ones.
static inline i32 is_left(const Heaps *c, u32 v) { return c->except && c->count[v] > c->left_out[v]; }

static inline i32 is_option(const Heaps *c, u32 v, i32 h) { return c->seen[v] == (u32)h || is_left(c, v); }

// Marks the values of all options of a heap, except rare nim-sums of two heaps.
static void mark(Heaps *c, i32 h) {
  for (i32 i = 0; i < c->ones && c->one[i] < h; i++) {
    u32 v = c->values[h - c->one[i]];
    if (c->except)
      c->left_out[v]++;
    else
      c->seen[v] = h;
  }
  if (c->end[h]) c->seen[0] = h;
  for (i32 i = 0; i < c->equals; i++)
    if (h - c->equal[i] >= 2 && (h - c->equal[i]) % 2 == 0) c->seen[0] = h;
  const u32 *values = c->values;  // in local variables, which no store can change
  const i32 *rare = c->rare, rares = c->rares;
  u32 *seen = c->seen;
  for (i32 i = 0; i < c->twos; i++) {
    i32 rest = h - c->two[i], same = c->same[i];
    for (i32 j = 0; j < rares && rare[j] < rest; j++)
      if (2 * rare[j] != rest || same) seen[values[rare[j]] ^ values[rest - rare[j]]] = h;
  }
}

// Solves heaps in a game whose moves take one of at most FEW numbers and never split: needs no mask. A heap has at most
// FEW + 1 options, so bit v of one word says whether the value v occurs. Returns the work.
static i32 take(Heaps *c, i32 total, i32 steps) {
  const i32 ones = c->ones, *one = c->one;
  const u8 *end = c->end;
  u32 *values = c->values;
  i32 work = 0, h = c->done;
  for (; h < total && work < steps; h++) {
    u64 found = end[h] != 0;
    for (i32 i = 0; i < ones && one[i] < h; i++) found |= 1ull << values[h - one[i]];
    values[h] = (u32)__builtin_ctzll(~found);
    work += 4 + ones;
  }
  c->done = h;
  return work;
}

// Solves heaps in a game whose moves take all but a few numbers and never split: needs no mask. Returns the work.
// A smaller heap has each value from 1 to below `fresh`. Such a value is that of no option only if all of its heaps are
// left out. So only the values of the heaps that are left out, 0, and `fresh` can be the value of a heap.
static i32 take_most(Heaps *c, i32 total, i32 steps) {
  const i32 ones = c->ones, *one = c->one;
  u32 *values = c->values, *left_out = c->left_out, *count = c->count, fresh = 1;
  const u32 most = c->room - 2;
  i32 work = 0, h = c->done;
  while (count[fresh]) fresh++;
  for (; h < total && work < steps && fresh < most; h++) {
    for (i32 i = 0; i < ones && one[i] < h; i++) left_out[values[h - one[i]]]++;
    u32 value = fresh;
    for (i32 i = 0; i < ones && one[i] < h; i++) {
      u32 v = values[h - one[i]];
      if (v && v < value && !is_left(c, v)) value = v;
    }
    if (!c->end[h] && !is_left(c, 0)) value = 0;
    for (i32 i = 0; i < ones && one[i] < h; i++) left_out[values[h - one[i]]] = 0;
    values[h] = value;
    count[value]++;
    while (count[fresh]) fresh++;
    work += 8 + 3 * ones;
  }
  c->done = h;
  return work;
}

static void unmark(Heaps *c, i32 h) {
  for (i32 i = 0; c->except && i < c->ones && c->one[i] < h; i++) c->left_out[c->values[h - c->one[i]]] = 0;
}

// Marks nim-sums of two heaps below `top`, until `missing` new ones are found. Returns how many are still missing.
static i32 split(Heaps *c, i32 h, u32 top, i32 missing, i32 *work) {
  i32 steps = 0, going = 1;
  for (i32 step = 0; missing && going; step++) {  // from the middle, where equal parts give 0, and from the ends
    going = 0;
    for (i32 i = 0; missing && i < c->twos; i++) {
      i32 rest = h - c->two[i], middle = c->same[i] ? rest / 2 : (rest - 1) / 2;
      for (i32 end = 0; end < 2; end++) {
        i32 a = end ? 1 + step : middle - step;
        if (a < 1 || a > middle || 2 * step > middle) continue;
        going = 1;
        steps++;
        u32 v = c->values[a] ^ c->values[rest - a];
        if (v < top && !is_option(c, v, h)) c->seen[v] = h, missing--;
      }
    }
  }
  *work += steps;
  return missing;
}

OUT i32 solve_heaps(Heaps *c, i32 total, i32 steps) {
  i32 work = 0;
  if (!c->twos && !c->equals && (c->except || c->ones <= FEW))
    work = (c->except ? take_most : take)(c, total, steps) + steps;
  for (; c->done < total && work < steps; c->done++) {
    i32 h = c->done;
    if ((h & (h - 1)) == 0 || !c->mask) choose_mask(c, h);
    mark(c, h);
    u32 value = 0, least = 0;
    i32 missing = 0;
    for (;; value++) {
      if (is_option(c, value, h)) continue;
      if (!c->twos || is_common(c, value)) break;
      if (!missing++) least = value;
    }
    if (missing && split(c, h, value, missing, &work)) {
      value = least;
      while (is_option(c, value, h)) value++;
    }
    unmark(c, h);
    c->values[h] = value;
    if (h) c->count[value]++;
    if (h && !is_common(c, value)) c->rare[c->rares++] = h;
    work += 8 + c->ones + c->twos * c->rares + value / 16;
    if (value + 2 >= (u32)c->room / 2) {  // the next value may be twice the greatest so far: the caller makes room
      c->done++;
      break;
    }
  }
  return c->done;
}

// Checks that no option of a heap has its value (else 1), and that some option has each smaller value (else 2). Returns
// 0 if both hold. It shares only the mask with the solver. The numbers that may be taken are a list without exceptions.
static i32 check(Heaps *c, i32 h, i32 *work) {
  const u32 *g = c->values, value = g[h];
  u32 found = 0;  // number of smaller values found
#define SEE(which)                                                     \
  do {                                                                 \
    u32 v = (which);                                                   \
    if (v == value) return 1;                                          \
    if (v < value && c->seen[v] != (u32)h) c->seen[v] = h, found++;    \
  } while (0)
  if (c->end[h]) SEE(0);
  for (i32 i = 0; i < c->ones; i++)
    if (c->one[i] < h) SEE(g[h - c->one[i]]);
  for (i32 i = 0; i < c->equals; i++)
    if (h - c->equal[i] >= 2 && (h - c->equal[i]) % 2 == 0) SEE(0);
  for (i32 i = 0; i < c->twos; i++)
    for (i32 j = 0; j < c->rares && c->rare[j] + c->two[i] < h; j++) {
      i32 a = c->rare[j], b = h - c->two[i] - a;
      if (a != b || c->same[i]) SEE(g[a] ^ g[b]);
    }
  *work += 8 + c->ones + c->twos * c->rares;
  i32 all = !is_common(c, value);  // if set, any pair of heaps may have the value; else the pairs above are all
  for (i32 a = 1, more = 1; more && (all || found < value); a++) {
    more = 0;
    for (i32 i = 0; i < c->twos; i++) {
      i32 b = h - c->two[i] - a;
      if (b < a || (a == b && !c->same[i])) continue;
      more = 1;
      SEE(g[a] ^ g[b]);
    }
    *work += c->twos;
  }
  return found == value ? 0 : 2;
}

OUT i32 check_heaps(Heaps *c, i32 total, i32 steps) {
  i32 work = 0;
  if (!c->mask) choose_mask(c, total);
  for (; c->done < total && work < steps; c->done++)
    if ((c->wrong = check(c, c->done, &work))) break;
  return c->done;
}
