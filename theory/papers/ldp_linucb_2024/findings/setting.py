"""What was found about the statements of setting.py: the condition on the curvature, and quoted rates."""

from banditproof.theory.findings import Finding, Grade, Reach

WHICH_MOMENT = Finding(
    name="which_moment",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="The second moment is printed with and without the condition on the past",
    place="Introduction, section 3, section 3.1, section 5, section 6",
    sentence="E_t[x_t x_t^T] (introduction, sections 5 and 6); E[x_t x_t^T] >= lambda_min I (Algorithm 1, sections 3 and 3.1, Corollary "
    "3.6)",
    literal=(
        "The two differ for a learner that adapts: over all its randomness E averages over what it has learnt, E_t does not. A rule that "
        "settles at random on one of e_1 and e_2 for ever has E x_t x_t^T = I/2 in two dimensions, and learns nothing of the other "
        "direction. The martingale argument that Lemma 3.5 needs is about the conditional moment, which is of rank one, with lambda_min "
        "= 0, for every fixed set of actions."
    ),
    charitable="The conditional moment is meant in every round.",
    consequence="With E_t the favourable case needs contexts that vary at random (see favourable_setting).",
    stands="Everything, with E_t.",
    instead="E_t, given the past, in every round.",
)

NOISE_NORM_ROOT = Finding(
    name="noise_norm_root",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="Section 3.2 prints the norm of the noise with epsilon under the root",
    place="Section 3.2, 'From the concentration inequality of the Gaussian matrices'; against section 3",
    sentence="||H_t|| is bounded by O~(sqrt(dT/epsilon)) with high probability",
    literal=(
        "With this norm, sqrt(rho_max d T) is (dT)^(3/4)/epsilon^(1/4), not the (dT)^(3/4)/sqrt(epsilon) that the next sentence concludes."
    ),
    charitable=(
        "Section 3 prints sqrt(dT)/epsilon, from which the conclusion follows. The text at hand is a scan that misplaces the bars of "
        "roots in other places too."
    ),
    consequence="None.",
    stands="The quoted regret (dT)^(3/4)/sqrt(epsilon) + d sqrt(T).",
    instead="sqrt(dT)/epsilon.",
)

WHO_IS_LOCAL = Finding(
    name="who_is_local",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="The best local rate is credited to the paper on the central model",
    place="Section 3.1, after Corollary 3.6",
    sentence=(
        "the same asymptotic rate as the current best regret for LDP (contextual) linear bandit (Shariff & Sheffet, 2018) but with "
        "improved dimension dependence"
    ),
    literal="Shariff and Sheffet 2018 study joint (central) privacy and have no local algorithm.",
    charitable="The introduction and section 3.2 credit Zheng et al. 2020 with the rate.",
    consequence="None.",
    stands="The comparison with Zheng et al. 2020.",
    instead="Zheng et al. 2020.",
)

LETTERS = Finding(
    name="letters",
    grade=Grade.MISPRINT,
    reach=Reach.LINE,
    title="Small misprints of letters and indices",
    place="(1); Lemma 3.3; Theorem 3.4; Algorithm 1, input; Remark 3.1; section 3, 'T rounds of compositions'",
    sentence=(
        "V_t = sum_{i=1}^t x_t x_t^T; V~_{N-1} = sum_{t=1}^{N-1} x~_t x~_t^T; M_T is the regret of our online learner (see equation "
        "(4)); domain diameter D; P[|x_i| <= t]; lambda_min = O(1)"
    ),
    literal=(
        "In (1) the index of the summands is i, and without I the matrix has no inverse for t < d; Lemma 3.3 defines V~ without I, its "
        "proof and Algorithm 1 with I; by (4) M_T is an upper bound on the regret; D bounds lengths, so it is a radius; the probability "
        "of Remark 3.1 is that of |<v, x_i>|; lambda_min is bounded below, not above. Noise of T rounds is added up, nothing is composed."
    ),
    charitable="The text around each of them says what is meant.",
    consequence="None.",
    stands="All of it, read so.",
    instead="x_i x_i^T; I + the sum; 'M_T bounds the regret'; 'radius'; |<v, x_i>|; 'lambda_min bounded below by a constant'.",
)
