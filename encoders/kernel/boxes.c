// Outcomes of single-heap rulesets on a box of positions, as WebAssembly. .ci/kernel compiles this file, heaps.c and
// lines.c to kernel.wasm.
//
// A position is a list of heaps in ascending order, zeros for absent heaps. Its number is its rank in colexicographic
// order, the sum over i of C(x[i] + i, i + 1). Options therefore have smaller numbers, and a larger box extends a
// smaller one. Sets of positions are stored as bits in one of two layouts:
//
//   lanes: one row of `words` words for each position, one bit for each choice of the parameters;
//   lines: one row for each position of all heaps but one; its bits are the sizes 0..size of the other heap.
//
// The code does not depend on rules: tables of bits define the legal moves. All memory belongs to the caller. Every
// function returns after about `steps` words of work, with the number of rows done, so that the caller can check its
// clock.
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef int32_t i32;
typedef u64 pair __attribute__((vector_size(16)));
#define OUT __attribute__((visibility("default")))
#define MAX_HEAPS 16
#define MAX_WORDS 64
#define LOWEST(x) __builtin_ctzll(x)

typedef struct {
  i32 heaps, size, words, movers, stuck;  // words is even; stuck: a player who cannot move wins
  i32 span;                               // words of a row of sizes, as in `marks`
  const u32 *binomial;                    // [heaps + 1][size + 2]: [i][x] is C(x + i - 1, i)
  const u64 *legal[4];                    // by whether the heap is a largest (1) and a smallest (2) one:
                                          // [mover][h (h - 1) / 2 + y][words]
  const u64 *some[4];                     // [mover][h][span]: the y with a bit in `legal`
  const u64 *able[4];                     // [mover][h][words]: bits with a legal y
  const u64 *full;                        // [words]
  u64 *table[2];                          // [position][words], by mover: where the mover loses
  u64 *marks[2];                          // [position of heaps - 1][span]: the sizes whose rows are not 0
  i32 x[MAX_HEAPS];                       // the next position
  i32 done;
} Lanes;

typedef struct {
  i32 rest[MAX_HEAPS];      // all heaps except one
  u32 before[MAX_HEAPS + 1], after[MAX_HEAPS + 1];
  u32 rank;
} Line;

#define BINOMIAL(i, x) (c->binomial[(i) * (c->size + 2) + (x)])

static inline void prepare(const u32 *binomial, i32 size, const i32 *x, i32 heaps, i32 slot, Line *l) {
  i32 m = heaps - 1;
  for (i32 i = 0; i < m; i++) l->rest[i] = x[i < slot ? i : i + 1];
  l->before[0] = 0;
  l->rank = 0;
  for (i32 i = 0; i < m; i++) l->before[i + 1] = l->before[i] + binomial[(i + 1) * (size + 2) + l->rest[i]];
  l->rank = l->before[m];
  l->after[m] = 0;
  for (i32 i = m; i > 0; i--) l->after[i - 1] = l->after[i] + binomial[(i + 1) * (size + 2) + l->rest[i - 1]];
}

// Returns the rank of `rest` with an additional heap y; `place` grows with y.
static inline u32 insert(const u32 *binomial, i32 size, const Line *l, i32 m, i32 y, i32 *place) {
  while (*place < m && l->rest[*place] <= y) ++*place;
  return l->before[*place] + binomial[(*place + 1) * (size + 2) + y] + l->after[*place];
}

static inline i32 advance(i32 *x, i32 heaps) {
  i32 i = 0;
  while (i + 1 < heaps && x[i] == x[i + 1]) x[i++] = 0;
  x[i]++;
  return i;
}

