"""The runtime of every generated module: arithmetic, lists in memory, and heaps, each stored once at a fixed address.

All values have 64 bits: a number, a truth value, or an address. A list is stored as its length and its elements. A
position is a list of heaps. A heap is the address of its cell, which contains what each move to the heap reads:

- the address of its parts, 4 bytes;
- its state, 1 byte: NEW, STAYS, VANISHES or NO_HEAP;
- its value for each mover, 1 byte each. A value v is stored as v + 1, and 0 means that it is unknown;
- at the next multiple of 8 bytes, its measure, 8 bytes.

The cells of heaps of small numbers are in a map: the numbers determine the address of the cell. The cell of another
heap is followed by its hash, and a hash table contains its address.

A part has 4 bytes: a number, or the address of a list. The 8 bytes before the parts contain two numbers: the address of
the description of the map (0 if there is none), and the Grundy value v, as v + 1, or 0. The parts are followed by the
words of the heap, which are its numbers and lists; but not if the heap is a few numbers and its cell is in a map.

Every number has at most 62 bits. $add, $sub and $mul trap if a result has more. Plain instructions are used only if the
bounds of the arguments show that no result has more. An undefined term stops the module by a trap.
"""

from __future__ import annotations

import re

PAGE = 1 << 16
POSITION, MOST_HEAPS = 1 << 10, 1000  # the position of a case
STATIC, STATIC_END = PAGE, 1 << 20  # constant lists
ARENA, ARENA_END = 1 << 20, 1 << 24  # lists of one case
STACK, STACK_END = 1 << 24, 1 << 25  # numbers that are being collected
LOG, LOG_END = 1 << 25, (1 << 25) + (1 << 21)  # results, case by case
KEPT = LOG_END  # heaps, their maps and hash table, and positions
MAP_BITS = 22  # of the number of cells in a map; for lists, there is one map for each length
MOST_MAPPED = 16  # numbers in a list
MOST_PAGES = 1 << 15  # 2 GiB
EVERY = 1 << 16  # steps between two checks of the clock
MOST_EXPONENT = 1 << 14  # of a power of a literal number in a measure; powers in the other engines have a limit too
LARGE, CROWDED, OUTSIDE = 1, 2, 3  # reasons why a module stopped; 0 for all others
STATE, VALUE = 4, 5  # the numbers of bytes of a cell before its state, and before the value for the first mover
NEW, STAYS, VANISHES, NO_HEAP = range(4)  # states of cells
MOST_PLAYERS = 200  # a value for a mover is a byte

