"""Terms as a reader is shown them: presentation MathML, formulas that wrap on a phone, words where good ones are known.

`markup` writes elements, `names` names, `mathml` whole terms; how an operation looks is part of its row
(`builtins.notations`).  `flowing` breaks a formula at its connectives; `words` puts conditions of proofs into English.
"""