// Removes from `need` the bits at which a legal option of `mover` is in `table`. Returns whether any bits remain.
static inline i32 strike(const Lanes *c, i32 mover, const u64 *table, const u64 *marks, pair *need, i32 *work) {
  const i32 pairs = c->words / 2, m = c->heaps - 1;
  const i32 *x = c->x;
  i32 least = 0;
  while (least < c->heaps && !x[least]) least++;
  for (i32 slot = c->heaps - 1; slot >= least; slot--) {
    i32 h = x[slot];
    if (slot < m && x[slot + 1] == h) continue;
    i32 kind = (slot == m) | (h == x[least]) << 1, place = 0;
    Line l;
    prepare(c->binomial, c->size, x, c->heaps, slot, &l);
    const u64 *mark = marks + (u64)l.rank * c->span;
    const u64 *some = c->some[kind] + ((u64)mover * (c->size + 1) + h) * c->span;
    const u64 *legal = c->legal[kind] + ((u64)mover * (c->size + 1) * c->size / 2 + (u64)h * (h - 1) / 2) * c->words;
    for (i32 w = 0; w <= (h - 1) >> 6; w++) {
      u64 left = mark[w] & some[w];
      while (left) {
        i32 y = w * 64 + LOWEST(left);
        left &= left - 1;
        u32 target = insert(c->binomial, c->size, &l, m, y, &place);
        const pair *v = (const pair *)(table + (u64)target * c->words), *may = (const pair *)(legal + (u64)y * c->words);
        pair any = {0, 0};
        for (i32 i = 0; i < pairs; i++) {
          need[i] &= ~(v[i] & may[i]);
          any |= need[i];
        }
        *work += c->words;
        if (!(any[0] | any[1])) return 0;
      }
    }
  }
  return 1;
}

static inline void mark(const Lanes *c, u64 *marks) {
  for (i32 slot = c->heaps - 1; slot >= 0; slot--) {
    if (slot + 1 < c->heaps && c->x[slot] == c->x[slot + 1]) continue;
    Line l;
    prepare(c->binomial, c->size, c->x, c->heaps, slot, &l);
    marks[(u64)l.rank * c->span + (c->x[slot] >> 6)] |= 1ull << (c->x[slot] & 63);
  }
}

static inline i32 is_empty(const u64 *v, i32 words) {
  pair any = {0, 0};
  for (i32 i = 0; i < words / 2; i++) any |= ((const pair *)v)[i];
  return !(any[0] | any[1]);
}

OUT i32 solve_lanes(Lanes *c, i32 total, i32 steps) {
  pair need[MAX_WORDS / 2];
  i32 work = 0;
  for (; c->done < total && work < steps; c->done++, advance(c->x, c->heaps)) {
    for (i32 p = 0; p < c->movers; p++) {
      i32 q = c->movers - 1 - p;
      for (i32 i = 0; i < c->words / 2; i++) need[i] = ((const pair *)c->full)[i];
      i32 left = strike(c, p, c->table[q], c->marks[q], need, &work);
      if (left && c->stuck) {
        pair may[MAX_WORDS / 2];
        for (i32 i = 0; i < c->words / 2; i++) may[i] = (pair){0, 0};
        i32 least = 0;
        while (least < c->heaps && !c->x[least]) least++;
        for (i32 slot = least; slot < c->heaps; slot++) {
          i32 h = c->x[slot], kind = (h == c->x[c->heaps - 1]) | (h == c->x[least]) << 1;
          const pair *able = (const pair *)(c->able[kind] + ((u64)p * (c->size + 1) + h) * c->words);
          for (i32 i = 0; i < c->words / 2; i++) may[i] |= able[i];
        }
        for (i32 i = 0; i < c->words / 2; i++) need[i] &= may[i];
      }
      pair *out = (pair *)(c->table[p] + (u64)c->done * c->words);
      for (i32 i = 0; i < c->words / 2; i++) out[i] = need[i];
      work += 4 * c->words;
    }
    for (i32 p = 0; p < c->movers; p++)
      if (!is_empty(c->table[p] + (u64)c->done * c->words, c->words)) mark(c, c->marks[p]);
  }
  return c->done;
}

// Computes table[1], where `mover` has a legal option in table[0], and fills marks[0].
OUT i32 reach_lanes(Lanes *c, i32 mover, i32 total, i32 steps) {
  pair need[MAX_WORDS / 2];
  i32 work = 0;
  for (; c->done < total && work < steps; c->done++, advance(c->x, c->heaps)) {
    for (i32 i = 0; i < c->words / 2; i++) need[i] = ((const pair *)c->full)[i];
    strike(c, mover, c->table[0], c->marks[0], need, &work);
    pair *out = (pair *)(c->table[1] + (u64)c->done * c->words);
    for (i32 i = 0; i < c->words / 2; i++) out[i] = ((const pair *)c->full)[i] & ~need[i];
    work += 4 * c->words;
    if (!is_empty(c->table[0] + (u64)c->done * c->words, c->words)) mark(c, c->marks[0]);
  }
  return c->done;
}

