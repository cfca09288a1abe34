"""Pieces of Coq text that get parentheses where necessary, and Coq identifiers for the names in a claim file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from claims.language.errors import escape_invisible

# -- reserved names ---------------------------------------------------------------------------------------------------
# Reserved names have a meaning in the generated text, so the objects of a claim file must get other names.

KEYWORDS = """
_ as at by cofix else end exists exists2 fix for forall fun IF if in let match mod Prop return Set SProp then Type using
where with
"""

PRELUDE = """
Bool False I List N Some None O S True Z andb app bool conj cons eq eqb ex existsb false filter flat_map forallb fst iff
In land length list lxor map max min nat negb nil not option or orb pair prod rev snd sum tt true unit and div modulo
"""
"""Names of Coq's library that the generated text may use."""

THEORY = """
Beyond Candidates Decided Fair First Listed ListedKind Positions PositionsBeyond Second Tested about_digits
about_division about_heaps about_values add_digits agree agree_less agree_refl agree_set agree_trans align_functions
alike alike_after alike_before alike_both all_below all_below_is all_but_ok all_but_repeats all_from all_heaps
all_heaps_there all_in all_in_test all_in_tested all_kinds all_occupied all_options all_positive all_takes all_there
all_there_occupied among among_list and_as answer answer_by answer_right answered any any_in any_is any_option apart
apart_after apart_before apart_but apart_but_is apart_cons apart_is app_same arrange arrange_heaps arrange_same
arrange_written arranged as_answered as_form as_integers as_known as_splitting as_tested as_values ascending
ascending_cons ascends ask ask_each ask_each_right ask_none ask_right ask_some asked_answer asked_by_move asked_move
asked_value asks_right assign assigned assigned_before at_heap at_heap_in_row at_heap_repeats at_put at_row at_tree
become become_digits become_has becomes beside_kind best_test best_tested best_values beyond beyond_all
beyond_iff_positions beyond_later beyond_not_positions beyond_numbers beyond_positions beyond_then beyond_then_positions
bit bit_by_bit bounded branch branches by_answer by_case by_contradiction by_cut by_definition by_equal_games by_folds
by_heaps by_lemmas by_looking_ahead by_measure by_natural_measure by_one_more by_pairs by_parts by_remainders by_single
by_steps by_table by_table_is by_total by_values by_weight can_leave can_tell cancel candidates candidates_and_first
candidates_and_then candidates_by_bound candidates_by_equation candidates_eq_first candidates_eq_le candidates_eq_second
candidates_heap candidates_in candidates_is candidates_le_first candidates_le_second candidates_le_times candidates_lt
candidates_or candidates_some candidates_to cases check_heaps check_heaps_all checked_parts choices choices_all
choices_length choices_same choose_heaps choose_heaps_all choose_heaps_rest chosen chosen_heaps chosen_largest
chosen_least code code_is code_same columns columns_below columns_below_digit columns_below_less columns_digit
columns_digit_cons columns_gone common_sum compared compute_among compute_claim compute_numbers conclude conclude_few
conclude_formula conclude_from conclude_shapes conj_last cons_same copies_are copies_is copies_shape copies_shape_is
count count_below count_cons count_ext count_is count_none count_same count_up counted covered_or_not cycle cycle_is
cycle_length decide_condition decide_few decide_numbers decide_win decided decided_all decided_all_among
decided_all_players decided_all_positions decided_and decided_by decided_by_split_values decided_by_values decided_eq
decided_false decided_folds decided_heap decided_iff decided_in decided_in_positions decided_le decided_lt decided_move
decided_no decided_or decided_rational_eq decided_rational_le decided_rational_lt decided_rules_wins decided_same
decided_same_player decided_so decided_some decided_some_among decided_some_position decided_split_move
decided_split_values decided_split_wins decided_step decided_then decided_true decided_value decided_values decided_win
decided_winner decided_wins denied_claim determined digit_by_digit digit_sum digit_sum_step digits_alike digits_avoided
digits_below digits_bounds digits_by_fuel digits_longer digits_natural digits_of digits_of_N digits_of_none
digits_reached digits_small divide divided division_by division_next division_parts division_rest division_small
divisions divisions_alike divisions_apart divisions_by_numbers down each_choice each_heap each_heap_all each_heap_rest
each_kind each_makes element element_app element_below element_beside element_cons element_heaps element_order
element_same element_two elements_of eqb_of_N equal_both equal_heaps equal_lists equal_lists_are equal_moves
equal_states equal_wins every every_in every_move every_number every_split exponent_alike exponent_in exponent_longer
exponent_natural exponent_of_N exponent_tells fAll fAny fCopies fImp fIs fLet fNot fShape fSome factor_between
factor_other factor_positive facts_kept facts_of_all fair fair_moves few_checked few_move few_ok few_options few_repeats
few_smaller few_winner few_wins fewer fewer_of_game fill filled filled_is filled_length find_decision find_kinds
find_values find_winner folded folded_app folded_heap folded_heaps folded_same folds_after for_each_nim_sum
for_each_player forget_all_but forget_cases forget_rest forget_values form found_winner from_answer from_any_heap
from_lemma from_smaller from_to fuel_of game game_by_folds game_given game_step game_values game_won gather gather_same
give give_answers gone_or_there hAt hBoth hNew hNone has_bit has_option has_option_or_not heap_added heap_at
heap_at_ascends heap_at_there heap_joined heap_move heap_of heap_of_cons heap_of_same heap_there heap_value
heap_value_by heap_value_is heaps heaps_and_zeros heaps_below_largest heaps_of heaps_of_is heaps_ok heaps_right here
hints how_many if_smaller iff_as image_fold imp_as impartial in_any_order in_line in_line_ascending in_line_if_ascending
in_line_is in_line_length in_line_same in_natural_ranges in_range in_ranges in_region in_row in_row_below in_row_first
in_row_next insert_up insert_up_ascending insert_up_is insert_up_swap is_among is_best is_common is_fact is_fewer
is_gone is_in_both is_mex is_number is_odd is_part_of is_place is_power is_there is_true_test item item_ascends
item_cons item_in item_none items join_heap join_heap_gone join_heap_order join_heap_there joins joins_app joins_gone
joins_in_turn joins_one joins_turn key_of key_of_kind key_of_state kind kind_eq_dec kind_of_move kind_of_position
kind_ok kinds know_heaps know_written known_fact known_kinds known_player land_of_N largest largest_cons largest_is_heap
largest_none largest_of_some largest_power largest_same largest_there leads_to learn least least_below least_beside
least_cons least_from least_of_all least_of_range least_option least_same least_without least_without_is leave_equal
leave_none leave_one leave_two leaves leaves_cases leaves_fewer leaves_less leaves_none leaves_one leaves_smaller
leaves_two leb_of_N left_by_rules left_by_rules_are left_by_split left_by_split_are left_in_game left_in_game_are
legal_is_option length_of less_at let_is link_digits link_exponent link_functions list_all list_below list_each
list_from list_kind list_kinds list_moves listed_by listed_each_number listed_kinds listed_on_each listed_on_one
listed_on_two listed_or listed_some lists lists_first lists_more lists_none lists_skip lists_tail look look_ahead
look_at_values look_fill loses loses_at_0 loses_not_wins loses_same lowered ltb_of_N lxor_back lxor_exchange
lxor_natural lxor_of_N lxor_other lxor_over lxor_over_1 lxor_over_2 lxor_over_3 lxor_same lxor_self lxor_swap lxor_zero
made_anywhere made_by made_condition made_equal made_legal made_legal_or_none made_so make_heaps makes may_take
meaningful meaningful_at_heaps meaningful_by_computation means means_or_not meet_conditions mem mem_in met_already
met_premise mex mex_test mex_tested mex_values monoid_is monoid_ok more_and_more most_kinds move move_beside
move_exists_heap move_heap move_of_any move_of_first move_same move_smaller move_to move_total moves_of_first
multiple_apart multiple_natural multiples multiples_apart multiples_have name_folds name_left name_pick named_number
natural_from natural_more natural_ranges natural_set naturals next next_around nim_sum nim_sum_cons nim_sum_is
nim_sum_none nim_sum_of nim_sum_of_app nim_sum_of_cons nim_sum_of_ext nim_sum_of_heap nim_sum_of_heaps nim_sum_of_image
nim_sum_of_is nim_sum_of_none nim_sum_of_same nim_sum_same nim_sum_ways nim_sums_of_numbers no_difference
no_digits_above no_heap no_heaps no_integer no_move no_natural no_number no_shape no_size no_split no_split_is
none_counted normal_play not_as not_both not_both_folded not_split note note_more note_nim_sums note_quotients
note_right noted noted_right notes notes_right nothing nothing_from_nothing nth_below nth_skip number number_app
number_cons number_gives_least number_is number_length number_none number_of_heap number_same number_total numbers_only
numbers_to occupied occurs occurs_in occurs_is occurs_once odd_column odd_digits odd_double odd_succ_double odd_sum
of_copies of_game of_largest of_lxor of_naturals of_one_value of_region of_row of_row_is of_splitting of_two of_values
on_each on_four on_one on_three on_two one_draw one_heap one_more_column one_more_mod one_of_columns one_of_nim_sum ones
only onto onto_below open_becomes open_facts open_game open_items open_kinds open_move opened opened_lists
opened_smaller opposite option_by_move option_cases option_element option_elements option_elements_are option_of_heaps
option_values options_are options_decided options_repeat or_as ordered orderly orderly_of_game other other_other
other_value parts parts_fewer parts_of pick pick_any pick_counted pick_heap pick_largest pick_least pick_tested
pick_top_bit picks picks_all picks_same plainly player popcount popcount_is position positions positions_and_first
positions_and_then positions_in positions_of positions_of_game positions_of_rules positions_of_splitting positions_or
positions_same positions_within positive_in possible power power_base power_each power_each_more power_more power_of
power_one power_one_more power_positive power_times powers_apart powers_cancel premise product product_natural products
put put_in put_in_order put_in_swap put_row quotient_ok quotient_positive range rational rational_sum reach_value
read_all_but read_form read_impartial read_moves read_off read_parts read_parts_back read_table read_value refute_claim
refute_few refute_with refuted_by remainder_below remainder_next rename rename_cond rename_ok rename_says replace
replace_rest replaced reversed right_at right_from right_of rising rising_repeats row_ok row_right row_tree rules
rules_by_folds rules_every rules_given rules_least rules_loses rules_loses_same rules_mex rules_none rules_not_both
rules_some rules_step rules_stuck rules_stuck_wins rules_value rules_value_same rules_value_unique rules_values
rules_winner rules_winner_same rules_winner_unique rules_wins rules_wins_loses_same rules_wins_same rules_won same
same_at_same same_cons same_equivalence same_fold same_heap same_heaps same_heaps_are same_in same_kind same_length
same_list same_list_is same_lxor same_moves same_order same_parts same_player same_rest same_shape same_two same_zero
search_below search_heaps search_up_to see_copies see_heaps see_shapes set_of set_of_has settle settle_shape
settled_by_element shape_is shape_possible shrinks simply singles singles_are size_nat_is small_numbers smaller
smaller_of solved solves some_asked some_counted some_heap some_heap_or_none some_heap_there some_heaps some_is
some_largest some_least some_move some_number some_of_range some_option some_split some_tested sort_line sorted
sorted_ascending sorted_ascends sorted_if_ascending sorted_is sorted_length sorted_order split_avoided split_avoids
split_checked split_fewer split_heap split_heap_value_is split_loses split_mex split_move split_move_same split_not_both
split_ok split_one split_reached split_reaches split_repeats split_stuck_wins split_sum_wins split_sums split_total
split_two split_value split_value_unique split_values split_values_of_sums split_wins split_wins_sum split_zero
splitting splitting_by_folds splitting_given splitting_step splitting_values splitting_won stated_use stays_in_region
stays_inside step step_floordiv step_heap step_measure step_mod step_of_game step_of_splitting step_rising step_same
steps_in_line stuck_first stuck_wins sum_cons sum_of_digits sum_of_one sum_over sums_are swaps_of_game swaps_of_rules
swaps_of_splitting table_of_all_but table_of_quotient table_of_splits table_of_unsplit table_of_values table_of_winners
table_of_wins take_apart taken_values takes takes_in takes_ok tell_both tell_new tell_nothing tell_one test tested_and
tested_eq tested_false tested_iff tested_le tested_list tested_lt tested_no tested_or tested_player tested_then
tested_true times times_beside times_cons times_of_largest times_of_largest_cons times_of_largest_same times_same told
told_more told_ok top_bit top_bit_of top_bit_of_some top_difference top_place top_value top_value_is total total_app
total_cons total_heaps total_is total_same tree tru_equal tru_less try_numbers two_heaps unsplit_move unsplit_wins up_to
up_to_in up_to_says use_values val_add val_lit val_max val_min val_pick valuation valuation_below valuation_by_fuel
valuation_step value value_back value_from value_is_defined value_known value_of_0 value_of_digits value_of_game
value_of_heap value_of_heap_is value_of_splitting value_of_sum value_ok value_right value_same value_unique
value_written value_written_of values values_below values_found values_found_in values_of_sums values_ok values_right
views views_agree views_set which_order win_of win_right winner winner_by_formula winner_exists winner_of winner_of_game
winner_right winner_same winner_unique wins wins_by_option wins_by_value wins_decided wins_loses_same wins_normal
wins_of_any wins_of_first wins_of_game wins_of_splitting wins_once wins_same wins_sum with_divisions with_values
with_winner within_last without_branches without_last_digit won_by_folds written_digits written_heaps written_values
"""
"""All names in coq/theory: definitions, constructors, fields, lemmas, tactics. A test compares them with the files."""

