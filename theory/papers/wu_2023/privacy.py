r"""Where the privacy of Wu et al. 2023 sits: two releases, Laplace noise, each reward in one of them (Definitions 3.4, 3.5; sections 5, 6).

Main statements
    TRUNCATED_MEAN_SENSITIVITY, TRUNCATED_MEAN_SCALE   Algorithm 2: replacing one of n rewards, each cut to 0 beyond M
    HISTOGRAM_SENSITIVITY, HISTOGRAM_SCALE             Algorithm 3, first fold: the vector of bin frequencies
    PRIVACY_RAW, PRIVACY_CENTRAL                       the privacy halves of Theorems 6.2, 6.10 and 6.12
    PRIVATE_DIVERGENCE                                 Lemma C.1: how far two problems' arm sequences can be apart

Implementation notes
    What carries a whole run is the adaptive form of parallel composition (finding privacy_of_a_run;
    inequalities.adaptive_parallel_composition): which call of the estimator a round's reward enters depends on the round and on earlier
    noisy outputs. Two folds of one batch are disjoint too, so Algorithm 3 spends epsilon once.
    Appendix B restates post-processing (B.1), parallel composition (B.2), Markov (B.3, B.4), the Laplace tail (B.5), Hoeffding (B.6),
    Hölder (B.7) and Bernstein (B.8): theory/inequalities.py has them.
"""

from dataclasses import replace

from banditproof.glossary import (
    DIVERGENCE,
    EPSILON,
    FOLD_SAMPLES,
    FOLDS,
    REQUIRED_SCALE,
    SAMPLES,
    SENSITIVITY,
    TOTAL_EPSILON,
    TOTAL_VARIATION,
    TRUNCATION,
)
from banditproof.glossary.wu_2023 import EXPECTED_PULLS
from banditproof.theory.hypotheses import (
    fresh_laplace_noise,
    one_entry_differs,
    parts_by_position,
    plays_prae_central,
    plays_prae_raw,
    private_policy,
    real_arithmetic,
)
from banditproof.theory.language import Bound, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023.findings import lower_bound as lower_bound_findings
from banditproof.theory.papers.wu_2023.findings import setting as findings
from banditproof.theory.papers.wu_2023.setting import source

_in_one_release = replace(parts_by_position, added="privacy_of_a_run")
_n, _fold, _epsilon, _m = symbol(SAMPLES), symbol(FOLD_SAMPLES), symbol(EPSILON), symbol(TRUNCATION)

TRUNCATED_MEAN_SENSITIVITY = Theorem(
    id="wu_2023.truncated_mean_sensitivity",
    statement="Replacing one of n rewards changes the mean of the rewards cut to 0 beyond M by at most `sensitivity`; replacing M by -M "
    "changes it by exactly this.",
    source=source("Algorithm 2, line 5: the noise at the Laplace mechanism's scale"),
    hypotheses=(one_entry_differs,),
    bound=Bound(of=SENSITIVITY, sense=Sense.AT_MOST, cases=always(2 * _m / _n), given=(SAMPLES, TRUNCATION)),
)

TRUNCATED_MEAN_SCALE = Theorem(
    id="wu_2023.truncated_mean_scale",
    statement="The scale of the Laplace noise on a truncated mean.",
    source=source("Algorithm 2, line 5, and Algorithm 3, line 7 (n then one fold)"),
    bound=Bound(of=REQUIRED_SCALE, sense=Sense.EQUALS, cases=always(2 * _m / (_n * _epsilon)), given=(SAMPLES, TRUNCATION, EPSILON)),
)

HISTOGRAM_SENSITIVITY = Theorem(
    id="wu_2023.histogram_sensitivity",
    statement="Replacing one of n rewards changes the vector of bin frequencies by at most `sensitivity` in the L1 norm.",
    source=source("Algorithm 3, line 4: the noise at the Laplace mechanism's scale"),
    hypotheses=(one_entry_differs,),
    bound=Bound(of=SENSITIVITY, sense=Sense.AT_MOST, cases=always(2 / _fold), given=(FOLD_SAMPLES,)),
)

HISTOGRAM_SCALE = Theorem(
    id="wu_2023.histogram_scale",
    statement="The scale of the Laplace noise on each bin frequency.",
    source=source("Algorithm 3, line 4"),
    bound=Bound(of=REQUIRED_SCALE, sense=Sense.EQUALS, cases=always(2 / (_fold * _epsilon)), given=(FOLD_SAMPLES, EPSILON)),
)

PRIVACY_RAW = Theorem(
    id="wu_2023.privacy_raw",
    statement="The arms that private elimination with truncated means plays are epsilon-differentially private in the list of rewards.",
    source=source("Theorem 6.2, 'Algorithm 1 is epsilon-DP'; Remark 6.3"),
    hypotheses=(one_entry_differs, plays_prae_raw, _in_one_release, fresh_laplace_noise, real_arithmetic),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
    steps=(
        Step(  # what Definition 3.5 and Lemma B.1 give for several releases, each of epsilon, against what is concluded from them
            id="releases_add_up",
            sense=Sense.AT_MOST,
            left=symbol(FOLDS) * _epsilon,
            right=_epsilon,
            draw_order=(FOLDS, EPSILON),
        ),
    ),
    findings=(findings.PRIVACY_OF_A_RUN,),
)

PRIVACY_CENTRAL = Theorem(
    id="wu_2023.privacy_central",
    statement="The arms that private elimination with two-fold histogram estimates plays are epsilon-differentially private in the list of "
    "rewards.",
    source=source("Theorems 6.10 and 6.12, 'Algorithm 1 is epsilon-DP'"),
    hypotheses=(one_entry_differs, plays_prae_central, _in_one_release, fresh_laplace_noise, real_arithmetic),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
)

PRIVATE_DIVERGENCE = Theorem(
    id="wu_2023.private_divergence",
    statement="The divergence of the distributions of a private policy's arms in two problems that differ in one arm's reward "
    "distribution; pulls are that "
    "arm's expected ones in the first.",
    source=source("Lemma C.1 for problems that differ in one arm, as the proof of Theorem 4.1 uses it, Appendix C"),
    hypotheses=(private_policy,),
    bound=Bound(
        of=DIVERGENCE,
        sense=Sense.AT_MOST,
        cases=always(6 * _epsilon * symbol(EXPECTED_PULLS) * symbol(TOTAL_VARIATION)),
        given=(EPSILON, EXPECTED_PULLS, TOTAL_VARIATION),
    ),
    findings=(lower_bound_findings.DIVERGENCE_FACTOR,),
)
