"""Writes reference.txt: kind, arguments and ln p to 20 digits, by mpmath in 60
digits and by whole numbers. Nowhere are the methods of the package used: chi-square
by its finite sums, F and t by the hypergeometric function, tables by binomial
coefficients or by ln of the gamma function in 60 digits.

    python3 reference.py > reference.txt
"""

from fractions import Fraction
from math import comb

from mpmath import betainc, erfc, exp, gamma, gammainc, inf, log, log1p, loggamma, mp, mpf, nstr, sqrt

mp.dps = 60


def show(kind, *values):
    *arguments, result = values
    if abs(result) > mpf(10) ** -300:  # else it may be 0
        print(kind, *arguments, nstr(result, 20))


def ln(p, q):
    """ln p by whichever of p and q = 1-p is small."""
    return log(p) if p < mpf(1) / 2 else log1p(-q)


def chi_square(x, df):
    a, x = mpf(df) / 2, mpf(x) / 2
    if df != int(df):
        return ln(gammainc(a, x, inf, regularized=True), gammainc(a, 0, x, regularized=True))
    # Q = erfc(sqrt(x)), for odd df, + the e^-x x^j/gamma(j+1) below a; P those from a on.
    upper = erfc(sqrt(x)) if df % 2 else mpf(0)
    j = a - int(a)
    term = exp(-x) * (x**j / gamma(j + 1) if j or df % 2 == 0 else 1)
    for _ in range(int(a)):
        upper += term
        j += 1
        term *= x / j
    lower = mpf(0)
    if upper > mpf(1) / 4:
        while term > lower * mpf(10) ** -50:
            lower += term
            j += 1
            term *= x / j
    return ln(upper, lower)


def f_ratio(f, d1, d2):
    f, d1, d2 = mpf(f), mpf(d1), mpf(d2)
    a, b, x, y = d2 / 2, d1 / 2, d2 / (d2 + d1 * f), d1 * f / (d2 + d1 * f)
    if f > 1 and (b > 100 or x < 0.96):
        return log_beta(a, b, x, y)
    if f <= 1 and b > 100:
        return log1p(-exp(log_beta(b, a, y, x)))
    upper = betainc(a, b, 0, x, regularized=True)
    return ln(upper, betainc(b, a, 0, y, regularized=True) if upper > mpf(1) / 4 else 1 - upper)


def log_beta(a, b, x, y):
    """ln I_x(a, b), from x^a y^b/(aB(a,b)) (1 + (a+b)/(a+1) x + ...)."""
    total, term, k = mpf(0), mpf(1), 0
    while term > total * mpf(10) ** -50:
        total += term
        k += 1
        term *= (a + b + k - 1) / (a + k) * x
    return log(total) + a * log(x) + b * log(y) - log(a) - (loggamma(a) + loggamma(b) - loggamma(a + b))


def exact(a, b, c, d):
    """ln of the greater, less and two-sided p-values, by whole numbers."""
    row, column, n = a + b, a + c, a + b + c + d
    support = range(max(0, row + column - n), min(row, column) + 1)
    ways = {x: comb(column, x) * comb(n - column, row - x) for x in support}
    every, most = sum(ways.values()), Fraction(ways[a]) * (1 + Fraction(1, 10**7))

    def share(of):
        part = sum(w for x, w in ways.items() if of(x, w))
        return ln(mpf(part) / every, mpf(every - part) / every)

    return share(lambda x, _: x >= a), share(lambda x, _: x <= a), share(lambda _, w: w <= most)


def large(a, b, c, d):
    """The same, for tables of too many to be enumerated: the probabilities next to
    the observed table and to the mode as far as they count."""
    row, rest, column, n = a + b, c + d, a + c, a + b + c + d

    def probability(x):
        cells = x, row - x, column - x, rest - column + x
        if min(cells) < 0:
            return -inf
        margins = row, rest, column, n - column
        return sum(loggamma(m + 1) for m in margins) - loggamma(n + 1) - sum(loggamma(v + 1) for v in cells)

    def tail(x, step, to=None):
        first = probability(x)
        if first == -inf:
            return mpf(0)
        total = term = mpf(1)
        while x != to:
            up = mpf((row - x) * (column - x)) / ((x + 1) * (rest - column + x + 1))
            if step < 0:
                up = mpf(x * (rest - column + x)) / ((row - x + 1) * (column - x + 1))
            term *= up
            total += term
            x += step
            if term < total * mpf(10) ** -32 and up < 1:
                break
        return exp(first) * total

    def nearest(low, high, is_far):
        """The least of low..high for which is_far holds, one more for none."""
        high += 1
        while low < high:
            middle = (low + high) // 2
            if is_far(middle):
                high = middle
            else:
                low = middle + 1
        return low

    mode = (row + 1) * (column + 1) // (n + 2)
    most = probability(a) + log(1 + mpf(10) ** -7)
    if probability(mode) <= most:
        both = mpf(0)
    else:
        right = nearest(mode + 1, min(row, column), lambda x: probability(x) <= most)
        left = -nearest(1 - mode, -max(0, row + column - n), lambda x: probability(-x) <= most)
        outside = tail(left, -1) + tail(right, 1)
        inside = mpf(0)
        if outside > mpf(1) / 4:
            inside = tail(left + 1, 1, right - 1)
        both = ln(outside, inside)
    above, below = a * n > row * column, a * n < row * column
    greater = log(tail(a, 1)) if above else log1p(-tail(a - 1, -1))
    less = log(tail(a, -1)) if below else log1p(-tail(a + 1, 1))
    return greater, less, both



