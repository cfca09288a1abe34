"""Wythoff's game and similar games as WebAssembly: winners and Grundy values of at most two heaps that are numbers.

A move takes any number from one heap, or the same number from two heaps. A ruleset may limit the number that is taken
from two heaps. Each heap then forms a lost position with at most one other heap, so a table of these partners suffices
for winners. Grundy values need a table of all pairs of heaps. Both tables grow with the largest heap that a case needs.
Every such move makes the position smaller, so moves are not checked.
"""

from __future__ import annotations

from collections.abc import Mapping

from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from encoders.compute.arrays.ties import PAIR, read_ties
from encoders.compute.native.pieces import IN_HEAPS, Bounds, NotNative
from encoders.compute.native.rules import MoveUse, RuleCodeGenerator
from encoders.compute.native.terms import WasmFunctionWriter

MOST_VALUES = 8192  # the tables of values of heaps below this need 0.2 GB


class PairCodeGenerator(RuleCodeGenerator):
    """The generator of WebAssembly code for games like Wythoff's game, whose moves `read_ties` recognizes."""

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, Value | Bounds], players: int, sums: bool) -> None:
        """Prepare the generator. Raise NotNative if it does not support the ruleset or the parameters."""
        super().__init__(ruleset, parameters, players, sums)
        self._require_constants()
        ties = read_ties(ruleset)
        if ties is None or players != PAIR:
            raise NotNative("the moves are not those of Wythoff's game")
        self.ties = ties

    def write(self) -> str:
        text = (_PAIRS + _VALUES).replace("{stuck_loses}", str(int(not self.ruleset.stuck_wins)))
        text = text.replace("{full}", str(int(self.ties.full))).replace("{most}", str(self.ties.most))
        return "".join((text, self._tell_outcome(), *self.module.functions))

    def _finish(self, ways: MoveUse, move: Move) -> str:
        raise AssertionError(move)  # no move is made

    def _find_position(self, writer: WasmFunctionWriter, term: t.Term) -> str:
        """Return Wasm code for two values, the heaps of a position, the smaller one first; 0 for an absent heap."""
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)) if len(items) <= PAIR:
                heaps = [f"(call $natural {writer.write(x).text})" for x in items]  # no list is made
                return f"(call $order {' '.join(heaps + ['(i64.const 0)'] * (PAIR - len(heaps)))})"
        return f"(call $two_heaps {super()._find_position(writer, term)})"

    def _tell_outcome(self) -> str:
        text = super()._tell_outcome().replace("(param $s i64)", "(param $x i64) (param $y i64)")
        return text.replace("(local.get $s)", "(local.get $x) (local.get $y)")