// -- lines ---------------------------------------------------------------------------------------------------------
#define KINDS 3  // any heap, a largest one, a smallest one
#define SEEN 4

typedef struct {
  i32 heaps, size, words, movers, stuck;  // heaps: number in a rest; words is even
  const u32 *binomial;                    // [heaps + 1][size + 2]
  const u64 *legal[KINDS];                // [mover][h][words]: the sizes y that h may become; null: no such move
  const u64 *reach[KINDS];                // [mover][y][words]: the sizes h that may become y
  const u64 *able[KINDS];                 // [mover][words]: the sizes h that may become some y
  const i32 *except;                      // [mover][h][SEEN]: the number of illegal y < h ("any heap"), and these y;
                                          // -1: more than SEEN - 1
  i32 few[2];                             // by mover: no entry of `except` is -1
  i32 levels;                             // at least 1: one more than the largest number in `except`
  const u64 *full;                        // [words]
  u64 *table[2];                          // [rest][words], by mover: the sizes at which the mover loses
  u64 *marks[2];                          // [rest without a heap][words]: the sizes whose rows are not 0
  u64 *seen[2];                           // [rest without a heap][levels][words]: bits in at least 1, 2, 3, 4 rows
  i32 x[MAX_HEAPS];                       // the next rest
  i32 done;
} Lines;

static inline u64 keep_up_to(i32 word, i32 last) {  // the bits of a word for sizes up to `last`
  i32 at = last - word * 64;
  return at < 0 ? 0 : at >= 63 ? ~0ull : (2ull << at) - 1;
}

// Returns the sizes h that are a largest, or a smallest, heap together with the rest (not necessarily the only one).
static inline u64 chosen(const Lines *c, i32 kind, i32 word) {
  if (kind == 0 || !c->heaps) return ~0ull;
  if (kind == 1) return c->x[c->heaps - 1] ? ~keep_up_to(word, c->x[c->heaps - 1] - 1) : ~0ull;
  i32 i = 0;
  while (i < c->heaps && !c->x[i]) i++;
  return i == c->heaps ? ~0ull : keep_up_to(word, c->x[i]);
}

// Prepares lines[slot], without the heap at `slot`, for each slot whose heap differs from the heap at the next slot.
static inline void prepare_all(const Lines *c, Line *lines) {
  for (i32 slot = 0; slot < c->heaps; slot++)
    if (slot + 1 == c->heaps || c->x[slot] != c->x[slot + 1])
      prepare(c->binomial, c->size, c->x, c->heaps, slot, lines + slot);
}