TEXT = f"""
(import "host" "tick" (func $tick))
(import "host" "flush" (func $flush))
(memory (export "memory") {(KEPT >> 16) + 64} {MOST_PAGES})
(global $top (mut i64) (i64.const {ARENA}))
(global $stack (mut i64) (i64.const {STACK}))
(global $log (export "log") (mut i64) (i64.const {LOG}))
(global $free (mut i64) (i64.const {KEPT}))
(global $end (mut i64) (i64.const {KEPT + 64 * PAGE}))
(global $left (mut i64) (i64.const {EVERY}))
(global $added (export "added") (mut i64) (i64.const 0))
(global $table (mut i64) (i64.const 0))
(global $mask (mut i64) (i64.const 0))
(global $count (mut i64) (i64.const 0))
(global $why (export "why") (mut i32) (i32.const 0))

(func $look (global.set $left (i64.const {EVERY})) (call $tick))
(func $spend (param $steps i64)
  (global.set $left (i64.sub (global.get $left) (local.get $steps)))
  (if (i64.lt_s (global.get $left) (i64.const 0)) (then (call $look))))

(func $keep (export "keep") (param $size i64) (result i64) (local $at i64) (local $pages i64)
  (local.set $at (global.get $free))
  (global.set $free (i64.add (local.get $at) (local.get $size)))
  (if (i64.gt_u (global.get $free) (global.get $end)) (then
    (local.set $pages (i64.add (i64.const 64)
      (i64.shr_u (i64.sub (global.get $free) (global.get $end)) (i64.const 16))))
    (local.set $pages (i64.add (local.get $pages) (i64.shr_u (global.get $end) (i64.const 18))))
    (if (i32.lt_s (memory.grow (i32.wrap_i64 (local.get $pages))) (i32.const 0)) (then (call $crowded)))
    (global.set $end (i64.add (global.get $end) (i64.shl (local.get $pages) (i64.const 16))))))
  (local.get $at))

;; ---- numbers
(func $crowded (global.set $why (i32.const {CROWDED})) (unreachable))
(func $large (global.set $why (i32.const {LARGE})) (unreachable))
(func $outside (global.set $why (i32.const {OUTSIDE})) (unreachable))
(func $fit (param $a i64) (result i64)
  (if (i64.ge_u (i64.add (local.get $a) (i64.const {(1 << 62) - 1})) (i64.const {(1 << 63) - 1})) (then (call $large)))
  (local.get $a))
(func $add (param $a i64) (param $b i64) (result i64) (local $r i64)
  (local.set $r (i64.add (local.get $a) (local.get $b)))
  (if (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $r)) (i64.xor (local.get $b) (local.get $r))) (i64.const 0))
    (then (call $large)))
  (call $fit (local.get $r)))
(func $sub (param $a i64) (param $b i64) (result i64) (local $r i64)
  (local.set $r (i64.sub (local.get $a) (local.get $b)))
  (if (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $b)) (i64.xor (local.get $a) (local.get $r))) (i64.const 0))
    (then (call $large)))
  (call $fit (local.get $r)))
(func $mul (param $a i64) (param $b i64) (result i64) (local $r i64)
  (local.set $r (i64.mul (local.get $a) (local.get $b)))
  (if (i64.eqz (local.get $a)) (then (return (local.get $r))))
  (if (i64.ge_u (i64.or (i64.add (local.get $a) (i64.const {1 << 30})) (i64.add (local.get $b) (i64.const {1 << 30})))
      (i64.const {1 << 31})) (then
    (drop (call $fit (local.get $b)))
    (if (i64.ne (i64.div_s (local.get $r) (local.get $a)) (local.get $b)) (then (call $large)))))
  (call $fit (local.get $r)))
(func $floordiv (param $a i64) (param $b i64) (result i64) (local $q i64)
  (local.set $q (i64.div_s (local.get $a) (local.get $b)))
  (i64.sub (local.get $q) (i64.extend_i32_u (i32.and
    (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a))
    (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))))))
(func $mod (param $a i64) (param $b i64) (result i64) (local $r i64)
  (local.set $r (i64.rem_s (local.get $a) (local.get $b)))
  (if (result i64) (i32.and (i64.ne (local.get $r) (i64.const 0))
      (i64.lt_s (i64.xor (local.get $r) (local.get $b)) (i64.const 0)))
    (then (i64.add (local.get $r) (local.get $b))) (else (local.get $r))))
(func $pow (param $a i64) (param $b i64) (result i64) (local $r i64)
  (if (i64.lt_s (local.get $b) (i64.const 0)) (then (unreachable)))
  (if (i64.gt_u (local.get $b) (i64.const 64)) (then (call $large)))
  (local.set $r (i64.const 1))
  (block $out (loop $next
    (br_if $out (i64.eqz (local.get $b)))
    (local.set $r (call $mul (local.get $r) (local.get $a)))
    (local.set $b (i64.sub (local.get $b) (i64.const 1)))
    (br $next)))
  (local.get $r))
(func $natural (param $a i64) (result i64)
  (if (i64.lt_s (local.get $a) (i64.const 0)) (then (unreachable)))
  (local.get $a))
(func $isqrt (param $a i64) (result i64) (local $r i64)
  (local.set $r (i64.trunc_f64_s (f64.sqrt (f64.convert_i64_s (call $natural (local.get $a))))))
  (if (i64.gt_s (i64.mul (local.get $r) (local.get $r)) (local.get $a)) (then
    (local.set $r (i64.sub (local.get $r) (i64.const 1)))))
  (if (i64.le_s (i64.mul (i64.add (local.get $r) (i64.const 1)) (i64.add (local.get $r) (i64.const 1)))
      (local.get $a)) (then (local.set $r (i64.add (local.get $r) (i64.const 1)))))
  (local.get $r))
(func $bit (param $a i64) (param $i i64) (result i64)
  (drop (call $natural (local.get $a)))
  (if (result i64) (i64.gt_u (call $natural (local.get $i)) (i64.const 62)) (then (i64.const 0))
    (else (i64.and (i64.shr_u (local.get $a) (local.get $i)) (i64.const 1)))))
(func $top_bit (param $a i64) (result i64)
  (if (i64.le_s (local.get $a) (i64.const 0)) (then (unreachable)))
  (i64.sub (i64.const 63) (i64.clz (local.get $a))))
(func $valuation (param $x i64) (param $p i64) (result i64) (local $found i64)
  (if (i32.or (i64.eqz (local.get $x)) (i64.lt_s (local.get $p) (i64.const 2))) (then (unreachable)))
  (block $out (loop $next
    (br_if $out (i64.ne (i64.rem_s (local.get $x) (local.get $p)) (i64.const 0)))
    (local.set $x (i64.div_s (local.get $x) (local.get $p)))
    (local.set $found (i64.add (local.get $found) (i64.const 1)))
    (br $next)))
  (local.get $found))
(func $abs (param $a i64) (result i64)
  (select (i64.sub (i64.const 0) (local.get $a)) (local.get $a) (i64.lt_s (local.get $a) (i64.const 0))))
(func $largest (param $a i64) (param $b i64) (result i64)
  (select (local.get $a) (local.get $b) (i64.gt_s (local.get $a) (local.get $b))))
(func $smallest (param $a i64) (param $b i64) (result i64)
  (select (local.get $a) (local.get $b) (i64.lt_s (local.get $a) (local.get $b))))
(func $exponent (param $a i64) (result i64)
  (if (i64.gt_u (local.get $a) (i64.const {MOST_EXPONENT})) (then (call $large)))
  (local.get $a))

;; ---- lists
(func $require_small (param $c i64) (local $n i64)
  (local.set $n (i64.load (i32.wrap_i64 (local.get $c))))
  (if (i64.gt_u (local.get $n) (i64.const 4096)) (then (call $crowded)))
  (block $out (loop $next
    (br_if $out (i64.eqz (local.get $n)))
    (local.set $c (i64.add (local.get $c) (i64.const 8)))
    (local.set $n (i64.sub (local.get $n) (i64.const 1)))
    (drop (call $number (i64.load (i32.wrap_i64 (local.get $c)))))
    (br $next))))
(func $len (param $c i64) (result i64) (i64.load (i32.wrap_i64 (local.get $c))))
(func $new (param $n i64) (result i64) (local $at i64)
  (local.set $at (global.get $top))
  (global.set $top (i64.add (local.get $at) (i64.shl (i64.add (local.get $n) (i64.const 1)) (i64.const 3))))
  (if (i64.gt_u (global.get $top) (i64.const {ARENA_END - PAGE})) (then (call $crowded)))
  (i64.store (i32.wrap_i64 (local.get $at)) (local.get $n))
  (local.get $at))
(func $place (param $c i64) (param $i i64) (result i32)
  (if (i64.ge_u (local.get $i) (i64.load (i32.wrap_i64 (local.get $c)))) (then (unreachable)))
  (i32.wrap_i64 (i64.add (local.get $c) (i64.shl (i64.add (local.get $i) (i64.const 1)) (i64.const 3)))))
(func $at (param $c i64) (param $i i64) (result i64)
  (if (i64.ge_u (local.get $i) (i64.load (i32.wrap_i64 (local.get $c)))) (then (unreachable)))
  (i64.load offset=8 (i32.wrap_i64 (i64.add (local.get $c) (i64.shl (local.get $i) (i64.const 3))))))
(func $copy (param $to i64) (param $from i64) (param $n i64)
  (block $out (loop $next
    (br_if $out (i64.eqz (local.get $n)))
    (i64.store (i32.wrap_i64 (local.get $to)) (i64.load (i32.wrap_i64 (local.get $from))))
    (local.set $to (i64.add (local.get $to) (i64.const 8)))
    (local.set $from (i64.add (local.get $from) (i64.const 8)))
    (local.set $n (i64.sub (local.get $n) (i64.const 1)))
    (br $next))))
(func $put (param $c i64) (param $i i64) (param $x i64) (result i64) (local $made i64) (local $n i64)
  (local.set $n (i64.load (i32.wrap_i64 (local.get $c))))
  (local.set $made (call $new (local.get $n)))
  (call $copy (i64.add (local.get $made) (i64.const 8)) (i64.add (local.get $c) (i64.const 8)) (local.get $n))
  (call $put_in (local.get $made) (local.get $i) (local.get $x)))
(func $put_in (param $c i64) (param $i i64) (param $x i64) (result i64)
  (if (i64.ge_u (local.get $i) (i64.load (i32.wrap_i64 (local.get $c)))) (then (unreachable)))
  (i64.store offset=8 (i32.wrap_i64 (i64.add (local.get $c) (i64.shl (local.get $i) (i64.const 3)))) (local.get $x))
  (local.get $c))
(func $slice (param $c i64) (param $a i64) (param $b i64) (result i64) (local $made i64) (local $n i64)
  (local.set $b (call $smallest (call $natural (local.get $b)) (i64.load (i32.wrap_i64 (local.get $c)))))
  (local.set $n (call $largest (i64.sub (local.get $b) (call $natural (local.get $a))) (i64.const 0)))
  (local.set $made (call $new (local.get $n)))
  (call $copy (i64.add (local.get $made) (i64.const 8))
    (i64.add (local.get $c) (i64.shl (i64.add (local.get $a) (i64.const 1)) (i64.const 3))) (local.get $n))
  (local.get $made))
(func $concat (param $c i64) (param $d i64) (result i64) (local $made i64) (local $n i64)
  (local.set $n (i64.load (i32.wrap_i64 (local.get $c))))
  (local.set $made (call $new (i64.add (local.get $n) (i64.load (i32.wrap_i64 (local.get $d))))))
  (call $copy (i64.add (local.get $made) (i64.const 8)) (i64.add (local.get $c) (i64.const 8)) (local.get $n))
  (call $copy (i64.add (local.get $made) (i64.shl (i64.add (local.get $n) (i64.const 1)) (i64.const 3)))
    (i64.add (local.get $d) (i64.const 8)) (i64.load (i32.wrap_i64 (local.get $d))))
  (local.get $made))
(func $same (param $c i64) (param $d i64) (result i32) (local $n i64) (local $i i64)
  (local.set $n (i64.load (i32.wrap_i64 (local.get $c))))
  (if (i64.ne (local.get $n) (i64.load (i32.wrap_i64 (local.get $d)))) (then (return (i32.const 0))))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (local.get $n)))
    (if (i64.ne (call $at (local.get $c) (local.get $i)) (call $at (local.get $d) (local.get $i)))
      (then (return (i32.const 0))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (i32.const 1))
(func $occurrences (param $c i64) (param $x i64) (result i64) (local $i i64) (local $found i64)
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (i64.load (i32.wrap_i64 (local.get $c)))))
    (local.set $found (i64.add (local.get $found)
      (i64.extend_i32_u (i64.eq (call $at (local.get $c) (local.get $i)) (local.get $x)))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.get $found))
(func $sorted (param $c i64) (param $once i32) (result i64)
  (local $made i64) (local $n i64) (local $i i64) (local $j i64) (local $x i64)
  (local.set $made (call $slice (local.get $c) (i64.const 0) (i64.load (i32.wrap_i64 (local.get $c)))))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (i64.load (i32.wrap_i64 (local.get $c)))))
    (local.set $x (call $at (local.get $c) (local.get $i)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (local.set $j (local.get $n))
    (if (i32.and (local.get $once) (i64.ne (call $count_first (local.get $made) (local.get $n) (local.get $x))
      (i64.const 0))) (then (br $next)))
    (block $there (loop $back
      (br_if $there (i64.eqz (local.get $j)))
      (br_if $there (i64.le_s (call $at (local.get $made) (i64.sub (local.get $j) (i64.const 1))) (local.get $x)))
      (i64.store (call $place (local.get $made) (local.get $j))
        (call $at (local.get $made) (i64.sub (local.get $j) (i64.const 1))))
      (local.set $j (i64.sub (local.get $j) (i64.const 1)))
      (br $back)))
    (i64.store (call $place (local.get $made) (local.get $j)) (local.get $x))
    (local.set $n (i64.add (local.get $n) (i64.const 1)))
    (br $next)))
  (i64.store (i32.wrap_i64 (local.get $made)) (local.get $n))
  (local.get $made))
(func $count_first (param $c i64) (param $n i64) (param $x i64) (result i64) (local $i i64) (local $found i64)
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (local.get $n)))
    (if (i64.eq (call $at (local.get $c) (local.get $i)) (local.get $x)) (then (local.set $found (i64.const 1))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.get $found))
(func $range (param $a i64) (param $b i64) (result i64) (local $made i64) (local $i i64) (local $n i64)
  (local.set $n (call $largest (i64.sub (local.get $b) (local.get $a)) (i64.const 0)))
  (if (i64.gt_u (local.get $n) (i64.const {1 << 20})) (then (call $crowded)))
  (local.set $made (call $new (local.get $n)))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (local.get $n)))
    (i64.store (call $place (local.get $made) (local.get $i)) (i64.add (local.get $a) (local.get $i)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.get $made))
(func $start (param $low i64) (param $high i64) (result i32) (local $i i64)
  ;; whether there is a list between these two
  (if (i64.ne (i64.load (i32.wrap_i64 (local.get $low))) (i64.load (i32.wrap_i64 (local.get $high))))
    (then (unreachable)))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (i64.load (i32.wrap_i64 (local.get $low)))))
    (if (i64.gt_s (call $at (local.get $low) (local.get $i)) (call $at (local.get $high) (local.get $i)))
      (then (return (i32.const 0))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (i32.const 1))
(func $advance (param $c i64) (param $low i64) (param $high i64) (result i32) (local $i i64)
  ;; make it the next of these lists; 0 after the last
  (local.set $i (i64.load (i32.wrap_i64 (local.get $c))))
  (block $out (loop $next
    (br_if $out (i64.eqz (local.get $i)))
    (local.set $i (i64.sub (local.get $i) (i64.const 1)))
    (if (i64.lt_s (call $at (local.get $c) (local.get $i)) (call $at (local.get $high) (local.get $i))) (then
      (i64.store (call $place (local.get $c) (local.get $i))
        (i64.add (call $at (local.get $c) (local.get $i)) (i64.const 1)))
      (return (i32.const 1))))
    (i64.store (call $place (local.get $c) (local.get $i)) (call $at (local.get $low) (local.get $i)))
    (br $next)))
  (i32.const 0))

;; ---- numbers that are being gathered
(func $push (param $x i64)
  (if (i64.ge_u (global.get $stack) (i64.const {STACK_END})) (then (call $crowded)))
  (i64.store (i32.wrap_i64 (global.get $stack)) (local.get $x))
  (global.set $stack (i64.add (global.get $stack) (i64.const 8))))
(func $gather (param $base i64) (result i64) (local $made i64) (local $n i64)
  (local.set $n (i64.shr_u (i64.sub (global.get $stack) (local.get $base)) (i64.const 3)))
  (local.set $made (call $new (local.get $n)))
  (call $copy (i64.add (local.get $made) (i64.const 8)) (local.get $base) (local.get $n))
  (global.set $stack (local.get $base))
  (local.get $made))
(func $mex (param $base i64) (result i64) (local $n i64) (local $at i64) (local $x i64)
  ;; a mark for each number up to how many there are, above them
  (local.set $n (i64.shr_u (i64.sub (global.get $stack) (local.get $base)) (i64.const 3)))
  (if (i64.ge_u (i64.add (global.get $stack) (local.get $n)) (i64.const {STACK_END})) (then (call $crowded)))
  (memory.fill (i32.wrap_i64 (global.get $stack)) (i32.const 0) (i32.add (i32.wrap_i64 (local.get $n)) (i32.const 1)))
  (local.set $at (local.get $base))
  (block $out (loop $next
    (br_if $out (i64.ge_u (local.get $at) (global.get $stack)))
    (local.set $x (i64.load (i32.wrap_i64 (local.get $at))))
    (if (i64.lt_u (local.get $x) (local.get $n)) (then
      (i32.store8 (i32.wrap_i64 (i64.add (global.get $stack) (local.get $x))) (i32.const 1))))
    (local.set $at (i64.add (local.get $at) (i64.const 8)))
    (br $next)))
  (local.set $x (i64.const 0))
  (block $out (loop $next
    (br_if $out (i32.eqz (i32.load8_u (i32.wrap_i64 (i64.add (global.get $stack) (local.get $x))))))
    (local.set $x (i64.add (local.get $x) (i64.const 1)))
    (br $next)))
  (global.set $stack (local.get $base))
  (local.get $x))

;; ---- heaps
(func $number (param $x i64) (result i64)
  (if (i64.gt_u (i64.add (local.get $x) (i64.const {1 << 30})) (i64.const {1 << 31})) (then (call $large)))
  (local.get $x))
"""


