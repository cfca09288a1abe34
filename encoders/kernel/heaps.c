// Grundy values of single heaps that a move may take from and may split in two: solved, and tables of them checked.
//
// Values are cut in two by a mask: `common` are those of odd parity under it, `rare` the others.  The nim-sum of two rare
// or of two common values is rare, so a common value is that of two heaps only if just one of them has a rare value; with
// a mask for which such heaps are few (the sparse space of Berlekamp, Conway and Guy, Winning Ways, chapter 4) these are
// soon gone through.  All of it is exact for every mask: a bad one costs time.
//
// All memory belongs to the caller; every function returns after about `steps` steps, and says how many heaps are done.
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
#define OUT __attribute__((visibility("default")))
#define DIGITS 1024  // of the counts by which a mask is chosen: values are taken modulo this

typedef struct {
  i32 size;           // heaps are 0..size
  i32 ones, twos, equals;
  const i32 *one;     // what may be taken so that one heap is left; or, with `except`, what may not
  const i32 *two;     // so that two heaps are left, different ones, or any where `same` says so
  const i32 *same;
  const i32 *equal;   // so that two equal heaps are left
  const u8 *end;      // [size + 1]: whether all of a heap may be taken
  i32 except;
  i32 room;           // values below this have a place in `seen` and `count`
  u32 *values;        // [size + 1]
  u32 *seen;          // [room]: the last heap of which it was seen that an option has this value
  u32 *left_out;      // [room]: of `except`, how many heaps of a value may not be left
  u32 *count;         // [room]: how many heaps of at least 1 have each value
  i32 *rare;          // [size + 1]: the heaps of at least 1 with a rare value, ascending
  i32 rares;
  u32 mask;
  i32 done;           // the heaps below this are solved, or checked
  i32 wrong;          // 1: the value of heap `done` is one of an option; 2: a smaller value is of none
} Heaps;

static inline i32 is_common(const Heaps *c, u32 v) { return __builtin_popcount(v & c->mask) & 1; }

// The mask under which fewest of the heaps below h are rare, by the Walsh-Hadamard transform of the values' counts.
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

// Whether taking leaves one heap of a value, where all may be taken but what is excepted.
static inline i32 is_left(const Heaps *c, u32 v) { return c->except && c->count[v] > c->left_out[v]; }

static inline i32 is_option(const Heaps *c, u32 v, i32 h) { return c->seen[v] == (u32)h || is_left(c, v); }

// Marks the values of all options of a heap but for rare values of two heaps.
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
  for (i32 i = 0; i < c->twos; i++) {
    i32 rest = h - c->two[i];
    for (i32 j = 0; j < c->rares && c->rare[j] < rest; j++) {
      u32 v = c->values[c->rare[j]] ^ c->values[rest - c->rare[j]];
      if (2 * c->rare[j] != rest || c->same[i]) c->seen[v] = h;
    }
  }
}

static void unmark(Heaps *c, i32 h) {
  for (i32 i = 0; c->except && i < c->ones && c->one[i] < h; i++) c->left_out[c->values[h - c->one[i]]] = 0;
}

// Marks the values below `top` of two heaps, until `missing` more of them are found. Returns how many were not.
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
    if (value + 2 >= (u32)c->room / 2) {  // a value may be twice the greatest so far: the caller makes room
      c->done++;
      break;
    }
  }
  return c->done;
}

// Checks that no option of a heap has its value, and that each smaller value is that of an option: 0 if so, 1 or 2 if not.
// It shares no code with what solves heaps but for the mask.  Of what may be taken there is a list, and no exceptions.
static i32 check(Heaps *c, i32 h, i32 *work) {
  const u32 *g = c->values, value = g[h];
  u32 found = 0;  // of the smaller values
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
  i32 all = !is_common(c, value);  // then each pair of heaps may have the value; else only pairs that have been looked at
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