// Removes from `need` the sizes at which `mover` reaches `table` by a move in the rest. Returns whether any remain.
static i32 strike_across(const Lines *c, const Line *lines, i32 mover, const u64 *table, const u64 *marks,
                         const u64 *seen, u64 *need, i32 *work) {
  const i32 nw = c->words, np = nw / 2, m = c->heaps - 1;
  i32 least = 0;
  while (least < c->heaps && !c->x[least]) least++;
  for (i32 slot = m; slot >= least; slot--) {
    i32 h = c->x[slot];
    if (slot < m && c->x[slot + 1] == h) continue;
    const Line *l = lines + slot;
    const u64 *mark = marks + (u64)l->rank * nw, *count = seen + (u64)l->rank * c->levels * nw;
    for (i32 kind = 0; kind < KINDS; kind++) {
      if (!c->legal[kind] || (kind == 1 && h != c->x[m]) || (kind == 2 && h != c->x[least])) continue;
      const u64 *legal = c->legal[kind] + ((u64)mover * (c->size + 1) + h) * nw;
      const i32 *except = c->except + ((u64)mover * (c->size + 1) + h) * SEEN;
      i32 place = 0;
      u64 left = 0;
      if (kind == 0 && except[0] >= 0) {
        const u64 *row[SEEN - 1] = {0, 0, 0};
        i32 n = 0;
        for (i32 e = 0; e < except[0]; e++)
          if (mark[except[e + 1] >> 6] >> (except[e + 1] & 63) & 1)
            row[n++] = table + (u64)insert(c->binomial, c->size, l, m, except[e + 1], &place) * nw;
        // A size reached by more of the positions than those that are exceptions is reached by a legal one.
        const pair *r0 = (const pair *)row[0], *r1 = (const pair *)row[1], *r2 = (const pair *)row[2];
        const pair *s1 = (const pair *)count, *s2 = s1 + np, *s3 = s2 + np, *s4 = s3 + np;
        pair *out = (pair *)need, any = {0, 0};
        for (i32 i = 0; n == 0 && i < np; i++) any |= out[i] &= ~s1[i];
        for (i32 i = 0; n == 1 && i < np; i++) any |= out[i] &= ~((s1[i] & ~r0[i]) | s2[i]);
        for (i32 i = 0; n == 2 && i < np; i++) {
          pair one = r0[i] | r1[i], two = r0[i] & r1[i];
          any |= out[i] &= ~((s1[i] & ~one) | (s2[i] & ~two) | s3[i]);
        }
        for (i32 i = 0; n == 3 && i < np; i++) {
          pair one = r0[i] | r1[i] | r2[i], two = (r0[i] & r1[i]) | (r2[i] & (r0[i] | r1[i])), all = r0[i] & r1[i] & r2[i];
          any |= out[i] &= ~((s1[i] & ~one) | (s2[i] & ~two) | (s3[i] & ~all) | s4[i]);
        }
        left = any[0] | any[1];
        *work += 4 * nw;
        if (!left) return 0;
        continue;
      }
      u64 found[MAX_WORDS];
      for (i32 i = 0; i < nw; i++) found[i] = 0;
      for (i32 w = 0; w <= (h - 1) >> 6; w++) {
        u64 targets = mark[w] & legal[w];
        while (targets) {
          i32 y = w * 64 + LOWEST(targets);
          targets &= targets - 1;
          const u64 *v = table + (u64)insert(c->binomial, c->size, l, m, y, &place) * nw;
          if (kind == 0) {
            left = 0;
            for (i32 i = 0; i < nw; i++) {
              need[i] &= ~v[i];
              left |= need[i];
            }
            *work += nw;
            if (!left) return 0;
          } else {
            for (i32 i = 0; i < nw; i++) found[i] |= v[i];
            *work += nw;
          }
        }
      }
      if (kind) {
        left = 0;
        for (i32 i = 0; i < nw; i++) {  // next to a heap i, h is a largest heap if i <= h, and a smallest if i >= h
          u64 beside = kind == 1 ? keep_up_to(i, h) : ~keep_up_to(i, h - 1) | (i == 0);
          need[i] &= ~(found[i] & beside);
          left |= need[i];
        }
        if (!left) return 0;
      }
    }
  }
  return 1;
}

static inline void strike_along(const Lines *c, i32 mover, i32 y, u64 *need) {
  for (i32 kind = 0; kind < KINDS; kind++) {
    if (!c->reach[kind]) continue;
    const u64 *reach = c->reach[kind] + ((u64)mover * (c->size + 1) + y) * c->words;
    for (i32 i = y >> 6; i < c->words; i++) need[i] &= ~(kind ? reach[i] & chosen(c, kind, i) : reach[i]);
  }
}

