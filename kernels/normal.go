package kernels

import "math"

// This file holds the error function, the normal distribution and its quantile with the same bits on every CPU.

const (
	twoPerRootPi = 1.1283791670955125738961589031215
	perRootPi    = 0.56418958354775628694807945156077
	perRootPiLow = 7.6677298065829422038e-18 // what it lacks
	rootHalf     = 0.70710678118654752440084436210485
	rootHalfLow  = -4.8336466567264565186e-17 // what it lacks
)

// Erf returns the error function, 2/√π·∫e^-t²dt from 0 to x, within two ulp.
func Erf(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0.5:
		return erfOfSmall(x)
	case a > 6:
		return math.Copysign(1, x)
	case x > 0:
		return 1 - erfcOf(x, 0)
	case x < 0:
		return erfcOf(a, 0) - 1
	}
	return x // NaN
}

// Phi returns the distribution function of the standard normal distribution within two ulp, in its lower tail, too.
func Phi(x float64) float64 {
	a, low := twoProduct(rootHalf, math.Abs(x))
	low += float64(rootHalfLow * math.Abs(x))
	switch {
	case x != x:
		return x
	case a < 0.5:
		return 0.5 + 0.5*erfOfSmall(math.Copysign(a, x))
	case math.IsInf(x, 0) || a > 30:
		a, low = 30, 0
	}
	if x > 0 {
		return 1 - 0.5*erfcOf(a, low)
	}
	return 0.5 * erfcOf(a, low)
}

// erfTerms are -1/3, 1/10, -1/42, ..., (-1)^n/(n!(2n+1)).
var erfTerms = [...]float64{
	-1. / 3, 1. / 10, -1. / 42, 1. / 216, -1. / 1320, 1. / 9360, -1. / 75600, 1. / 685440, -1. / 6894720, 1. / 76204800,
	-1. / 918086400, 1. / 11975040000,
}

// erfOfSmall is Erf for |x| <= 1/2, by its series.
func erfOfSmall(x float64) float64 {
	z, sum := float64(x*x), 0.0
	for i := len(erfTerms) - 1; i >= 0; i-- {
		sum = float64(z*sum) + erfTerms[i]
	}
	sum = float64(float64(z*sum)*twoPerRootPi) + (twoPerRootPi - 1)
	return x + float64(x*sum)
}

// erfcSteps are 1 - Erf(x) for x = 1/2, 1/2 + 1/16, ..., 4.
var erfcSteps = [...]float64{
	0.4795001221869535, 0.42632554338440803, 0.376759117811582, 0.33091533711391874, 0.28884436634648486, 0.25053597441363795,
	0.21592493894014034, 0.1848975989656002, 0.15729920705028513, 0.13294173056504724, 0.11161176829829224, 0.0930782802183135,
	0.07709987174354177, 0.06343142528861129, 0.051829927217909674, 0.042059393943539934, 0.033894853524689274,
	0.02712538617906646, 0.021556266760016336, 0.01701028339802197, 0.013328328780817557, 0.010369374205224815,
	0.00800994232988003, 0.0061431936047868, 0.004677734981047266, 0.003536249125209789, 0.0026540293594823415,
	0.001977491183610797, 0.0014627165866811518, 0.0010740732907223848, 0.0007829382178911192, 0.0005665432545801649,
	0.0004069520174449589, 0.00029016886167340607, 0.00020537573614121745, 0.00014428851742548005, 0.00010062192211963683,
	6.965075439264378e-05, 4.785483974377341e-05, 3.2635287147561264e-05, 2.209049699858544e-05, 1.4841410792897195e-05,
	9.89673462524562e-06, 6.550150776030468e-06, 4.302779463675122e-06, 2.8053126041729303e-06, 1.8152814274403558e-06,
	1.1658253489741942e-06, 7.430983723414128e-07, 4.70087839033287e-07, 2.951401925115699e-07, 1.8390401247494034e-07,
	1.1372725656979665e-07, 6.979841318562117e-08, 4.2513944082491124e-08, 2.5699190612911507e-08, 1.541725790028002e-08,
}

// erfcOf returns 1 - Erf(x+low) for x >= 1/2, without losing the digits of a small result.
func erfcOf(x, low float64) float64 {
	if x > 4 {
		return erfcOfLarge(x, low)
	}
	step := math.Floor(float64(x*16) + 0.5)
	c := step / 16
	h := (x - c) + low
	// From c on it falls by 2/√π·e^-c²·∫e^(-2ct-t²)dt from 0 to h, of which the powers of t add up.
	before, last, power := 0.0, 1.0, h
	sum := h
	for n := range erfcTerms {
		next := -(float64(2*float64(c*last)) + float64(2*before)) / float64(n+1)
		power = float64(power * h)
		sum += float64(next*power) / float64(n+2)
		before, last = last, next
	}
	return erfcSteps[int(step)-8] - float64(float64(twoPerRootPi*Exp(-float64(c*c)))*sum)
}

// erfcTerms are as many terms as leave less than 2^-57 of the sum, with |h| <= 1/32 and c <= 4.
const erfcTerms = 12

// erfcOfLarge is erfcOf for x >= 4: e^-x²/√π over the continued fraction x + ½/(x + 1/(x + 1½/(x + ...))).
func erfcOfLarge(x, low float64) float64 {
	f := 0.0
	for n := erfcFractions; n > 0; n-- {
		f = float64(0.5*float64(n)) / (x + f)
	}
	d, d2 := twoSum(x, f+low)
	q := perRootPi / d
	p, rest := twoProduct(q, d)
	q2 := ((perRootPi - p) - rest + (perRootPiLow - float64(q*d2))) / d
	square, rest := twoProduct(x, x)
	e := expOf(-square, -(rest + float64(2*float64(x*low))))
	return float64(e*q) + float64(e*q2)
}

// erfcFractions are as many fractions as leave less than 2^-57 of the rest with x >= 4.
const erfcFractions = 24

// Coefficients of Wichura's algorithm AS 241 (PPND16), Applied Statistics 37
// (1988) 477-484: rational approximations of the normal quantile to 1e-16.
var (
	centreNum = [...]float64{
		3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3,
	}
	centreDen = [...]float64{
		1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3,
	}
	middleNum = [...]float64{
		1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	middleDen = [...]float64{
		1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	tailNum = [...]float64{
		6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	tailDen = [...]float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)

func probitPolynomial(c *[8]float64, x float64) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}

// Probit returns the standard normal quantile of p in [0, 1], NaN for any other p.
func Probit(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q*probitPolynomial(&centreNum, r)) / probitPolynomial(&centreDen, r)
	}
	tail := min(p, 1-p)
	switch {
	case tail == 0:
		return math.Inf(1) * q
	case !(tail > 0):
		return math.NaN()
	}
	r := math.Sqrt(-Log(tail))
	var z float64
	if r <= 5 {
		z = probitPolynomial(&middleNum, r-1.6) / probitPolynomial(&middleDen, r-1.6)
	} else {
		z = probitPolynomial(&tailNum, r-5) / probitPolynomial(&tailDen, r-5)
	}
	return math.Copysign(z, q)
}
