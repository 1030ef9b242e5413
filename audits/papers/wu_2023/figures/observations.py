"""What the text says that Figures 1 and 2 of Wu et al. 2023 show (Appendix A.2), as comparisons of final regrets."""

from collections.abc import Mapping
from itertools import pairwise, product

from banditproof.audits.experiments.experiment import Outcome, RequiredFraction, compared, distances_to_median
from banditproof.audits.papers.wu_2023.figures.runs import ALPHAS, EPSILONS
from banditproof.interaction import Floats

PRIVATE = ("PRAE-R", "PRAE-C")
MISSING = (
    "the constants of all four algorithms (and how they were chosen), alpha_1, D, the scaling of rewards, the outliers' variance, "
    "the order of the arms, which kind the error bars are"
)

Final = Mapping[tuple[float, float, str], Floats]  # alpha, epsilon, algorithm -> final regret (R,)


def outcomes(final: Final) -> tuple[Outcome, ...]:
    """What the paper reports of a figure. Equal regrets speak against each of these claims, which are strict.

    ii-b reads "only slightly affected" beside "DPRSE diverges": from alpha = 2 % to 10 %, PRAE's regret grows by less than DPRSE's does.
    iii compares distances from the median, which is estimated: that sign test is approximate.
    """
    places, first, last = tuple(product(ALPHAS, EPSILONS)), ALPHAS[0], ALPHAS[-1]

    def named(*words: object) -> str:
        return ", ".join(str(word) for word in words)

    below = tuple(
        compared(named(f"{ours} < DPRSE", alpha, epsilon), final[alpha, epsilon, ours], final[alpha, epsilon, "DPRSE"])
        for ours in PRIVATE
        for alpha, epsilon in places
    )
    diverges = tuple(
        compared(named(f"DPRSE: alpha {first} < {last}", epsilon), final[first, epsilon, "DPRSE"], final[last, epsilon, "DPRSE"])
        for epsilon in EPSILONS
    )
    growth = {
        (epsilon, each): final[last, epsilon, each] - final[first, epsilon, each] for epsilon in EPSILONS for each in (*PRIVATE, "DPRSE")
    }
    slightly = tuple(
        compared(named(f"growth of {ours} < of DPRSE", epsilon), growth[epsilon, ours], growth[epsilon, "DPRSE"])
        for ours in PRIVATE
        for epsilon in EPSILONS
    )
    bars = {
        other: tuple(
            compared(
                named(f"distance from the median, {ours} < {other}", alpha, epsilon),
                distances_to_median(final[alpha, epsilon, ours]),
                distances_to_median(final[alpha, epsilon, other]),
            )
            for ours in PRIVATE
            for alpha, epsilon in places
        )
        for other in ("DPRSE", "RUCB")
    }
    lowest = tuple(
        compared(named(f"RUCB < {other}", alpha, epsilon), final[alpha, epsilon, "RUCB"], final[alpha, epsilon, other])
        for other in (*PRIVATE, "DPRSE")
        for alpha, epsilon in places
    )
    in_epsilon = tuple(
        compared(named(f"{ours}: epsilon {more} < {less}", alpha), final[alpha, more, ours], final[alpha, less, ours])
        for ours in PRIVATE
        for alpha in ALPHAS
        for less, more in pairwise(EPSILONS)
    )
    in_alpha = tuple(
        compared(named(f"{ours}: alpha {less} < {more}", epsilon), final[less, epsilon, ours], final[more, epsilon, ours])
        for ours in PRIVATE
        for epsilon in EPSILONS
        for less, more in pairwise(ALPHAS)
    )
    central = tuple(
        compared(named("PRAE-C < PRAE-R", alpha, epsilon), final[alpha, epsilon, "PRAE-C"], final[alpha, epsilon, "PRAE-R"])
        for alpha, epsilon in places
    )
    return (
        Outcome(
            "i",
            "PRAE-R and PRAE-C lie below DPRSE in all cases",
            below,
            quote="for all cases, PRAE-R and PRAE-C achieve smaller cumulative regret ... than DPRSE",
            missing=MISSING,
        ),
        Outcome(
            "ii-a",
            "DPRSE's regret grows with alpha",
            diverges,
            quote="when the Huber parameter alpha increases, DPRSE diverges to a larger regret",
            missing=MISSING,
        ),
        Outcome(
            "ii-b",
            "PRAE's regret grows by less with alpha than DPRSE's",
            slightly,
            quote="while PRAE-R and PRAE-C are only slightly affected",
            missing=f"how much is slight; {MISSING}",
        ),
        Outcome(
            "iii-a",
            "PRAE has smaller error bars than DPRSE",
            bars["DPRSE"],
            quote="PRAE-R and PRAE-C have smaller variance compared with ... the private baseline",
            missing=MISSING,
        ),
        Outcome(
            "iii-b",
            "PRAE has smaller error bars than RUCB",
            bars["RUCB"],
            quote="smaller variance compared with ... robust baseline; although RUCB ..., PRAE-R and PRAE-C are more stable",
            missing=MISSING,
        ),
        Outcome(
            "iv",
            "RUCB has the lowest regret in all settings",
            lowest,
            quote="RUCB provides lower bounds on the performance with privacy for all the settings",
            missing=MISSING,
        ),
        Outcome(
            "v-a",
            "PRAE's regret grows as epsilon falls",
            in_epsilon,
            quote="for both PRAE-R and PRAE-C ... when epsilon is smaller ... the regret will increase",
            missing=MISSING,
        ),
        Outcome(
            "v-b",
            "PRAE's regret grows as alpha rises",
            in_alpha,
            quote="for both PRAE-R and PRAE-C ... when ... alpha is larger, the regret will increase",
            missing=MISSING,
        ),
        Outcome(
            "vi",
            "PRAE-C lies below PRAE-R in most cases",
            central,
            RequiredFraction.MOST,
            quote="compared with PRAE-R, we can see that the regret of PRAE-C is lower in most cases",
            missing=MISSING,
        ),
    )