// Keeps in `need` only the sizes at which `mover` has a legal move.
static void keep_able(const Lines *c, i32 mover, u64 *need) {
  i32 least = 0, any = 0;
  u64 may[MAX_WORDS];
  for (i32 i = 0; i < c->words; i++) may[i] = 0;
  while (least < c->heaps && !c->x[least]) least++;
  for (i32 kind = 0; kind < KINDS; kind++) {
    if (!c->able[kind]) continue;
    const u64 *able = c->able[kind] + (u64)mover * c->words;
    for (i32 i = 0; i < c->words; i++) may[i] |= able[i] & chosen(c, kind, i);
    for (i32 slot = least; slot < c->heaps; slot++) {
      i32 h = c->x[slot];
      if (!(able[h >> 6] >> (h & 63) & 1)) continue;
      if (kind == 0) any = 1;
      if (kind == 1 && h == c->x[c->heaps - 1])
        for (i32 i = 0; i < c->words; i++) may[i] |= keep_up_to(i, h);
      if (kind == 2 && h == c->x[least])
        for (i32 i = 0; i < c->words; i++) may[i] |= ~keep_up_to(i, h - 1) | (i == 0);
    }
  }
  if (!any)
    for (i32 i = 0; i < c->words; i++) need[i] &= may[i];
}

static inline i32 any_from(const u64 *v, i32 words, i32 w) {
  for (; w < words; w++)
    if (v[w]) return 1;
  return 0;
}

static void record(const Lines *c, const Line *lines, const u64 *row, u64 *marks, u64 *seen) {
  const i32 nw = c->words, np = nw / 2;
  const pair *new = (const pair *)row;
  if (is_empty(row, nw)) return;
  for (i32 slot = c->heaps - 1; slot >= 0; slot--) {
    if (slot + 1 < c->heaps && c->x[slot] == c->x[slot + 1]) continue;
    const Line *l = lines + slot;
    marks[(u64)l->rank * nw + (c->x[slot] >> 6)] |= 1ull << (c->x[slot] & 63);
    u64 *s = seen + (u64)l->rank * c->levels * nw;
    for (i32 level = c->levels - 1; level > 0; level--) {
      pair *more = (pair *)(s + level * nw), *less = more - np;
      for (i32 i = 0; i < np; i++) more[i] |= less[i] & new[i];
    }
    for (i32 i = 0; i < np; i++) ((pair *)s)[i] |= new[i];
  }
}

OUT i32 solve_lines(Lines *c, i32 total, i32 steps) {
  const i32 nw = c->words;
  u64 need[2][MAX_WORDS] __attribute__((aligned(16)));
  Line lines[MAX_HEAPS];
  i32 work = 0;
  for (; c->done < total && work < steps; c->done++, c->heaps ? advance(c->x, c->heaps) : 0) {
    prepare_all(c, lines);
    for (i32 p = 0; p < c->movers; p++) {
      i32 q = c->movers - 1 - p;
      for (i32 i = 0; i < nw; i++) need[p][i] = c->full[i];
      if (c->stuck) keep_able(c, p, need[p]);
      strike_across(c, lines, p, c->table[q], c->marks[q], c->seen[q], need[p], &work);
    }
    // Along the line, the smallest heap first: if a player loses there, the opponent wins where a move leads there.
    u64 *first = need[0], *second = need[c->movers - 1], *out[2];
    for (i32 p = 0; p < c->movers; p++) {
      out[p] = c->table[p] + (u64)c->done * nw;
      for (i32 i = 0; i < nw; i++) out[p][i] = 0;
    }
    for (i32 w = 0; w < nw;) {
      u64 open = first[w] | second[w];
      if (!open) {
        w++;
        continue;
      }
      if (c->movers == 2 && (!any_from(first, nw, w) || !any_from(second, nw, w))) break;
      u64 low = open & -open;
      i32 y = w * 64 + LOWEST(open);
      i32 one = (first[w] & low) != 0, two = c->movers == 2 && (second[w] & low) != 0;
      first[w] &= ~low;
      second[w] &= ~low;
      if (one) {
        out[0][w] |= low;
        strike_along(c, c->movers - 1, y, second);
      }
      if (two) {
        out[1][w] |= low;
        strike_along(c, 0, y, first);
      }
      work += 2 * nw;
    }
    for (i32 p = 0; p < c->movers; p++)
      for (i32 i = 0; i < nw; i++) out[p][i] |= need[p][i];
    for (i32 p = 0; p < c->movers; p++) record(c, lines, out[p], c->marks[p], c->seen[p]);
    work += 16 * nw;
  }
  return c->done;
}

