"""Mutation testing of `algorithms/`: which one-line mistakes `verify` notices, and by which audit.

    make mutants ARGS="--only 'algorithms/mechanisms/*.py' --paper ldp_linucb_2024 --count 40 --minutes 30"

A mutant is one edit of one line that computes, drawn by a seed. It is planted into a copy of the tree, and the audits that reach the line
are run, those of behaviour before those that compare formulas, the cheapest first, until one refutes what it does not refute in the tree
as it is. What came out is written to docs/evidence/mutants.json when a mutant is finished, and docs/reference/mutants.md is made from it.

    edits        where a mistake can be made in a source, and what is written there
    operators    the mistakes, one function per kind
    drawing      the mutants of a seed
    reach        which lines an audit runs
    worker       a process that runs audits in a copy of the tree
    trees        the copies, and the compiled kernels of each
    baseline     verdict, seconds and lines of every audit in the tree as it is
    judge        a mutant's fate
    record       the evidence
    page         docs/reference/mutants.md

No mutation tool of others is used. mutmut 3.8 and cosmic-ray 8.7 are maintained; mutatest 3.1 needs coverage < 6. They find numbers,
operators and keywords, and lack most of the kinds here (reused noise, clipping after the noise, a log's argument, swapped arguments), and
they run pytest: mutmut needs libcst, textual and coverage, cosmic-ray sqlalchemy, aiohttp and gitpython. What would be left of either is
the walk over a syntax tree, which is `ast` in the standard library: its positions say which characters to replace, so that the rest
of the file keeps its form, and tracebacks their line numbers.
"""
