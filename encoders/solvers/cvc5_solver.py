"""The solver cvc5 (https://cvc5.github.io), which receives SMT-LIB scripts.

It is optional: pip install 'cvc5>=1.2'.
"""

from __future__ import annotations

from encoders.logic.sequents import Sequent
from encoders.logic.smt import Script, script_of
from encoders.solvers.solver import Capability, Limits, NotInstalled, SolverResult, SolverStatus, report_unsatisfiable

NAME = "cvc5"
SECONDS = 20.0  # the limit for one query, unless less time is left


class Cvc5:
    """The solver cvc5. Its limit is a time, because cvc5 has no limit of steps that all machines reproduce."""

    name = NAME
    capabilities = frozenset({Capability.WORDS, Capability.INTEGERS})

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        return self.check_script(script_of(sequent), limits)

    def check_script(self, script: Script, limits: Limits) -> SolverResult:
        answer = ask(script.text + "(check-sat)\n", limits)
        match answer:
            case "unsat":
                return report_unsatisfiable(NAME, script, limits)
            case "sat":
                return SolverResult(NAME, SolverStatus.FAILS, limits)
        return SolverResult(NAME, SolverStatus.UNKNOWN, limits, reason=answer or "no answer")

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> None:
        """Return None, because cvc5 is not used to find the premises that a proof uses."""


def ask(text: str, limits: Limits) -> str:
    """Run cvc5 on a script, and return its output, such as "unsat".

    If cvc5 cannot read the script, the result is the error message. Raises NotInstalled.
    """
    try:
        import cvc5
    except ImportError:
        raise NotInstalled("cvc5 is not installed; install it with pip install 'cvc5>=1.2'") from None
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setLogic("ALL")
    solver.setOption("tlimit-per", str(int(1000 * min(SECONDS, limits.seconds or SECONDS))))
    symbols = cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    answer = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            answer += str(command.invoke(solver, symbols))
    except RuntimeError as error:  # a syntax error, or an unsupported command
        return f"cannot read the query: {error}"
    return answer.strip()
