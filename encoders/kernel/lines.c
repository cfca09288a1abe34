// Grundy values of positions whose options are all earlier positions on some lines, as in Wythoff's game.
//
// No two positions on a line have the same value: the value of a position is the least value that no earlier position
// on any of its lines has. Positions come in an order in which options are earlier.
//
// All memory belongs to the caller. The function returns after about `steps` steps, with the number of positions done.
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
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
// The same for Wythoff's game on two heaps x <= y, row by row: the position x, y has the number y (y + 1) / 2 + x.
typedef struct {
  i32 words;     // for a line's values
  u64 *row;      // [heap][words]: the values of the positions with this heap
  u64 *slant;    // [difference][words]: the values of the positions with this difference of the heaps
  u32 *values;   // [position]
  i32 done;      // the rows before this one are solved
} Pairs;

OUT i32 solve_pairs(Pairs *c, i32 total, i32 steps) {
  const i32 words = c->words;
  for (i32 work = 0; c->done < total && work < steps; c->done++) {
    const i32 y = c->done;
    u64 *own = c->row + (u64)y * words;
    u32 *values = c->values + (u64)y * (y + 1) / 2;
    for (i32 x = 0, full = 0; x <= y; x++, work += 4) {
      u64 *across = c->row + (u64)x * words, *slant = c->slant + (u64)(y - x) * words, open;
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