// Computes table[1], where `mover` has a legal option in table[0], and fills marks[0] and seen[0].
OUT i32 reach_lines(Lines *c, i32 mover, i32 total, i32 steps) {
  const i32 nw = c->words;
  u64 need[MAX_WORDS] __attribute__((aligned(16)));
  Line lines[MAX_HEAPS];
  i32 work = 0;
  for (; c->done < total && work < steps; c->done++, c->heaps ? advance(c->x, c->heaps) : 0) {
    prepare_all(c, lines);
    const u64 *row = c->table[0] + (u64)c->done * nw;
    u64 *out = c->table[1] + (u64)c->done * nw;
    for (i32 i = 0; i < nw; i++) need[i] = c->full[i];
    i32 left = strike_across(c, lines, mover, c->table[0], c->marks[0], c->seen[0], need, &work), met = 0;
    for (i32 w = 0; left && w < nw; w++) {
      for (u64 open = row[w]; left && open; open &= open - 1) {
        i32 y = w * 64 + LOWEST(open);
        strike_along(c, mover, y, need);
        work += nw;
        if (++met == SEEN && c->few[mover]) {  // larger sizes reach one of these, as at most SEEN - 1 are illegal
          for (i32 i = 0; i < nw; i++) need[i] &= keep_up_to(i, y);
          left = 0;
        }
      }
      if (!(w & 3)) left = left && !is_empty(need, nw);
    }
    for (i32 i = 0; i < nw; i++) out[i] = c->full[i] & ~need[i];
    record(c, lines, row, c->marks[0], c->seen[0]);
    work += 16 * nw;
  }
  return c->done;
}

// -- moves on any heaps ----------------------------------------------------------------------------------------------
// The positions of a box one by one, for moves that change some heaps, each by a table of sizes. A kind of move is given
// by 2 + heaps numbers: which heap it may choose (0: any, 1: a largest, 2: a smallest one; other than 0 only for one
// heap), how many heaps it changes, and the table of each of them. Every move makes each of its heaps smaller.
enum { WINNERS, REACH, LEAST, MEX, MOVABLE };
enum { FOUND = 512 };  // positions found before they are used

typedef struct {
  i32 heaps, size, movers, players, stuck, mode;  // heaps: at least 1; stuck: the winner if there is no move
  const u32 *binomial;                            // [heaps + 1][size + 2]
  const i32 *kinds;                               // [movers + 1]: the first kind of each mover
  const i32 *kind;                                // [kind][2 + heaps]
  const i32 *first[2];                            // [table][size + 2]: where the sizes begin that a heap may become,
  const u16 *sizes[2];                            // and these sizes, ascending; and the sizes that may become a heap
  unsigned char *set;                             // [position]: the set of REACH
  unsigned char *out;                             // [mover][position]: who wins, reaches the set, or can move
  u32 *values;                                    // [mover][position]: the result of LEAST and MEX
  u32 *seen;                                      // [value]: the last position, plus 1, that has an option of this value
  i32 x[MAX_HEAPS];                               // the next position
  i32 done;
} Moves;

typedef struct {
  Moves *c;
  const i32 *kind;
  i32 back;            // whether to list the positions from which a move leads to x, instead of the options of x
  i32 y[MAX_HEAPS];    // the heaps of x, some of them changed
  u32 changed;         // the heaps that are changed, as bits
  unsigned char *out;  // marked at the positions found
  const u32 *values;   // read at the positions found
  i32 best, stop, work, count;
  u32 found[FOUND];
} Walk;

// Uses the positions found so far.
static void use(Walk *w) {
  const Moves *c = w->c;
  w->work += w->count;
  if (w->back)
    for (i32 i = 0; i < w->count; i++) w->out[w->found[i]] = 1;
  else if (c->mode == LEAST)
    for (i32 i = 0; i < w->count; i++) {
      i32 offer = w->values[w->found[i]] + 1 == c->players ? 0 : w->values[w->found[i]] + 1;
      if (offer < w->best) w->best = offer;
    }
  else if (c->mode == MEX)
    for (i32 i = 0; i < w->count; i++) c->seen[w->values[w->found[i]]] = c->done + 1;
  else if (w->count)
    w->best = 0;
  w->stop = !w->back && c->mode != MEX && w->best == 0;
  w->count = 0;
}