# $partner: for each heap x the heap y with which x is lost, as y + 1, or 0 (32 bits each).
# $used: a bit for each heap that has a partner. $apart: bit $room - d is set if two partners differ by d.
# Row y contains the positions x, y with x <= y. Its lost position is the one with the smallest x without partner from
# which no move on both heaps leads to partners; all others of the row can move to it. The next row follows.
_PAIRS = f"""
(global $partner (mut i64) (i64.const 0))
(global $used (mut i64) (i64.const 0))
(global $apart (mut i64) (i64.const 0))
(global $room (mut i64) (i64.const 0))
(global $rows (mut i64) (i64.const 0))
(global $first (mut i64) (i64.const 0))
(func $set_bit (param $bits i64) (param $i i64) (local $at i32)
  (local.set $at (i32.wrap_i64 (i64.add (local.get $bits) (i64.shr_u (local.get $i) (i64.const 3)))))
  (i64.store8 (local.get $at) (i64.or (i64.load8_u (local.get $at))
    (i64.shl (i64.const 1) (i64.and (local.get $i) (i64.const 7))))))
(func $partner_at (param $x i64) (result i32)
  (i32.wrap_i64 (i64.add (global.get $partner) (i64.shl (local.get $x) (i64.const 2)))))
(func $join_pair (param $x i64) (param $y i64)
  (i64.store32 (call $partner_at (local.get $x)) (i64.add (local.get $y) (i64.const 1)))
  (i64.store32 (call $partner_at (local.get $y)) (i64.add (local.get $x) (i64.const 1)))
  (call $set_bit (global.get $used) (local.get $x))
  (call $set_bit (global.get $used) (local.get $y))
  (call $set_bit (global.get $apart) (i64.sub (global.get $room) (i64.sub (local.get $y) (local.get $x)))))
(func $enlarge_pairs (param $h i64) (local $old i64) (local $x i64) (local $y i64)
  (local.set $old (global.get $partner))
  (global.set $room (i64.and (i64.const -64) (call $largest (i64.add (local.get $h) (i64.const 4096))
    (i64.shl (global.get $room) (i64.const 1)))))
  (global.set $partner (call $keep (i64.shl (global.get $room) (i64.const 2))))
  (global.set $used (call $keep (i64.add (i64.const 64) (i64.shr_u (global.get $room) (i64.const 3)))))
  (global.set $apart (call $keep (i64.add (i64.const 64) (i64.shr_u (global.get $room) (i64.const 3)))))
  (block $out (loop $next
    (br_if $out (i64.ge_u (local.get $y) (global.get $rows)))
    (local.set $x (i64.load32_u (i32.wrap_i64 (i64.add (local.get $old) (i64.shl (local.get $y) (i64.const 2))))))
    (if (i32.and (i64.ne (local.get $x) (i64.const 0)) (i64.le_u (local.get $x) (i64.add (local.get $y) (i64.const 1))))
      (then (call $join_pair (i64.sub (local.get $x) (i64.const 1)) (local.get $y))))
    (local.set $y (i64.add (local.get $y) (i64.const 1)))
    (br $next))))
(func $taken_apart (param $y i64) (param $x i64) (result i64) (local $at i64) (local $shift i64) (local $address i32)
  ;; a bit for each of x .. x + 63 that differs from y as two partners do
  (local.set $at (i64.add (i64.sub (global.get $room) (local.get $y)) (local.get $x)))
  (local.set $shift (i64.and (local.get $at) (i64.const 7)))
  (local.set $address (i32.wrap_i64 (i64.add (global.get $apart) (i64.shr_u (local.get $at) (i64.const 3)))))
  (i64.or (i64.shr_u (i64.load (local.get $address)) (local.get $shift))
    (i64.shl (i64.shl (i64.load8_u offset=8 (local.get $address))
      (i64.sub (i64.const 63) (local.get $shift))) (i64.const 1))))
(func $reaches_pair (param $x i64) (param $y i64) (result i32) (local $m i64)
  ;; whether a limited equal amount leads to two partners
  (block $out (loop $next
    (local.set $m (i64.add (local.get $m) (i64.const 1)))
    (br_if $out (i64.gt_u (local.get $m) (call $smallest (i64.const {{most}}) (local.get $x))))
    (if (i64.eq (i64.load32_u (call $partner_at (i64.sub (local.get $x) (local.get $m))))
        (i64.add (i64.const 1) (i64.sub (local.get $y) (local.get $m)))) (then (return (i32.const 1))))
    (br $next)))
  (i32.const 0))
(func $solve_row (param $y i64) (local $at i64) (local $open i64) (local $x i64)
  (local.set $at (global.get $first))
  (block $out (loop $next
    (br_if $out (i64.gt_u (local.get $at) (local.get $y)))
    (local.set $open (i64.xor (i64.const -1) (i64.load (i32.wrap_i64
      (i64.add (global.get $used) (i64.shr_u (local.get $at) (i64.const 3)))))))
    (if (i32.and (i64.eqz (local.get $open)) (i64.eq (local.get $at) (global.get $first)))
      (then (global.set $first (i64.add (local.get $at) (i64.const 64)))))
    (if (i32.const {{full}}) (then (local.set $open (i64.and (local.get $open)
      (i64.xor (i64.const -1) (call $taken_apart (local.get $y) (local.get $at)))))))
    (block $none (loop $bit
      (br_if $none (i64.eqz (local.get $open)))
      (local.set $x (i64.add (local.get $at) (i64.ctz (local.get $open))))
      (br_if $out (i64.gt_u (local.get $x) (local.get $y)))
      (if (i32.eqz (call $reaches_pair (local.get $x) (local.get $y))) (then
        (if (i32.or (i32.const {{stuck_loses}}) (i64.ne (local.get $y) (i64.const 0)))
          (then (call $join_pair (local.get $x) (local.get $y))))
        (return)))
      (local.set $open (i64.and (local.get $open) (i64.sub (local.get $open) (i64.const 1))))
      (br $bit)))
    (call $spend (i64.const 1))
    (local.set $at (i64.add (local.get $at) (i64.const 64)))
    (br $next))))
(func $is_lost (param $x i64) (param $y i64) (result i64)
  ;; whether heaps x and y, x <= y, are lost
  (if (i64.gt_u (local.get $y) (i64.const {IN_HEAPS})) (then (call $large)))
  (if (i64.ge_u (local.get $y) (global.get $room)) (then (call $enlarge_pairs (local.get $y))))
  (block $out (loop $next
    (br_if $out (i64.gt_u (global.get $rows) (local.get $y)))
    (call $spend (i64.const 1))
    (call $solve_row (global.get $rows))
    (global.set $rows (i64.add (global.get $rows) (i64.const 1)))
    (br $next)))
  (i64.extend_i32_u (i64.eq (i64.load32_u (call $partner_at (local.get $y)))
    (i64.add (local.get $x) (i64.const 1)))))
(func $two_heaps (param $s i64) (result i64 i64) (local $i i64) (local $h i64) (local $x i64) (local $y i64)
  ;; the heaps of a list, the smaller one first; 0 for a heap that is absent
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $h (call $natural (call $at (local.get $s) (local.get $i))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br_if $next (i64.eqz (local.get $h)))
    (if (i64.ne (local.get $x) (i64.const 0)) (then (unreachable)))  ;; a third heap
    (local.set $x (local.get $y))
    (local.set $y (local.get $h))
    (br $next)))
  (call $order (local.get $x) (local.get $y)))
(func $order (param $x i64) (param $y i64) (result i64 i64)
  (call $smallest (local.get $x) (local.get $y)) (call $largest (local.get $x) (local.get $y)))
(func $winner (param $x i64) (param $y i64) (param $who i64) (result i64)
  (call $is_lost (local.get $x) (local.get $y)))
"""
# $value: the values (32 bits each) of the positions x, y with x <= y, row by row: x, y is number y (y + 1) / 2 + x.
# $row: for each heap h, $words words with a bit for each value of a known position that contains h.
# $slant: the same for each difference of two heaps, if a move may take any number from two heaps.
# The value of x, y is the least one that is neither in the rows of x and y nor reached by a move on both heaps.
_VALUES = f"""
(global $value (mut i64) (i64.const 0))
(global $row (mut i64) (i64.const 0))
(global $slant (mut i64) (i64.const 0))
(global $words (mut i64) (i64.const 0))
(global $sizes (mut i64) (i64.const 0))
(global $solved (mut i64) (i64.const 0))
(func $value_at (param $x i64) (param $y i64) (result i32)
  (i32.wrap_i64 (i64.add (global.get $value) (i64.shl (i64.add (local.get $x)
    (i64.shr_u (i64.mul (local.get $y) (i64.add (local.get $y) (i64.const 1))) (i64.const 1))) (i64.const 2)))))
(func $line (param $lines i64) (param $i i64) (result i64)
  (i64.add (local.get $lines) (i64.shl (i64.mul (local.get $i) (global.get $words)) (i64.const 3))))
(func $reserve_values (param $h i64)
  ;; room for heaps below $sizes; all values are computed again
  (if (i64.ge_u (local.get $h) (i64.const {MOST_VALUES})) (then (call $crowded)))
  (global.set $sizes (call $smallest (i64.const {MOST_VALUES})
    (call $largest (i64.const 256) (i64.shl (i64.add (local.get $h) (i64.const 1)) (i64.const 1)))))
  (global.set $solved (i64.const 0))
  (global.set $words (i64.add (i64.const 1) (i64.shr_u (i64.mul (i64.const 3) (global.get $sizes)) (i64.const 6))))
  (global.set $value (call $keep (i64.shl (i64.mul (global.get $sizes) (i64.add (global.get $sizes) (i64.const 1)))
    (i64.const 1))))
  (global.set $row (call $keep (call $line (i64.const 0) (global.get $sizes))))
  (global.set $slant (call $keep (call $line (i64.const 0) (global.get $sizes)))))
(func $join_bits (param $word i64) (param $bits i64)
  (i64.store (i32.wrap_i64 (local.get $word))
    (i64.or (i64.load (i32.wrap_i64 (local.get $word))) (local.get $bits))))
(func $takes_value (param $x i64) (param $y i64) (param $v i64) (result i32) (local $m i64)
  ;; whether a limited equal amount leads to a position of value v
  (block $out (loop $next
    (local.set $m (i64.add (local.get $m) (i64.const 1)))
    (br_if $out (i64.gt_u (local.get $m) (call $smallest (i64.const {{most}}) (local.get $x))))
    (if (i64.eq (local.get $v) (i64.load32_u (call $value_at (i64.sub (local.get $x) (local.get $m))
        (i64.sub (local.get $y) (local.get $m))))) (then (return (i32.const 1))))
    (br $next)))
  (i32.const 0))
(func $solve_value (param $x i64) (param $y i64)
  (local $a i64) (local $b i64) (local $c i64) (local $open i64) (local $v i64) (local $at i64)
  (local.set $a (call $line (global.get $row) (local.get $x)))
  (local.set $b (call $line (global.get $row) (local.get $y)))
  (local.set $c (call $line (global.get $slant) (i64.sub (local.get $y) (local.get $x))))
  (block $found (loop $next
    (local.set $open (i64.xor (i64.const -1) (i64.or (i64.or
      (i64.load (i32.wrap_i64 (i64.add (local.get $a) (local.get $at))))
      (i64.load (i32.wrap_i64 (i64.add (local.get $b) (local.get $at)))))
      (i64.load (i32.wrap_i64 (i64.add (local.get $c) (local.get $at)))))))
    (block $none (loop $bit
      (br_if $none (i64.eqz (local.get $open)))
      (local.set $v (i64.add (i64.shl (local.get $at) (i64.const 3)) (i64.ctz (local.get $open))))
      (br_if $found (if (result i32) (i32.const {{most}})
        (then (i32.eqz (call $takes_value (local.get $x) (local.get $y) (local.get $v)))) (else (i32.const 1))))
      (local.set $open (i64.and (local.get $open) (i64.sub (local.get $open) (i64.const 1))))
      (br $bit)))
    (local.set $at (i64.add (local.get $at) (i64.const 8)))
    (br $next)))
  (i64.store32 (call $value_at (local.get $x) (local.get $y)) (local.get $v))
  (local.set $v (i64.shl (i64.const 1) (i64.and (local.get $v) (i64.const 63))))
  (call $join_bits (i64.add (local.get $a) (local.get $at)) (local.get $v))
  (call $join_bits (i64.add (local.get $b) (local.get $at)) (local.get $v))
  (if (i32.const {{full}}) (then (call $join_bits (i64.add (local.get $c) (local.get $at)) (local.get $v)))))
(func $nimbers (param $x i64) (param $y i64) (result i64) (local $i i64)
  ;; the value of heaps x and y, x <= y
  (if (i64.ge_u (local.get $y) (global.get $sizes)) (then (call $reserve_values (local.get $y))))
  (block $out (loop $next
    (br_if $out (i64.gt_u (global.get $solved) (local.get $y)))
    (local.set $i (i64.const 0))
    (loop $each
      (call $solve_value (local.get $i) (global.get $solved))
      (local.set $i (i64.add (local.get $i) (i64.const 1)))
      (br_if $each (i64.le_u (local.get $i) (global.get $solved))))
    (global.set $solved (i64.add (global.get $solved) (i64.const 1)))
    (call $spend (local.get $i))
    (br $next)))
  (i64.load32_u (call $value_at (local.get $x) (local.get $y))))
"""
