r"""Appendix A of Wu et al. 2023, sentence by sentence: the rewards and outliers of Figures 1 and 2, and what the text says that they show.

Main statements
    ARM_MEANS, EXPERIMENT_FAILURE                     A.1: the means; delta
    PARETO_MEAN, PARETO_VARIANCE, STUDENT_VARIANCE    A.1: what the two reward distributions are
    CONTAMINATED_MEANS, TWO_DISTRIBUTIONS             A.1: what the outliers do; how the two distributions differ
    SMALLER_REGRET to CORROBORATION                   A.2: the outcomes and the reasons that are given for them

Outcomes need runs: they are judged by the experiments wu_2023.figure1 and wu_2023.figure2, and what the text leaves open there is in the
findings. Reasons are judged here where arithmetic decides them. k = 2 throughout: Student's distribution with 2.0017 degrees of freedom
has no higher whole moment.
"""

from sympy import Ge, Integer, Le, Rational, log

from banditproof.glossary import ARMS, BIN_WIDTH, CONTAMINATION, FAILURE, HORIZON, MOMENT, RATIO
from banditproof.glossary.wu_2023 import (
    ARM_INDEX,
    ARM_MEAN,
    LEAST_VALUE,
    REWARD_DEVIATION,
    REWARD_MEAN,
    SECOND_CENTRAL_MOMENT,
    SHAPE,
    TAIL_DEGREES,
)
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023.findings import experiments as findings
from banditproof.theory.papers.wu_2023.setting import source

_arm, _arms, _mean, _alpha, _horizon = symbol(ARM_INDEX), symbol(ARMS), symbol(ARM_MEAN), symbol(CONTAMINATION), symbol(HORIZON)
_shape, _least, _degrees, _r, _sigma = symbol(SHAPE), symbol(LEAST_VALUE), symbol(TAIL_DEGREES), symbol(BIN_WIDTH), symbol(REWARD_DEVIATION)
_k, _x = symbol(MOMENT), symbol(RATIO)
_RUNS = "it says what the figures show: wu_2023.figure1 and wu_2023.figure2 play it"

# --- A.1: the setup -----------------------------------------------------------------------------------------------------------------------

an_arm_of_them = Hypothesis("an_arm_of_them", "a <= K, and K >= 2", Checked.BY_VALUE, Le(_arm, _arms) & Ge(_arms, 2))

ARM_MEANS = Theorem(
    id="wu_2023.arm_means",
    statement="The means of the arms: 100 for the best, 0 for the worst, a spacing of 10 for 11 arms.",
    source=source("Appendix A.1, 'for each arm'"),
    hypotheses=(an_arm_of_them,),
    bound=Bound(of=ARM_MEAN, sense=Sense.EQUALS, cases=always(100 - 100 * (_arm - 1) / (_arms - 1)), given=(ARM_INDEX, ARMS)),
    findings=(findings.MISPRINTS_OF_THE_SETUP, findings.UNSTATED_PARAMETERS),
)

EXPERIMENT_FAILURE = Theorem(
    id="wu_2023.experiment_failure",
    statement="The failure probability in the experiments is the inverse of the number of rounds.",
    source=source("Appendix A.1, last paragraph"),
    bound=Bound(of=FAILURE, sense=Sense.EQUALS, cases=always(1 / _horizon), given=(HORIZON,)),
)

PARETO_MEAN = Theorem(
    id="wu_2023.pareto_mean",
    statement="The mean of mu_a + eta - 5/2, eta of a Pareto distribution: the reward of an arm of Figure 1.",
    source=source("Appendix A.1, 'Pareto distribution'"),
    bound=Bound(
        of=REWARD_MEAN,
        sense=Sense.EQUALS,
        cases=always(_mean + _shape * _least / (_shape - 1) - Rational(5, 2)),
        given=(ARM_MEAN, SHAPE, LEAST_VALUE),
    ),
    published=Bound(of=REWARD_MEAN, sense=Sense.EQUALS, cases=always(_mean), given=(ARM_MEAN, SHAPE, LEAST_VALUE)),
    findings=(findings.PARETO_MEAN,),
)