TEXT = """
Statement claimed defined mover well_defined
"""
"""Names that the generator declares around a statement, or binds inside it."""

PROOF = """
P Q R h t y m o p x claim facts lost see forget cons
"""
"""Names bound in the lemmas of a proof. In a statement, only bound variables may have these names."""

GLOBAL = frozenset((KEYWORDS + PRELUDE + THEORY + TEXT).split())
RESERVED = GLOBAL | frozenset(PROOF.split())


# -- writing ----------------------------------------------------------------------------------------------------------
# Precedence levels of Coq's notations, as in Coq: smaller levels bind more tightly.
APPLICATION, POWER, PRODUCT, NIM, SUM, CONCAT, COMPARISON = 10, 30, 40, 45, 50, 60, 70
NOT, AND, OR, IFF, ARROW, BINDER = 75, 80, 85, 95, 99, 200


@dataclass(frozen=True)
class Text:
    """A piece of Coq text.

    `level`: the precedence level of its outermost operator in Coq. Operators with smaller levels bind more tightly. A
    text of level 0 never needs parentheses.
    """

    text: str
    level: int = 0

    def at(self, level: int) -> str:
        """Return the text for a place that allows operators up to this level: in parentheses if its level is higher."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def argument(self) -> str:
        """The text as an argument of a function, in parentheses if necessary."""
        return self.at(APPLICATION - 1)


def apply(function: str, *args: Text) -> Text:
    """Return the Coq text of a function applied to arguments: `f (a + b)`. Without arguments: `f`."""
    return Text(" ".join((function, *(x.argument for x in args))), APPLICATION) if args else Text(function)


def infix(left: Text, sign: str, right: Text, level: int, groups: str = "") -> Text:
    """Return the Coq text of a binary operation, with parentheses around operands where necessary.

    `sign`, `level`: the operator and its precedence level.
    `groups`: "left" if `a - b - c` means `(a - b) - c`, "right" if it means `a - (b - c)`, "" if it is not allowed.
    """
    before, after = level - (groups != "left"), level - (groups != "right")
    return Text(f"{left.at(before)} {sign} {right.at(after)}", level)


def join_texts(parts: Iterable[Text], sign: str, level: int, none: str, groups: str) -> Text:
    """Return several parts joined by an operator, as in `a + b + c`. `none`: the text if there are no parts.

    `sign`, `level`, `groups`: as in `infix`.
    """
    found = tuple(parts)
    if not found:
        return Text(none)
    if groups == "left":
        made = found[0]
        for x in found[1:]:
            made = infix(made, sign, x, level, groups)
        return made
    made = found[-1]
    for x in reversed(found[:-1]):
        made = infix(x, sign, made, level, groups)
    return made


def name_in_coq(name: str, taken: Iterable[str] = (), reserved: frozenset[str] = RESERVED) -> str:
    """Return a Coq identifier for a name in a claim file. It is neither in `reserved` nor in `taken`.

    To get distinct identifiers for several names, pass the earlier results as `taken`.

    >>> name_in_coq("kl-nim"), name_in_coq("h"), name_in_coq("c", ["c"]), name_in_coq("least")
    ('kl_nim', 'h_', 'c_', 'least_')
    >>> name_in_coq("x : True"), name_in_coq("2.é")
    ('xu20u3au20True', '_2_ue9')
    """
    found = "".join("_" if c in "-._" else c if c.isascii() and c.isalnum() else f"u{ord(c):x}" for c in name)
    if not found or found[0].isdigit():
        found = f"_{found}"
    used = reserved.union(taken)
    while found in used:
        found += "_"
    return found


def module_of(id: str) -> str:
    """Return the Coq module of a claim's file, relative to the folder of all generated files.

    >>> module_of("kl-nim/theorem-14")
    'kl_nim.theorem_14'
    """
    return ".".join(name_in_coq(part) for part in id.split("/"))


def comment(text: str) -> str:
    r"""Return the text as a Coq comment. The text cannot close the comment.

    Invisible characters are escaped, so that they can neither hide nor reorder text.
    >>> comment("a *) Axiom b. (* \u202e")
    '(* a * ) Axiom b. ( * \\u202e *)'
    """
    shown = escape_invisible(" ".join(text.split()))
    return f"(* {shown.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"
