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
