"""What was found about sentences of the introduction, the related work and section 3 beside the theorems."""

from banditproof.theory.findings import Finding, Grade, Reach

COVERING_OF_INFINITE_SETS = Finding(
    name="covering_of_infinite_sets",
    grade=Grade.LOOSE,
    reach=Reach.ORDER,
    title="With infinitely many actions the rate sqrt(d T) becomes d sqrt(T): log K is not a logarithm there",
    place="Section 1.1, after (1); Theorem 1.3",
    sentence="Our assumption that |A| <= K is without loss of generality, since our results extend to the infinite case by a standard "
    "covering argument",
    literal=(
        "The failure probability is of the order delta'/(K T^2), so that log(1/delta) contains log K, which the O~ of Theorem 1.3 hides. A "
        "cover of a ball at a scale that does not matter for T rounds has log K of the order d log T: the first term is then of the order "
        "d sqrt(T log T), and the others grow as well. The rate sqrt(d T) of Theorem 1.3 does not hold for such sets."
    ),
    charitable="The argument does extend to them, with another rate; with K fixed, or a power of T, log K is a logarithm.",
    counterexample="d = 100, T = 10^6: sqrt(T d log T) is 3.7 10^4, and with log K = d log T it is 3.7 10^5.",
    consequence="A factor sqrt(d) in the first term for infinite sets, also of the terms with corruption and with epsilon.",
    stands="All bounds with log(K T/delta') in them, for every finite K.",
    instead="sqrt(T d log(K T/delta')) for K actions, and d sqrt(T log T) for infinitely many.",
)

NORM_BY_THE_LARGEST = Finding(
    name="norm_by_the_largest",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="The norm of the reports is bounded by the largest of them, at the price of log(n/delta)/epsilon",
    place="Lemma 3.3, (18), and Lemma 3.8, (23)",
    sentence="|y| <= sqrt(n) (1 + sqrt(log(n/delta)) + 4 log(n/delta)/epsilon)",
    literal=(
        "True, with a constant. But |y|^2/n is a mean of n independent squares, near its expectation of at most 2 + 8/epsilon^2 for noise "
        "of variance 1, and no logarithm is needed once n is of the order log(1/delta)^2."
    ),
    charitable="The lemma is correct as an upper bound, and O~ hides the difference.",
    counterexample="n = 10^4, delta = 10^-3: |y|/sqrt(n) is about 3.2 at epsilon = 1, against 69.5; without privacy 1.4 against 5.0.",
    consequence=(
        "A factor sqrt(log(T/delta)) + log(T/delta)/epsilon in the terms of the corruption, because of which Theorem 3.4 says nothing in "
        "the end for any constant corruption (see constant_fraction)."
    ),
    stands="Lemmas 3.3 and 3.8.",
    instead="|y| <= C sqrt(n) (1 + 1/epsilon) with probability 1 - delta, for n of the order log(1/delta)^2 or more.",
)

WEIGHTS_LEFT_OUT = Finding(
    name="weights_left_out",
    grade=Grade.LOOSE,
    reach=Reach.ORDER,
    title="The Gram matrix of the second model ignores the numbers of plays, which costs up to the factor 2 d",
    place="Lemma 3.7, (22) and (53)",
    sentence="max |a|^2 in the inverse of M is at most 2 d, since sum v v^T is at least sum pi(v) v v^T",
    literal=(
        "True. But sum v v^T is at least M(pi)/max pi(v). An optimal design has no weight above 1/d, and then the maximum is at most 1 in "
        "place of 2 d. Only an approximate design with large weights needs the factor."
    ),
    charitable="For an approximate design of Definition 1.6 it can be as large as d, so that the lemma is right up to 2.",
    counterexample="The unit vectors as actions, weights 1/d: M is the identity and the maximum is 1, against 2 d.",
    consequence=(
        "For such designs a factor sqrt(2 d) in the noise terms of (55), and so in d sqrt(T) and d/epsilon of Theorem 1.4, and 2 d in its "
        "corruption term."
    ),
    stands="(22).",
    instead="max |a|^2 <= 2 d max pi(v), or M = sum n_v v v^T.",
)

