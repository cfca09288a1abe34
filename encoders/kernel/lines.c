// Grundy values of positions whose options are all earlier positions on some lines, as in Wythoff's game.
//
// No two positions on a line have the same value: the value of a position is the least value that no earlier position
// on any of its lines has. Positions come in an order in which options are earlier.
//
// All memory belongs to the caller. The function returns after about `steps` steps, with the number of positions done.
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef int32_t i32;
#define OUT __attribute__((visibility("default")))

typedef struct {
  i32 count, lines;  // number of positions; number of lines through each
  i32 words;         // for a line's values: each value is below 64 * words
  const i32 *line;   // [lines][count]: the numbers of the lines that a position is on
  u64 *met;          // [line][words]: the values on a line, bit v for value v
  i32 *full;         // [line]: the number of its full words
  u32 *values;       // [count]
  i32 done;          // the positions before this one are solved
} Lines;

OUT i32 solve_values_by_lines(Lines *c, i32 total, i32 steps) {
  for (i32 work = 0; c->done < total && work < steps; c->done++) {
    const i32 *own = c->line + c->done;
    i32 w = 0;
    for (i32 i = 0; i < c->lines; i++) {
      i32 first = c->full[own[(u64)i * c->count]];
      if (first > w) w = first;
    }
    for (;; w++, work++) {
      u64 met = 0;
      for (i32 i = 0; i < c->lines; i++) met |= c->met[(u64)own[(u64)i * c->count] * c->words + w];
      if (!~met) continue;
      u64 bit = ~met & -~met;
      c->values[c->done] = w * 64 + __builtin_ctzll(bit);
      for (i32 i = 0; i < c->lines; i++) {
        i32 at = own[(u64)i * c->count];
        u64 *row = c->met + (u64)at * c->words;
        row[w] |= bit;
        while (c->full[at] < c->words && !~row[c->full[at]]) c->full[at]++;
      }
      break;
    }
    work += 2 * c->lines;
  }
  return c->done;
}

// -- two heaps -------------------------------------------------------------------------------------------------------
// The same for games like Wythoff's on two heaps x <= y: a move takes any number from one heap, or the same number, of at
// most `most`, from both. A line of the second kind contains the positions with one difference of the heaps, of which
// only the last `most` are options. They have different values, so an older value is removed from the line.

// The values, row by row: the position x, y has the number y (y + 1) / 2 + x.
typedef struct {
  i32 most;      // of the numbers that may be taken from both heaps, the largest
  i32 words;     // for a line's values
  u64 *row;      // [heap][words]: the values of the positions with this heap
  u64 *slant;    // [difference][words]: the values of the last `most` positions with this difference of the heaps
  u16 *values;   // [position]
  i32 done;      // the rows before this one are solved
} Pairs;

OUT i32 solve_pairs(Pairs *c, i32 total, i32 steps) {
  const i32 words = c->words, back = c->most + 1;
  for (i32 work = 0; c->done < total && work < steps; c->done++) {
    const i32 y = c->done;
    u64 *own = c->row + (u64)y * words;
    u16 *values = c->values + (u64)y * (y + 1) / 2;
    for (i32 x = 0, full = 0; x <= y; x++, work += 4) {
      u64 *across = c->row + (u64)x * words, *slant = c->slant + (u64)(y - x) * words, open;
      if (x >= back) {
        u64 h = y - back;
        u16 old = c->values[h * (h + 1) / 2 + x - back];
        slant[old / 64] &= ~((u64)1 << old % 64);
      }
      while (!~own[full]) full++;
      i32 w = full;
      while (!(open = ~(own[w] | across[w] | slant[w]))) w++;
      u64 bit = open & -open;
      own[w] |= bit;
      across[w] |= bit;
      slant[w] |= bit;
      values[x] = w * 64 + __builtin_ctzll(open);
      work += w - full;
    }
  }
  return c->done;
}

// The positions from which the player to move loses. Each heap x forms such a position with at most one heap, its
// partner. A heap without a smaller partner has the smallest heap y >= x as its partner that has none yet, if no equal
// number leads from x, y to an earlier lost position; such a position has the same difference y - x.
typedef struct {
  i32 most;      // of the numbers that may be taken from both heaps, the largest
  i32 first;     // the partner of the heap 0: 0, or 1 if a player who cannot move wins
  u32 *partner;  // [heap]: its partner + 1; 0 if no heap below `total` is its partner
  u32 *last;     // [difference]: the last heap with this difference to a larger or equal partner, + 1; or 0
  i32 gap;       // `last` excludes all smaller differences
  i32 done;      // the heaps before this one have their partners
} Partners;

OUT i32 find_partners(Partners *c, i32 total, i32 steps) {
  const i32 most = c->most;
  u32 *partner = c->partner, *last = c->last;
  for (i32 work = 0; c->done < total && work < steps; c->done++, work++) {
    const i32 x = c->done, old = x - most - 1;
    if (old >= 0 && partner[old] > (u32)old) {
      i32 freed = partner[old] - 1 - old;  // no later pair within reach has this difference
      if (freed < c->gap) c->gap = freed;
    }
    if (partner[x]) continue;
    // excluded: a difference whose last pair is at most `most` below
    while (c->gap < total && last[c->gap] && x - (i32)(last[c->gap] - 1) <= most) c->gap++, work++;
    for (i32 y = x ? x + c->gap : c->first; y < total; y++, work++) {
      u32 before = last[y - x];
      if (partner[y] || (before && x - (i32)(before - 1) <= most)) continue;
      partner[x] = y + 1;
      partner[y] = x + 1;
      last[y - x] = x + 1;
      break;
    }
  }
  return c->done;
}
