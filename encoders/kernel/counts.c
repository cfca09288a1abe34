// Winners of positions with many equal heaps, for a game whose moves change one heap.
//
// A position is the number of its heaps of each kind, in digits of 16 bits, four to a word; digit 0 is the number of all
// its heaps. A move from a heap of some kind adds the same words to every position. No digit overflows, because a
// position has fewer than `limit` heaps, and so have the heaps that a move adds.
//
// All memory belongs to the caller, who enlarges a full array and calls solve_counts again.
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#define OUT __attribute__((visibility("default")))
enum { DONE, MORE, ROOM, DEEP, MANY };  // solved; out of steps; `room` or `depth` is used up; a position has too many heaps

typedef struct {
  u32 position, move;
  u16 mover, best;
} Frame;

typedef struct {
  u32 words;         // of a position
  u32 movers;        // players with different moves; 1 if all have the same
  u32 players, stuck;  // the offset of the winner if the mover has no move
  u32 limit;         // a position has fewer heaps
  const u32 *first;  // [movers + 1]: the first move of each mover
  const u32 *kind;   // [move]: the digit of the heap that the move changes; the moves of a mover are sorted by it
  const u32 *next;   // [move]: the first later move with another digit or mover
  const u64 *step;   // [move][words]: what the move adds to a position
  u32 room, count;   // for positions; their number
  u64 *position;     // [room][words]
  u8 *value;         // [movers][room]: 1 + the offset of the winner from the mover, or 0 if unknown
  u32 *table;        // [mask + 1]: a hash table of 1 + the number of a position, or 0
  u32 mask;
  u32 depth, height;  // room in the stack; its height
  Frame *stack;
  u32 solved;        // the number of solved positions, with a mover
} Counts;

static inline u32 digit(const u64 *position, u32 i) { return position[i >> 2] >> (16 * (i & 3)) & 0xffff; }

static inline u32 find_slot(const Counts *c, const u64 *position) {
  u64 hash = 0;
  for (u32 i = 0; i < c->words; i++) {
    hash = (hash ^ position[i]) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  for (u32 at = hash;; at++) {
    u32 found = c->table[at & c->mask];
    if (!found) return at & c->mask;
    const u64 *other = c->position + (u64)(found - 1) * c->words;
    u32 i = 0;
    while (i < c->words && other[i] == position[i]) i++;
    if (i == c->words) return at & c->mask;
  }
}

// Enters all positions into an empty table. Returns their number.
OUT u32 enter_counts(Counts *c) {
  for (u32 i = 0; i < c->count; i++) c->table[find_slot(c, c->position + (u64)i * c->words)] = i + 1;
  return c->count;
}

// Returns the number of the position at `room`, whose words the caller has written after the known positions; it becomes
// a known position if it is new.
static inline u32 number(Counts *c) {
  const u64 *position = c->position + (u64)c->count * c->words;
  u32 at = find_slot(c, position);
  if (!c->table[at]) c->table[at] = ++c->count;
  return c->table[at] - 1;
}

static inline void push(Counts *c, u32 position, u32 mover) {
  c->stack[c->height++] = (Frame){position, c->first[mover], mover, c->players};
}

// Starts with the position written after the known ones: returns its number.
OUT u32 start_counts(Counts *c, u32 mover) {
  u32 found = number(c);
  c->height = 0;
  if (!c->value[(u64)mover * c->room + found]) push(c, found, mover);
  return found;
}

// Solves the positions on the stack and their followers. There is always room for one more position and frame.
OUT u32 solve_counts(Counts *c, u32 steps) {
  while (c->height) {
    Frame *frame = c->stack + c->height - 1;
    u32 after = frame->mover + 1 == c->movers ? 0 : frame->mover + 1, end = c->first[frame->mover + 1];
    u32 mover = frame->mover;
    while (frame->move < end && frame->best) {
      const u64 *here = c->position + (u64)frame->position * c->words;
      if (!digit(here, c->kind[frame->move])) {
        frame->move = c->next[frame->move];
        continue;
      }
      if (!steps--) return MORE;
      if (c->count + 1 >= c->room) return ROOM;
      const u64 *step = c->step + (u64)frame->move * c->words;
      u64 *option = c->position + (u64)c->count * c->words;
      for (u32 i = 0; i < c->words; i++) option[i] = here[i] + step[i];
      if (digit(option, 0) >= c->limit) return MANY;
      u32 found = number(c), value = c->value[(u64)after * c->room + found];
      if (!value) {
        if (c->height == c->depth) return DEEP;
        push(c, found, after);
        goto next;
      }
      u32 offer = value == c->players ? 0 : value;
      if (offer < frame->best) frame->best = offer;
      frame->move++;
    }
    c->value[(u64)mover * c->room + frame->position] = 1 + (frame->best == c->players ? c->stuck : frame->best);
    c->solved++;
    c->height--;
  next:;
  }
  return DONE;
}