SPAN_OF_THE_ACTIVE = Finding(
    name="span_of_the_active",
    grade=Grade.MISSING_CONDITION,
    reach=Reach.LINE,
    title="Lines 4 to 8 need actions that span the space, which they cease to do as actions are eliminated",
    place="Definition 1.5, 'the optimal value of (6) is equal to d'; lines 4, 7 and 8 of Algorithm 1; Lemma 3.2",
    sentence=(
        "We now bound the term ||a||_{M^-1} for an arbitrary round of the arm elimination algorithm. ... max_a ||a||^2_{M^-1} <= 2d/n "
        "[line 7, (13) and B.1.4 have max_{a in A}]"
    ),
    literal=(
        "After elimination the design is one of the actions that are left. As soon as fewer than d are left M_n is singular, and lines 7 "
        "and 8, which have its inverse, are not defined. While they do span the space, (17) holds for the actions that are left and not "
        "for all of A, over which line 7 takes the maximum."
    ),
    charitable=(
        "Everything is meant in the span of the actions that are left, with maxima over them. Then all holds, with a smaller dimension. No "
        "sentence says so."
    ),
    counterexample=(
        "d = 2, the actions (1, 0) and (c, s) left with s^2 = 1/100, weights 1/2: n |e_2|^2 is 398 for the removed action e_2, against 4. "
        "With one action left there is no inverse."
    ),
    values=(("small", "1/100"),),
    step="actions_that_were_removed",
    consequence="As printed the algorithm stops with an error where it works best, once few actions are left; one sentence repairs it.",
    stands=(
        "Every statement under the charitable reading, which the toolkit has: designs and maxima over the active actions, in their span."
    ),
    instead="Project on the span of A_(i-1), and take maxima over A_(i-1).",
)

UNIT_CONSTANTS = Finding(
    name="unit_constants",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="The thresholds of line 9 have no constants, and need some",
    place="Line 9 of Algorithm 1; (48) and (50), 'by suitably adjusting constants'",
    sentence="Set the elimination threshold gamma_i = ...",
    literal=(
        "(48), (50) and (55) are up to constants, and line 9 has their right sides. With a constant of 1 the noise part of Lemma 3.1 fails "
        "with probability 0.032 at delta = 0.01 for normal noise."
    ),
    charitable="Constants are to be inserted; at delta of the order 1/(K T^2) a constant of 1 often does.",
    consequence="The algorithm cannot be run from the paper without a choice, and the intervals have no stated coverage.",
    stands="The orders.",
    instead=(
        "Constants as quantities, which the toolkit has, with 1 by default and explicit ones in the statements noise_sum_first_explicit "
        "and confidence_explicit."
    ),
)

FOCUS_OF_THE_PAPER = Finding(
    name="focus_of_the_paper",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The paper's models are local and intermediate, and section 1.2 says 'central'",
    place="Section 1.2, 'Differential privacy in linear bandits'",
    sentence="In the central DP model, which is the focus of this paper",
    literal="Section 1.1 and section 3 have clients who do not trust the server, and both headings of section 3 say 'local'.",
    charitable="Differential privacy in general is the focus.",
    consequence="Rates of the central model, quoted next, are not those to compare with.",
    stands="The quotations.",
    instead="'In the central DP model', and 'which is the focus of this paper' at the local model.",
)

EARLIER_WORK = Finding(
    name="earlier_work",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Three works on corruption are described as what they are not",
    place="Section 1.2, 'Robustness to adversarial attacks'",
    sentence=(
        "Lykouris et al. [2018] (and Gupta et al. [2019] in a follow-up work) study multi-armed bandits with adversarial scaling ... "
        "Letting Delta denote the gap between the highest and lowest expected rewards ... for unknown budgets, an additional C^2 factor "
        "appears in the regret bound."
    ),
    literal=(
        "Adversarial scaling is in a work of 2020 by the authors of the first; that of 2018 has rewards that an adversary alters within a "
        "budget, as Gupta et al. have. A regret of the order log(T)^2 for a Delta between highest and lowest is impossible: that gap may "
        "be constant while the two best actions are 1/sqrt(T) apart. And C^2 is a term of the regret, not a factor."
    ),
    charitable=(
        "One citation for another, 'lowest' for the second highest, 'factor' for term. The cited works were not consulted beyond the "
        "abstracts of the first two, and no exponent of the rate with Delta is legible in the scan."
    ),
    counterexample=(
        "The square with corners (+-1, +-1)/sqrt(2), theta* = (1/2, +-1/sqrt(T)): Delta is above 0.7. The sign takes of the order T "
        "rewards to learn, and a wrong sign costs sqrt(2/T) per round: regret of the order sqrt(T) for one of the two signs."
    ),
    consequence="None for the theorems. 'The corruption in this work differs from our setting' is true of both, for another reason.",
    stands="The rates, with the gap to the second best corner.",
    instead="Adversarial corruption within a budget in the first two; the gap between the two highest rewards; an additional term C^2.",
)

