// The white knight from all squares x, y in 0..size: two left and one up or down, or two down and one left or right.
//
//   knight SIZE
//
// Checks that it is lost exactly where both coordinates are 0 or 1 modulo 4.  The squares below are solved first; from
// one in the box a knight comes as far as twice its size.
#include <stdlib.h>

#include "fnv.h"

int main(int argc, char **argv) {
  int size = atoi(argv[1]), side = 2 * size + 3, failing = 0;
  (void)argc;
  uint8_t *won = calloc((size_t)side * side, 1);
  static const int dx[] = {-2, -2, 1, -1}, dy[] = {1, -1, -2, -2};
  for (int sum = 0; sum <= 2 * size; sum++)  // each move makes x + y less
    for (int x = 0; x <= sum; x++) {
      int y = sum - x;
      for (int i = 0; i < 4; i++) {
        int a = x + dx[i], b = y + dy[i];
        if (a >= 0 && b >= 0 && !won[a * side + b]) won[x * side + y] = 1;
      }
    }
  for (int x = 0; x <= size; x++)
    for (int y = 0; y <= size; y++) {
      add_byte(won[x * side + y]);
      failing += won[x * side + y] == (x % 4 <= 1 && y % 4 <= 1);
    }
  print_answer(failing ? "fails" : "holds", (long long)(size + 1) * (size + 1));
  return 0;
}