// Finds the positions in which the heap `slot` of w->y becomes one of some sizes, which are ascending.
static void find(Walk *w, i32 slot, const u16 *size, const u16 *end) {
  const Moves *c = w->c;
  const i32 m = c->heaps - 1;
  i32 x[MAX_HEAPS], n = 0, least = 0, place = 0;
  for (i32 i = 0; i <= m; i++) {
    if (i == slot) continue;
    i32 at = n++;
    for (; at && x[at - 1] > w->y[i]; at--) x[at] = x[at - 1];
    x[at] = w->y[i];
  }
  while (least < m && !x[least]) least++;
  Line l;
  x[m] = 0;
  prepare(c->binomial, c->size, x, c->heaps, m, &l);
  for (; size < end && !w->stop; size++) {
    i32 h = w->back ? *size : c->x[slot];  // the heap before the move
    if ((*w->kind == 1 && m && h < x[m - 1]) || (*w->kind == 2 && least < m && h > x[least])) continue;
    if (w->count == FOUND) use(w);
    w->found[w->count++] = insert(c->binomial, c->size, &l, m, *size, &place);
  }
}

// Changes a heap from number `slot` on by the table number `at` of the kind, then other heaps by the tables after it.
static void change(Walk *w, i32 at, i32 slot) {
  const Moves *c = w->c;
  const i32 *tables = w->kind + 2, more = w->kind[1] - at - 1, *first = c->first[w->back] + tables[at] * (c->size + 2);
  const u16 *sizes = c->sizes[w->back];
  for (; slot < c->heaps && !w->stop; slot++) {
    i32 h = c->x[slot];
    if (w->changed >> slot & 1 || (slot && c->x[slot - 1] == h && !(w->changed >> (slot - 1) & 1))) continue;
    if (!more) {
      if (first[h] < first[h + 1]) find(w, slot, sizes + first[h], sizes + first[h + 1]);
      continue;
    }
    w->changed |= 1u << slot;
    for (i32 i = first[h]; i < first[h + 1] && !w->stop; i++, w->work++) {
      w->y[slot] = sizes[i];
      change(w, at + 1, tables[at + 1] == tables[at] ? slot + 1 : 0);
    }
    w->y[slot] = h;
    w->changed &= ~(1u << slot);
  }
}

static void walk(Walk *w, i32 mover, i32 back) {
  const Moves *c = w->c;
  w->back = back;
  w->stop = 0;
  for (i32 i = c->kinds[mover]; i < c->kinds[mover + 1] && !w->stop; i++, w->work += 4) {
    w->kind = c->kind + i * (2 + c->heaps);
    change(w, 0, 0);
  }
  use(w);
}

// Computes `out`, or for LEAST and MEX `values`. With REACH, `out` has one row, for the only mover that has kinds.
OUT i32 solve_moves(Moves *c, i32 total, i32 steps) {
  Walk w = {c};
  for (; c->done < total && w.work < steps; c->done++, advance(c->x, c->heaps)) {
    const i32 p = c->done;
    for (i32 i = 0; i < c->heaps; i++) w.y[i] = c->x[i];
    for (i32 mover = 0; mover < c->movers; mover++) {
      unsigned char *out = c->out + (u64)mover * total;
      u32 *values = c->values + (u64)mover * total;
      i32 next = mover + 1 < c->movers && mover + 1 < c->players ? mover + 1 : 0;
      w.best = 1;
      if (c->mode == REACH) {
        w.out = out;
        if (c->set[p]) walk(&w, mover, 1);
      } else if (c->mode == MOVABLE) {
        walk(&w, mover, 0);
        out[p] = !w.best;
      } else if (c->mode != WINNERS) {
        w.values = c->values + (u64)next * total;
        w.best = c->players;
        walk(&w, mover, 0);
        if (c->mode == LEAST) values[p] = w.best < c->players ? w.best : c->stuck;
        else for (values[p] = 0; c->seen[values[p]] == (u32)p + 1;) values[p]++;
      } else if (!out[p] && !c->stuck) {  // a player who cannot move wins
        walk(&w, mover, 0);
        out[p] = w.best;
      }
    }
    // A move to a position at which the next player loses wins.
    for (i32 mover = 0; c->mode == WINNERS && mover < c->movers; mover++) {
      if (c->out[(u64)mover * total + p]) continue;
      w.out = c->out + (u64)(c->movers - 1 - mover) * total;
      walk(&w, c->movers - 1 - mover, 1);
    }
    w.work += 8;
  }
  return c->done;
}

