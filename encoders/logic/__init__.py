"""The logic that all methods of proof share.

An obligation (a statement that a proof must show) is a *sequent*: variables, premises and a conclusion. This package
builds sequents from claims, translates them for solvers, checks certificates of them, and defines the results.
"""
