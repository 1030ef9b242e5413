"""What was found about section 5."""

from banditproof.theory.findings import Finding, Grade, Reach

FAVOURABLE_SETTING = Finding(
    name="favourable_setting",
    grade=Grade.READING,
    reach=Reach.CONCLUSION,
    title="lambda_min is 0.0004 with redrawn arms, below the threshold, and 0 with the fixed arms of the script",
    place="Section 5, 'This result is consistent with the theory'",
    sentence=(
        "This result is consistent with the theory since when there exists a lambda_min = O(1) such that E_t[x_t x_t^T] >= lambda_min I "
        "(which is our experiment settings), OnlineUCB has a better regret guarantee than all of the previous private stochastic linear "
        "bandits algorithms."
    ),
    literal=(
        "'The same exact setting as in Chowdhury & Zhou (2022)' has, in that work's public script, one set of arms per trial. Algorithm 1 "
        "chooses without coins, so given the past x_t is known, and E_t[x_t x_t^T] = x_t x_t^T has rank one: lambda_min = 0 at d = 5."
    ),
    charitable=(
        "Where the arms are redrawn in every round, as section 2 has contexts and section 5 reads, lambda_min is a positive constant and "
        "the sentence holds as it is written: 1/8 for uniform play. For the best of 100 arms, which a "
        "learner of small regret plays in most rounds, it is 0.000427, and T^(-1/4) = 0.084 at T = 20000: by Corollary 3.6's own "
        "threshold this is the worst case."
    ),
    counterexample="one set of arms: v orthogonal to the arm that is played has v^T E_t[x_t x_t^T] v = 0",
    values=(("dimension", "5"),),
    consequence="The theory does not explain Figure 1: the guarantee that the sentence names is not that of the experiment.",
    stands="The curves, which `banditproof reproduce ldp_linucb_2024.figure1` judges.",
    instead="'if arms are redrawn in every round', with the curvature of the arms that are played.",
    refuted_by=("ldp_linucb_2024.favourable_setting/points.fixed_arms_as_printed",),
)

NOT_STATED = Finding(
    name="not_stated",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Delta, beta, the width, lambda_min and the shuffled protocol of Figure 1 are not stated",
    place="Section 5",
    sentence="We run our algorithm over T = 20000 rounds and average the regrets over 50 trials.",
    literal=(
        "Not stated: delta, beta, R, C, gamma or the width in use, the lambda_min that the algorithm is given, whether arms are redrawn, "
        "which shuffled protocol is shown and with which batch, and error bars."
    ),
    charitable="The setting of Chowdhury and Zhou 2022 has delta = 0.1, batches of 20, failure probability 1/T and one set of arms per "
    "trial.",
    consequence="A figure that differs from the paper's does not contradict it by itself; the toolkit says which parameter was taken.",
    stands="The outcomes as reported.",
    instead="The parameters.",
)