PARETO_VARIANCE = Theorem(
    id="wu_2023.pareto_variance",
    statement="The second central moment of the rewards of Figure 1.",
    source=source("Appendix A.1, 'finite second central moment of 35'"),
    bound=Bound(
        of=SECOND_CENTRAL_MOMENT,
        sense=Sense.EQUALS,
        cases=always(_shape * _least**2 / ((_shape - 1) ** 2 * (_shape - 2))),
        given=(SHAPE, LEAST_VALUE),
    ),
    published=Bound(of=SECOND_CENTRAL_MOMENT, sense=Sense.EQUALS, cases=always(35), given=(SHAPE, LEAST_VALUE)),
    findings=(findings.SECOND_MOMENT_OF_35,),
)

STUDENT_VARIANCE = Theorem(
    id="wu_2023.student_variance",
    statement="The second central moment of the rewards of Figure 2. (Printed as 35, as that of Figure 1.)",
    source=source("[assembled] Appendix A.1, 'finite second central moment of 35', for Student's distribution"),
    bound=Bound(of=SECOND_CENTRAL_MOMENT, sense=Sense.EQUALS, cases=always(_degrees / (_degrees - 2)), given=(TAIL_DEGREES,)),
)

TWO_DISTRIBUTIONS = Theorem(
    id="wu_2023.two_distributions",
    statement="Student's distribution is symmetric, the Pareto distribution is one-sided, and that is their main difference.",
    source=source("Appendix A.1, 'The main difference'"),
    not_checkable="it says which difference is the main one",
    findings=(findings.NOISE_LEVELS,),
)

CONTAMINATED_MEANS = Theorem(
    id="wu_2023.contaminated_means",
    statement="Outliers of mean 0 lower the best arm's mean, and outliers of mean 100 raise those of the others.",
    source=source("Appendix A.1, 'This way'"),
    not_checkable="it says in which direction means move; the two directions are the steps",
    steps=(
        Step(
            id="best_arm_lowered",
            sense=Sense.AT_MOST,
            left=(1 - _alpha) * _mean + _alpha * 0,
            right=_mean,
            draw_order=(CONTAMINATION, ARM_MEAN),
        ),
        Step(  # for arms of mean 100 or less, as the text says that they are
            id="others_raised",
            sense=Sense.AT_LEAST,
            left=(1 - _alpha) * _mean + 100 * _alpha,
            right=_mean,
            draw_order=(CONTAMINATION, ARM_MEAN),
        ),
        Step(  # arm 1, of mean 100 and outliers of mean 0, against arm 2, of mean 90 and outliers of mean 100
            id="ranking_lost",
            sense=Sense.AT_MOST,
            left=100 * (1 - _alpha),
            right=90 * (1 - _alpha) + 100 * _alpha,
            draw_order=(CONTAMINATION,),
            domain=(Ge(_alpha, Rational(1, 11)),),
            reason="below 1/11 the best arm still has the largest mean",
            ours=True,
        ),
    ),
    findings=(findings.RANKING_LOST,),
)

# --- A.2: outcomes, and reasons -----------------------------------------------------------------------------------------------------------

SMALLER_REGRET = Theorem(
    id="wu_2023.smaller_regret",
    statement="PRAE-R and PRAE-C have less regret than DPRSE in all cases.",
    source=source("Appendix A.2, first observation"),
    not_checkable=_RUNS,
    findings=(findings.SMALLER_REGRET,),
)

EFFECT_OF_CONTAMINATION = Theorem(
    id="wu_2023.effect_of_contamination",
    statement="DPRSE's regret grows with alpha, that of PRAE-R and PRAE-C only slightly.",
    source=source("Appendix A.2, first observation, 'In particular'"),
    not_checkable=_RUNS,
    findings=(findings.EFFECT_OF_CONTAMINATION,),
)