// -- formulas ------------------------------------------------------------------------------------------------------
// The values of formulas at all places: a row of `words` words for each place. Instructions compute the formulas step by
// step, for some places at a time, so that all intermediate values fit into the cache.
enum { LOAD, AND, OR, XOR, NOT, TALLY, WITHOUT };  // WITHOUT: a and not b

typedef struct {
  const u64 *rows;
  const i32 *index;  // [place]: the row of each place; null: a place has the row with its own number
  i32 step, wide;    // words from one row to the next, 0 if there is only one; whether a row has more than one word
} Given;

typedef struct {
  i32 op, a, b;  // LOAD: a is the number of a `Given`; TALLY: a is the value to count, b the number of the formula
} Instruction;

typedef struct {
  i32 words, room, count;  // of a row; for each value; number of instructions
  const Instruction *code;
  const Given *given;
  u64 *values;             // [instruction][room]
  const u64 **at;          // [instruction]: its value
  u64 *ones;               // [formula]: the number of bits that are 1
  unsigned char *filled;   // [place]: bit f is set if formula f has a bit 1 there
  i32 done;
} Formulas;

static const u64 *load(const Given *x, i32 first, i32 places, i32 words, u64 *out) {
  if (x->wide && !x->index && x->step) return x->rows + (u64)first * x->step;
  if (first && !x->step) return out;  // the row of all places is there already
  for (i32 i = 0; i < places; i++) {
    const u64 *row = x->rows + (u64)(x->index ? x->index[first + i] : first + i) * x->step;
    if (x->wide)
      for (i32 w = 0; w < words; w++) out[i * words + w] = row[w];
    else
      for (i32 w = 0; w < words; w++) out[i * words + w] = *row;
  }
  return out;
}

static void tally(Formulas *c, const u64 *value, i32 formula, i32 places) {
  u64 ones = 0;
  for (i32 i = 0; i < places; i++, value += c->words) {
    u64 any = 0;
    for (i32 w = 0; w < c->words; w++) {
      any |= value[w];
      ones += __builtin_popcountll(value[w]);
    }
    if (any) c->filled[c->done + i] |= 1 << formula;
  }
  c->ones[formula] += ones;
}

#define EACH_PAIR _Pragma("clang loop unroll_count(4)") for (i32 i = 0; i < n / 2; i++)

OUT i32 evaluate_formulas(Formulas *c, i32 total, i32 steps) {
  const i32 nw = c->words;
  for (i32 work = 0; c->done < total && work < steps;) {
    i32 places = c->room / nw < total - c->done ? c->room / nw : total - c->done, n = places * nw;
    for (i32 k = 0; k < c->count; k++) {
      const Instruction x = c->code[k];
      pair *out = (pair *)(c->values + (u64)k * c->room);
      const pair *a = x.op == LOAD ? 0 : (const pair *)c->at[x.a], *b = x.op == TALLY ? 0 : (const pair *)c->at[x.b];
      c->at[k] = (const u64 *)out;
      switch (x.op) {
        case LOAD: c->at[k] = load(c->given + x.a, c->done, places, nw, (u64 *)out); break;
        case AND: EACH_PAIR out[i] = a[i] & b[i]; break;
        case OR: EACH_PAIR out[i] = a[i] | b[i]; break;
        case XOR: EACH_PAIR out[i] = a[i] ^ b[i]; break;
        case NOT: EACH_PAIR out[i] = ~a[i]; break;
        case WITHOUT: EACH_PAIR out[i] = a[i] & ~b[i]; break;
        default: tally(c, (const u64 *)a, x.b, places);
      }
    }
    c->done += places;
    work += n * c->count;
  }
  return c->done;
}
