// What the formulas of the measures call: numbers as package formula computes them. 0/0 is 0, any other x/0 is infinite,
// 0 times infinity is 0, and what is computed from NaN is NaN.

function times(x, y) {
  const product = x * y;
  return product !== product && x === x && y === y ? 0 : product;
}

function over(x, y) {
  if (y !== 0) return x / y;
  return x === 0 ? 0 : x * Infinity;
}

function negate(x) { return -x; }

function truth(is, x, y) {
  if (x !== x || y !== y) return NaN;
  return is ? 1 : 0;
}

function less(x, y) { return truth(x < y, x, y); }
function lessOrEqual(x, y) { return truth(x <= y, x, y); }
function equal(x, y) { return truth(x === y, x, y); }
function unequal(x, y) { return truth(x !== y, x, y); }

function power(x, y) {
  if (x !== x || y !== y) return NaN;
  if (x === 1 || x === -1 && Math.abs(y) === Infinity) return 1;
  if (x < 0 && y !== Math.trunc(y)) return NaN;
  if (y === 0.5 && x >= 0) return Math.sqrt(x);
  return Math.pow(x + 0, y);
}

function sum(all, f) {
  const value = f(all);
  let added = 0;
  for (const t of all) added += value(t);
  return added;
}

// A product below this number is exact if both its factors are whole.
const exact = 2 ** 53;

// det returns a·b - c·d, rounded once, however much both products cancel.
function det(a, b, c, d) {
  const ab = times(a, b), cd = times(c, d);
  if (!Number.isFinite(ab) || !Number.isFinite(cd)) return ab - cd;
  const whole = Number.isInteger(a) && Number.isInteger(b) && Number.isInteger(c) && Number.isInteger(d);
  if (whole && Math.abs(ab) < exact && Math.abs(cd) < exact) return ab - cd;
  if (whole) return Number(BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d));
  const apart = (ab - cd) + (lost(a, b, ab) - lost(c, d, cd));
  return Number.isFinite(apart) ? apart : ab - cd;
}

// lost returns what a rounded product of two numbers lacks.
function lost(x, y, product) {
  const [xh, xl] = halves(x), [yh, yl] = halves(y);
  return xl * yl - (((product - xh * yh) - xl * yh) - xh * yl);
}

// halves returns a number as the sum of two of 26 bits.
function halves(x) {
  const c = (2 ** 27 + 1) * x, high = c - (c - x);
  return [high, x - high];
}

// split returns x as m·2^e with m in [√½, √2).
const split = (() => {
  const number = new Float64Array(1), words = new Uint32Array(number.buffer);
  number[0] = 1;
  const high = words[1] === 0 ? 0 : 1; // the word with the exponent
  return x => {
    let e = 0;
    if (x < 2 ** -1022) [x, e] = [x * 2 ** 54, -54];
    number[0] = x;
    e += (words[high] >>> 20) - 1022;
    words[high] = words[high] & 0xfffff | 1022 << 20;
    return number[0] < Math.SQRT1_2 ? [2 * number[0], e - 1] : [number[0], e];
  };
})();

// lnNear1 returns ln(1+f) + k ln 2 for 1+f in [√½, √2].
function lnNear1(f, k) {
  const s = f / (2 + f), z = s * s;
  let series = 0;
  for (let n = 25; n >= 3; n -= 2) series = z * series + 2 / n;
  const half = 0.5 * (f * f);
  const tail = s * (half + z * series) + k * 1.90821492927058770002e-10;
  return k * 6.93147180369123816490e-01 - ((half - tail) - f);
}

function ln(x) {
  if (!(x >= 0)) return NaN;
  if (x === 0) return -Infinity;
  if (x === Infinity) return x;
  const [m, e] = split(x);
  return lnNear1(m - 1, e);
}

function log2(x) {
  if (!(x > 0) || x === Infinity) return ln(x);
  const [m, e] = split(x);
  return lnNear1(m - 1, 0) * (1 / Math.LN2) + e;
}

function log1p(x) {
  if (Math.SQRT1_2 - 1 < x && x < Math.SQRT2 - 1) return lnNear1(x, 0);
  return ln(1 + x);
}

// lnratio returns ln(x/y), where d is x - y.
function lnratio(x, y, d) {
  if (!(x >= 0 && y >= 0) || d !== d) return NaN;
  if (d === 0) return 0;
  if (y === 0) return Infinity;
  return Math.abs(d / y) < 0.5 ? log1p(d / y) : ln(x / y);
}

// excess returns (1+u) ln(1+u) - u. A small u has the series u²/2 - u³/6 + u⁴/12 - ...
function excess(u) {
  if (!(u >= -1)) return NaN;
  if (u === -1 || u === Infinity) return Math.abs(u);
  if (Math.abs(u) > 0.25) return (1 + u) * ln(1 + u) - u;
  let k = Math.abs(u) > 1 / 16 ? 29 : Math.abs(u) > 1 / 128 ? 16 : 9, series = 0;
  for (; k >= 2; k--) series = 1 / (k * (k - 1)) - u * series;
  return u * u * series;
}

// probit returns the quantile of the normal distribution, by algorithm AS 241 of Wichura (1988).
const probit = (() => {
  const polynomial = (c, x) => {
    let sum = 0;
    for (let i = 7; i >= 0; i--) sum = sum * x + c[i];
    return sum;
  };
  const centre = [
    [3.3871328727963666080, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3],
    [1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
      2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3],
  ];
  const middle = [
    [1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
      1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4],
    [1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1,
      1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9],
  ];
  const far = [
    [6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
      2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7],
    [1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15],
  ];
  return p => {
    const q = p - 0.5;
    if (Math.abs(q) <= 0.425) {
      const r = 0.180625 - q * q;
      return q * polynomial(centre[0], r) / polynomial(centre[1], r);
    }
    const tail = Math.min(p, 1 - p);
    if (tail === 0) return q * Infinity;
    if (!(tail > 0)) return NaN;
    const r = Math.sqrt(-ln(tail));
    const z = r <= 5 ? polynomial(middle[0], r - 1.6) / polynomial(middle[1], r - 1.6) : polynomial(far[0], r - 5) / polynomial(far[1], r - 5);
    return q < 0 ? -z : z;
  };
})();

// erf returns the error function: 2/√π·e^-x²·(x + 2x³/3 + 4x⁵/15 + ...).
function erf(x) {
  if (Math.abs(x) >= 2) return x < 0 ? erfc(-x) - 1 : 1 - erfc(x);
  let series = 1;
  for (let n = 40; n > 0; n--) series = 1 + series * 2 * x * x / (2 * n + 1);
  return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * x * series;
}

// erfc returns 1 - erf(x), of a large x by e^-x²/√π over the continued fraction x + ½/(x + 1/(x + 1½/(x + ...))).
function erfc(x) {
  if (!(x >= 2)) return 1 - erf(x);
  let fraction = x;
  for (let n = 200; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

// Phi returns the distribution function of the standard normal distribution.
function Phi(x) {
  const half = 0.5 * erfc(Math.abs(x) * Math.SQRT1_2);
  return x > 0 ? 1 - half : half;
}