TRUNCATION_AS_REASON = Theorem(
    id="wu_2023.truncation_as_reason",
    statement="The truncation of PRAE keeps outliers out, where DPRSE's lets more of them in.",
    source=source("Appendix A.2, first observation, 'This is because'"),
    not_checkable="it explains an outcome; what the thresholds do to the outliers of A.1 is in the steps",
    steps=(
        Step(  # PRAE-C, in the unit of the rewards: M >= 4 r sigma, and an outlier at most 100 from the mean, J at most 2 r sigma from it
            id="outliers_kept",
            sense=Sense.AT_LEAST,
            left=4 * _r * _sigma,
            right=100 + 2 * _r * _sigma,
            draw_order=(BIN_WIDTH, REWARD_DEVIATION),
            domain=(Ge(_r, 2), Ge(_sigma, 34)),
            ours=True,
        ),
        Step(  # PRAE-R, over the scale that brings the second moment to 1, where contamination binds: k = 2, x = alpha_1, scale >= 100
            id="outliers_kept_about_zero",
            sense=Sense.AT_LEAST,
            left=(8 * _alpha) ** Rational(-1, 2) * 100,
            right=Integer(100),
            draw_order=(CONTAMINATION,),
            domain=(Le(_alpha, Rational(1, 10)),),
            reason="the three levels of contamination are at most 1/10; from 1/8 on the threshold is below the scale",
            ours=True,
        ),
    ),
    findings=(findings.TRUNCATION_AS_REASON,),
)

SMALLER_VARIANCE = Theorem(
    id="wu_2023.smaller_variance",
    statement="PRAE-R and PRAE-C have smaller error bars than DPRSE and RUCB under both distributions.",
    source=source("Appendix A.2, second observation; captions of Figures 1 and 2"),
    not_checkable=_RUNS,
    findings=(findings.SMALLER_VARIANCE, findings.CAPTIONS),
)

LEAST_REGRET_OF_RUCB = Theorem(
    id="wu_2023.least_regret_of_rucb",
    statement="RUCB, which is not private, has the least regret in all settings, as it estimates by medians.",
    source=source("Appendix A.2, second observation, 'although RUCB'"),
    not_checkable=_RUNS,
    findings=(findings.MEDIAN_AS_REASON,),
)

REGRET_GROWS = Theorem(
    id="wu_2023.regret_grows",
    statement="The regret of PRAE-R and PRAE-C grows as epsilon falls and as alpha grows.",
    source=source("Appendix A.2, third observation"),
    not_checkable=_RUNS,
    findings=(findings.REGRET_GROWS,),
)

PROPORTIONAL_BOUND = Theorem(
    id="wu_2023.proportional_bound",
    statement="The regret bounds are proportional to 1/epsilon and to alpha when T is large.",
    source=source("Appendix A.2, third observation, 'consistent with the fact'"),
    not_checkable="it describes the printed bounds; the term of each of the two quantities is the step",
    steps=(
        Step(
            id="proportional",
            sense=Sense.EQUALS,
            left=_x ** (1 - 1 / _k),
            right=_x,
            draw_order=(MOMENT, RATIO),
            note="the terms in 1/epsilon and in alpha_1 when 1/epsilon or alpha_1 becomes ratio times as large",
        ),
        Step(
            id="privacy_vanishes",
            sense=Sense.AT_MOST,
            left=(_arms * log(_horizon) * _x) ** (1 - 1 / _k) * _horizon ** (1 / _k),
            right=_horizon * _alpha ** (1 - 1 / _k),
            draw_order=(MOMENT, ARMS, CONTAMINATION, RATIO, HORIZON),
            domain=(Ge(_horizon * _alpha, _arms * log(_horizon) * _x),),
            ours=True,
            note="the term of privacy beside that of contamination, once T is large: ratio = 1/epsilon",
        ),
    ),
    findings=(findings.PROPORTIONAL_BOUND,),
)

CENTRAL_IS_LOWER = Theorem(
    id="wu_2023.central_is_lower",
    statement="PRAE-C has less regret than PRAE-R in most cases.",
    source=source("Appendix A.2, third observation, 'Moreover'"),
    not_checkable=_RUNS,
    findings=(findings.CENTRAL_IS_LOWER,),
)

RANGE_AS_REASON = Theorem(
    id="wu_2023.range_as_reason",
    statement="PRAE-C is better since it knows the range D of the means, which could give a tighter bound.",
    source=source("Appendix A.2, third observation, 'This is due to'"),
    not_checkable="it explains an outcome; the bounds are regret_raw_explicit and regret_central_explicit",
    findings=(findings.RANGE_AS_REASON,),
)

CORROBORATION = Theorem(
    id="wu_2023.corroboration",
    statement="All results corroborate the analysis.",
    source=source("Appendix A.2, last sentence; section 1, (ii)"),
    not_checkable="it sums up; where the analysed parameters begin to eliminate arms is audited",
    findings=(findings.CORROBORATION,),
)