_PIECE = re.compile(r"(?m)^(?=\((?:import|memory|global|start|func) )")
_CALL = re.compile(r"\((?:call|start) (\$\w+)")


def select_functions(text: str) -> str:
    """Return the text of a module without the functions that it does not call, since compiling them takes time.

    Exported functions and the start function are kept. Each function must begin on a new line.
    """
    pieces = _PIECE.split(text)
    functions = {piece.split(maxsplit=2)[1]: piece for piece in pieces if piece.startswith("(func $")}
    needed = {piece for piece in pieces if not piece.startswith("(func $") or "(export " in piece}
    todo = list(needed)
    while todo:
        called = {functions[name] for name in _CALL.findall(todo.pop()) if name in functions} - needed
        needed |= called
        todo += called
    return "".join(piece for piece in pieces if piece in needed)


# $intern returns the heap with given words, and stores it if it is new. $fill makes the heap of a new cell. The
# placeholders are:
# `cell`: the number of bytes of a cell;
# `hashed`: this number, and the number of bytes of a hash;
# `parts`: the number of bytes of the parts, which precede the words of a heap;
# `before`: this number, and the number of bytes before the parts.
INTERN = """
(func $enlarge (local $old i64) (local $size i64) (local $i i64) (local $heap i64)
  (local.set $old (global.get $table))
  (local.set $size (i64.add (global.get $mask) (i64.const 1)))
  (if (i64.eqz (local.get $old)) (then (local.set $size (i64.const 4096))))
  (global.set $table (call $keep (i64.shl (local.get $size) (i64.const 3))))
  (global.set $mask (i64.sub (i64.shl (local.get $size) (i64.const 1)) (i64.const 1)))
  (if (i64.eqz (local.get $old)) (then (return)))
  (block $out (loop $next
    (br_if $out (i64.ge_u (local.get $i) (local.get $size)))
    (local.set $heap (i64.load32_u (i32.wrap_i64 (i64.add (local.get $old) (i64.shl (local.get $i) (i64.const 2))))))
    (if (i64.ne (local.get $heap) (i64.const 0)) (then
      (i64.store32 (call $vacant (i64.load offset={cell} (i32.wrap_i64 (local.get $heap)))) (local.get $heap))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next))))
(func $vacant (param $hash i64) (result i32) (local $at i32)
  (loop $next
    (local.set $at (i32.wrap_i64 (i64.add (global.get $table)
      (i64.shl (i64.and (local.get $hash) (global.get $mask)) (i64.const 2)))))
    (local.set $hash (i64.add (local.get $hash) (i64.const 1)))
    (br_if $next (i32.load (local.get $at))))
  (local.get $at))
(func $intern (param $from i64) (param $n i64) (result i64)
  (local $hash i64) (local $i i64) (local $probe i64) (local $heap i64) (local $x i64)
  (local.set $hash (i64.const 0x51ed270b))
  (block $out (loop $next
    (br_if $out (i64.ge_u (local.get $i) (local.get $n)))
    (local.set $x (i64.load (i32.wrap_i64 (i64.add (local.get $from) (i64.shl (local.get $i) (i64.const 3))))))
    (local.set $hash (i64.mul (i64.xor (local.get $hash) (local.get $x)) (i64.const 0x9E3779B97F4A7C15)))
    (local.set $hash (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 29))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (if (i64.ge_u (i64.shl (global.get $count) (i64.const 1)) (global.get $mask)) (then (call $enlarge)))
  (local.set $probe (local.get $hash))
  (block $none (loop $next
    (local.set $heap (i64.load32_u (i32.wrap_i64 (i64.add (global.get $table)
      (i64.shl (i64.and (local.get $probe) (global.get $mask)) (i64.const 2))))))
    (br_if $none (i64.eqz (local.get $heap)))
    (if (i64.eq (i64.load offset={cell} (i32.wrap_i64 (local.get $heap))) (local.get $hash)) (then
      (if (call $agree (i64.add (i64.load32_u (i32.wrap_i64 (local.get $heap))) (i64.const {parts}))
          (local.get $from) (local.get $n))
        (then (return (local.get $heap))))))
    (local.set $probe (i64.add (local.get $probe) (i64.const 1)))
    (br $next)))
  (local.set $heap (call $keep (i64.const {hashed})))
  (i64.store offset={cell} (i32.wrap_i64 (local.get $heap)) (local.get $hash))
  (i64.store32 (call $vacant (local.get $hash)) (local.get $heap))
  (global.set $count (i64.add (global.get $count) (i64.const 1)))
  (call $fill (local.get $heap) (local.get $from) (local.get $n) (i64.const 0))
  (local.get $heap))
(func $fill (param $cell i64) (param $from i64) (param $n i64) (param $row i64) (local $parts i64)
  (local.set $parts (i64.add (i64.const 8) (call $keep
    (i64.add (i64.const {before}) (i64.shl (local.get $n) (i64.const 3))))))
  (i64.store32 (i32.wrap_i64 (i64.sub (local.get $parts) (i64.const 8))) (local.get $row))
  (i64.store32 (i32.wrap_i64 (local.get $cell)) (local.get $parts))
  (call $copy (i64.add (local.get $parts) (i64.const {parts})) (local.get $from) (local.get $n))
  (call $list_parts (local.get $parts))
  (call $shape (local.get $cell)))
(func $agree (param $c i64) (param $d i64) (param $n i64) (result i32)
  (block $out (loop $next
    (br_if $out (i64.eqz (local.get $n)))
    (if (i64.ne (i64.load (i32.wrap_i64 (local.get $c))) (i64.load (i32.wrap_i64 (local.get $d))))
      (then (return (i32.const 0))))
    (local.set $c (i64.add (local.get $c) (i64.const 8)))
    (local.set $d (i64.add (local.get $d) (i64.const 8)))
    (local.set $n (i64.sub (local.get $n) (i64.const 1)))
    (br $next)))
  (i32.const 1))
"""
