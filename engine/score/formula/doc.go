// Package formula compiles a formula over the counts of a term and a class, such as A*D/(B*C), and computes it for
// many terms and classes at a time.
//
// # Language
//
// Numbers are written 3, 0.5, .5 or 1e-3. The variables are those of the measures:
//
//	A B C D       documents: of the class with the term, outside with it, of the class without it, outside without it
//	N df n_c      documents: all, with the term, of the class
//	S cf T_c T    tokens: the occurrences of the term in the class, in all documents, all tokens of the class, of all
//	Q             the sum of the squares of the occurrences of the term in each document of the class
//
// Operators bind as in R, the tightest first: ^ from the right, then the signs - and +, * and /, + and -, and the
// comparisons < <= > >= == != which give 1 or 0. So -2^2 is -4, and 2^3^2 is 512. Functions are ln (natural), log2,
// exp, sqrt, abs, floor, min and max of one number or more, erf, Phi, the distribution function of the standard normal
// distribution, and probit, its inverse. The others keep the digits of small differences:
//
//	log1p(x)           ln(1+x)
//	excess(x)          (1+x)·ln(1+x) - x; O·ln(O/E) - (O-E) is E·excess((O-E)/E)
//	lnratio(x, y, d)   ln(x/y), where d is x-y
//	det(a, b, c, d)    a·b - c·d, so that det(A,D,B,C) is exact where AD and BC are nearly the same
//
// The registered measures are declared in this language, with one function more: sum(x) is the sum of x over all classes
// of the term, [ParseOverClasses]. [Program.JavaScript] writes a formula for pages.
//
// # Zero and infinity
//
// Values follow the rules of the registered measures. 0/0 is 0, and x/0 is infinite with the sign of x; the sign of a
// zero counts for nothing. ln 0 is -inf, and 0 times infinity is 0, so that 0*ln(0) is 0. What has no value is
// undefined: inf - inf, inf/inf, the logarithm or the root of a negative number, and its power by a number that is not
// whole. All that is computed from an undefined value is undefined, comparisons as well.
//
// The same formula of the same numbers has the same bits on every CPU.
package formula
