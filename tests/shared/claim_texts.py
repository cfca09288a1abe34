"""Parts of claim and ruleset files that do not matter for most tests: the first keys, and the game Nim."""

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'
RULES = 'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "loses"\n'
NIM = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
NIM_FILE = f'format = 1\ntitle = "T"\nplayers = ["P1", "P2"]\nstuck = "loses"\n\n{NIM}'
