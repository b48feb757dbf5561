"""Prints the coefficients of normal.go: Chebyshev interpolation of degree 19 in
60 digits, turned into powers of s, and the largest error of each."""

from mpmath import cos, erfc, exp, fac2, log, mp, mpf, nstr, pi, sqrt

mp.dps = 60
COUNT = 20


def near(s):
    """ln erfc(y) / y for y in [0, 2], s = y - 1."""
    y = s + 1
    return log(erfc(y)) / y if y > mpf(10) ** -25 else -2 / sqrt(pi)


def far(s):
    """ln(sqrt(pi) y e^(y^2) erfc(y)) for y >= 2, s = (y - 5)/(y + 1)."""
    if 1 - s < mpf(10) ** -25:
        return mpf(0)
    y = (5 + s) / (1 - s)
    if y < 100:
        return log(sqrt(pi) * y * exp(y * y) * erfc(y))
    z = -1 / (2 * y * y)
    return log(1 + sum(fac2(2 * m - 1) * z**m for m in range(1, 16)))


def powers(f):
    nodes = [cos(pi * (k + mpf(1) / 2) / COUNT) for k in range(COUNT)]
    values = [f(s) for s in nodes]
    total = [mpf(0)] * COUNT
    t, after = [mpf(1)], [mpf(0), mpf(1)]
    for j in range(COUNT):
        c = sum(v * cos(pi * j * (k + mpf(1) / 2) / COUNT) for k, v in enumerate(values)) * 2 / COUNT
        for i, ti in enumerate(t):
            total[i] += (c / 2 if j == 0 else c) * ti
        following = [mpf(0)] + [2 * ti for ti in after]
        for i, ti in enumerate(t):
            following[i] -= ti
        t, after = after, following
    return total


for f in near, far:
    c = powers(f)
    error = max(abs(sum(ci * s**i for i, ci in enumerate(c)) - f(s)) for s in [mpf(k) / 200 for k in range(-199, 200)])
    print(f.__name__, nstr(error, 3))
    for ci in c:
        print(nstr(ci, 20) + ",")