for z in (1e-300, 1e-12, 1e-5, 0.1, 0.5, 0.6744897501960817, 1.0, 1.959963984540054, 2.8284271, 2.8284272, 3.0, 4.5, 6.0, 10.0, 37.5, 38.6, 100.0, 214.5, 1e4, 1e10):
    show("normal", z, log(erfc(mpf(z) / sqrt(mpf(2)))) if z > 1e-6 else log1p(-mp.erf(mpf(z) / sqrt(mpf(2)))))

for x in (1e-300, 1e-15, 1e-8, 1e-3, 0.05, 0.455, 1.0, 2.0, 2.706, 3.841458820694124, 5.0, 7.0, 7.9999, 8.0, 8.0001, 10.0, 15.0, 25.0, 60.0, 100.0, 300.0, 745.0, 1400.0, 1e4, 46038.0, 1e6, 1e9, 1e15):
    y = sqrt(mpf(x) / 2)
    show("chi", x, 1.0, ln(erfc(y), mp.erf(y)))

for df in (1.5, 2.0, 2.75, 3.0, 4.0, 5.0, 7.3, 10.0, 19.0, 20.0, 51.0, 89.0, 100.0, 999.0, 1000.0, 10000.0, 99999.0, 100000.0):
    spread = (2 * df) ** 0.5
    for k in (-8, -3, -1, -0.1, 0, 0.01, 0.5, 1, 2, 4, 8, 15, 30):
        x = df + k * spread
        if x > 0:
            show("chi", x, df, chi_square(x, df))
    for x in (1e-3 * df, 0.3 * df, 3 * df, 10 * df, 1500 + df, 46000 + 2 * df, 1e6):
        show("chi", x, df, chi_square(x, df))

for d1, d2 in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (1, 10), (4, 7), (7, 4), (2.5, 3.5), (19, 18826), (19, 100), (1, 1e6), (51, 6500), (100, 50), (1000, 10), (999, 1e5), (99999, 1e6), (3, 1e7)):
    d1, d2 = float(d1), float(d2)
    for f in (1e-6, 0.1, 0.7, 0.99, 1.0, 1.01, 1.5, 3.0, 20.0, 1e3, 1e8):
        show("f", f, d1, d2, f_ratio(f, d1, d2))

for d in (1.0, 2.0, 3.0, 4.6, 10.0, 29.0, 120.0, 1000.0, 18844.0, 1e6):
    for t in (1e-8, 0.01, 0.5, 1.0, 1.5, 2.0, 3.0, 6.0, 12.0, 40.0, 216.0, 1e5, 1e60):
        show("student", t, d, f_ratio(mpf(t) ** 2, 1, d))


def tables():
    for n in (1, 2, 3, 5):  # all in one cell, margins of 0 and 1
        yield from ((n, 0, 0, 0), (0, n, 0, 0), (0, 0, n, 0), (0, 0, 0, n), (n, 0, 0, n), (0, n, n, 0), (n, n, 0, 0), (1, 0, n, n), (0, 1, n, n))
    yield (0, 0, 0, 0)
    yield from ((3, 1, 1, 3), (1, 9, 11, 3), (10, 10, 10, 10), (0, 5, 7, 20), (5, 0, 7, 20), (2, 3, 0, 5), (12, 5, 29, 2), (7, 12, 0, 5), (1, 1, 1, 1), (2, 2, 2, 2))
    yield from ((1, 0, 99, 900), (0, 1, 99, 900), (30, 70, 470, 1430), (8, 92, 42, 1858), (3, 0, 47, 1950), (0, 60, 47, 1893), (50, 0, 0, 950), (25, 25, 475, 475), (24, 26, 476, 474), (500, 500, 500, 500), (501, 499, 499, 501), (1000, 0, 0, 1000), (0, 1000, 1000, 0), (999, 1, 1, 999), (400, 600, 100, 900))


def large_tables():
    yield from ((17000, 0, 0, 17000), (100, 900, 900, 17100), (16, 3, 984, 17843), (1, 0, 999, 17846), (0, 4, 999, 17843), (50000, 40000, 40000, 50000), (2, 1, 10**9, 10**9), (1, 0, 0, 10**9), (0, 1, 1, 10**9), (1, 0, 10**9 - 1, 1), (1, 0, 10**9, 10**6))
    yield from ((10**9, 10**9 - 60000, 10**9 + 70000, 10**9), (10**9, 10**9, 10**9, 10**9), (10**9, 10**9 + 1, 10**9, 10**9), (10**9, 0, 0, 10**9), (10**9, 10**9, 1, 10**9), (1200, 10**9, 1000, 10**9), (1001000, 10**9, 1000000, 10**9), (2**31, 2**31 - 10**6, 2**31 - 10**6, 2**31))
    yield from ((2**31, 2**50, 2**31 + 70000, 2**50), (3, 2**51, 0, 2**52), (40, 2**31, 10, 2**52), (31000, 4, 600, 10**9), (700, 2**40, 2**31, 2**52))


for several, method in (tables(), exact), (large_tables(), large):
    for t in several:
        print("fisher", *t, *(nstr(v, 20) if v else "0" for v in method(*t)))