ORDER_OPTIMAL = Finding(
    name="order_optimal",
    grade=Grade.LOOSE,
    reach=Reach.LINE,
    title="'Order-optimal' is claimed for all parameters and shown for none with corruption",
    place="Section 1.2, at the end of the paragraph on differential privacy",
    sentence="our algorithm guarantees differential privacy and robustness to corrupted observations simultaneously and maintains an "
    "order-optimal regret bound",
    literal=(
        "The sentence follows the central rate sqrt(T log T) + log(T)^2/epsilon. The first model has sqrt(d T)/epsilon; the second has d "
        "sqrt(T) + d/epsilon, which is that rate up to d and logarithms. No lower bound is given for corruption, and section 4 leaves "
        "tightness in epsilon and d open for the second model. In alpha the term is of the order sqrt(alpha), where the median of normal "
        "reports has a bias of about 1.25 alpha."
    ),
    charitable=(
        "In T, without corruption, both models have sqrt(T) up to logarithms, which is optimal; the second model has the central rate in "
        "epsilon as well."
    ),
    counterexample=(
        "First model, T = 10^8, epsilon = 0.01, d = 5, without corruption and logarithms: sqrt(d T)(1 + 1/epsilon) is 2.3 10^6, and the "
        "central rate, with its logarithms, 7.7 10^4. Bias of the median at alpha = 0.01: 0.0127, against sqrt(alpha) = 0.1."
    ),
    consequence="An overclaim of the introduction.",
    stands="Optimality in T without corruption, up to logarithms, and in epsilon for the second model, against the central rate.",
    instead="'a regret of the order sqrt(T) up to logarithms without corruption'.",
)

RATE_OF_SHARIFF_AND_SHEFFET = Finding(
    name="rate_of_shariff_and_sheffet",
    grade=Grade.LOOSE,
    reach=Reach.ORDER,
    title="The rate of Shariff and Sheffet is quoted with 1/epsilon where they have 1/sqrt(epsilon)",
    place="Section 1.2, 'Differential privacy in linear bandits'",
    sentence="a private variant of the LinUCB algorithm with additive noise that achieves expected regret of O~(sqrt(T) + sqrt(T)/epsilon)",
    literal=(
        "Their bound has sqrt(T) d^(3/4)/sqrt(epsilon), which the quoted rate covers, as 1/sqrt(epsilon) <= 1 + 1/epsilon. Their lower "
        "bound of the order K log(T)/epsilon is for multi-armed bandits with fixed gaps, and has no sqrt(T); the two terms of the quoted "
        "one have different sources. The denominators are doubtful in the scan."
    ),
    charitable="Both quotations are true as bounds.",
    counterexample="epsilon = 0.01: 1/sqrt(epsilon) = 10, and 1 + 1/epsilon = 101.",
    consequence="The earlier work looks worse than it claims, by up to 1/sqrt(epsilon). Nothing in the paper depends on it.",
    stands="The theorems of the paper.",
    instead="sqrt(T)/sqrt(epsilon).",
)

UNIT_OF_PRIVACY = Finding(
    name="unit_of_privacy",
    grade=Grade.READING,
    reach=Reach.CONCLUSION,
    title="Privacy is that of one reward, and an owner of many rewards has less",
    place="Definition 1.1; Remark 1.2; section 3.2, 'Local differential privacy under (M2)'",
    sentence="for any two neighboring sequences of rewards R and R' where r_i != r'_i for at most one index i",
    literal=(
        "Local privacy in the usual sense protects all that a client sends. An owner of an action in the second model sends the mean of "
        "n_a rewards with noise of scale 2/(n_a epsilon): if all of them change from -1 to 1 the loss is n_a epsilon, 1000 epsilon for "
        "1000 rewards. A client who answers m times in the first model has m epsilon, which Remark 1.2 excludes by assumption."
    ),
    charitable="Definition 1.1 says which unit it is, and for that unit, with rewards in [-1, 1], both mechanisms are right.",
    consequence="The better dependence on epsilon of the second model is bought with the weaker unit.",
    stands="The guarantees for one reward, under the condition of the finding unbounded_rewards.",
    instead="Say 'event-level'. Our statement owner_loss has the loss of a whole owner.",
)

CONDITION_NUMBER = Finding(
    name="condition_number",
    grade=Grade.LOOSE,
    reach=Reach.LINE,
    title="The bounds for the geometric median do not scale as the condition number",
    place="Section 2.1, 'a tedious but straightforward calculation'",
    sentence="these bounds scale as kappa_2(M), the condition number of M",
    literal=(
        "The quantity max |Z_j - theta| is of the size of the largest |r_j| |M^(-1) a_j|, times n if Z_j is normalised to have the mean "
        "theta: it grows with n/lambda_min(M), and the condition number does not see the length of the actions."
    ),
    charitable="For actions of length about 1, lambda_max(M)/n is between 1/d and 1, and both are the same up to d.",
    counterexample="Actions s e_1 and s e_2, each played n/2 times: the condition number is 1 for every s, and n |M^(-1) a| is 2/s.",
    consequence="None: it motivates the approach, which does not use it.",
    stands="That the quantity depends on the geometry of the actions.",
    instead="n/lambda_min(M).",
)
