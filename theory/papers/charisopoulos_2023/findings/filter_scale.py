"""What was found about lambda, the scale of the filter: line 7, (13)."""

from banditproof.theory.findings import Finding, Grade, Reach

OBSERVED_SCALE = Finding(
    name="observed_scale",
    grade=Grade.FALSE,
    reach=Reach.CONCLUSION,
    title="The filter of Algorithm 1 never removes a report: its scale grows with the corrupted reports",
    place="Algorithm 1, lines 6 and 7; Proposition 2.1; section 3, Fact 1",
    sentence=(
        "Play actions a_i in S_{A_{i-1}} and collect rewards r_i according to (3). ... w_i = Filter({M_n^{-1/2} a_i r_i}_{i=1}^n, (max_a "
        "||a||^2_{M_n^{-1}}) (1/n) sum_i r_i^2)"
    ),
    literal=(
        "The r_i of line 6 are the observations of (3), the corrupted ones included. For every data set the covariance of the points is at "
        "most (1/n) sum_i r_i^2 M^{-1/2} a_i a_i^T M^{-1/2}, whose largest eigenvalue is at most max ||a||^2 (1/n) sum_i r_i^2 = lambda. "
        "Algorithm 2 stops at u <= 4 lambda, so it returns the mean of all points at once, and theta~ is ordinary least squares on the "
        "corrupted data."
    ),
    charitable=(
        "The appendix works with the reports y before corruption, and the scan of (13) leaves y or the observed ones open. With the clean "
        "y Proposition 2.1 is as its proof has it, but the learner does not see y and cannot run the algorithm. A scale from Lemma 3.3's "
        "bound for ||y|| could be computed; the paper uses that lemma for the interval alone. The regret of Theorem 3.4 does not depend "
        "on any of this for B of the order log T (finding bound_without_filter)."
    ),
    counterexample=(
        "One action, theta* = 0, no noise, a fraction alpha of the reports replaced by V: u = alpha (1 - alpha) V^2/n, below lambda = "
        "alpha V^2/n. The estimate is alpha V; (14) allows a constant times alpha. In Algorithm 1 with two unit vectors as actions and "
        "corrupted reports V on the worse arm, alpha V exceeds the gap and 2 gamma_i for V large enough: the best arm is eliminated after "
        "the first batch that has a corrupted report there. With B = 2, a batch of sqrt(T) plays, the regret is then of order T."
    ),
    values=(("corruption", "1/10"), ("confidence_constant", "10"), ("first_report", "1000")),
    consequence=(
        "The estimate of the printed algorithm is not robust: one corrupted report of arbitrary size in a batch decides which arms stay, "
        "for every alpha > 0. (14) fails for it, and Fact 1, 'with high probability' the optimal arm is not eliminated."
    ),
    stands=(
        "alpha = 0; Proposition 2.1 for a lambda that is at least the good points' covariance, at most a constant times the scale of the "
        "clean reports, and does not depend on corrupted reports. "
        "(19) for log T <= B <= 2 log T, as far as this finding goes, for it needs no filter; Theorem 3.9 where reports are corrupted, for "
        "then its corruption term is at least 2 T times the probability that any report of the run is corrupted, for B up to log(1/delta). "
        "B = 2 is outside what section 1.1 claims."
    ),
    instead=(
        "lambda = 2 R^2/((1 - alpha) n) with R = 1 + sqrt(2 log(4n/delta)) + (2/epsilon) log(2n/delta), a bound for all |y_i| "
        "(largest_report_first) that needs no report; or max ||a||^2 times R^2 (scale_range_first), which loses the factor of finding "
        "narrow_width. kept_at_this_scale is the inequality for two reports."
    ),
    step="error_at_this_scale",
)

SCALE_OF_THE_PROOF = Finding(
    name="scale_of_the_proof",
    grade=Grade.PROOF_GAP,
    reach=Reach.CONSTANT,
    title="The algorithm's scale can be below the covariance that Theorem A.2 needs it to exceed",
    place="Algorithm 1, line 7, and (13), against appendix A.2, after (33)",
    sentence="Suppose that lambda >= ||Sigma_{G_0}||_op ... we can replace the previous upper bound with 2 mu ||y||^2/(n (1 - alpha))",
    literal=(
        "The proof inserts 2 mu ||y||^2/(n (1 - alpha)) for lambda; the algorithm has mu ||y||^2/n. Where the corrupted reports are 0, the "
        "latter is |G_0|/n times the covariance of good reports with mean 0, so that the condition of Theorem A.2 fails and the theorem "
        "does not apply."
    ),
    charitable=(
        "The scale is too small by 2/(1 - alpha) < 8/3 at most (with the clean reports), and a filter that stops at a larger multiple "
        "than 4 has room for that."
    ),
    counterexample="d = 1, one action, 10 reports, 8 good ones +-v with 8 v^2 = 100, two replaced by 0: mu |y|^2/n = 1 against 1.25.",
    values=(("leverage", "1/10"), ("good_report_norm", "10"), ("samples", "10"), ("inliers", "8")),
    consequence="A constant.",
    stands="(34) with lambda of the proof (scale_proof), where it is computed from reports before corruption.",
    instead="lambda = 2 mu ||y||^2/(n (1 - alpha)), or a bound that needs no reports; see finding observed_scale.",
    step="covers_the_good_points",
)
