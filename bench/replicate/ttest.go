package main

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
)

// Wang, Zhang, Liu, Lv and Wang choose terms by the t-test on term frequencies. Figures are the F1 over all decisions
// (micro, here the share of right documents) and the mean of the classes' F1 (macro), in percent.
const wang = "Wang, Zhang, Liu, Lv and Wang, Feature selection based on term frequency and t-test for text categorization, CIKM 2012"

// ttestReuters takes R52, 9,100 documents as in the paper: those of ModApte with exactly one topic, the topics that
// both parts have. Terms are chosen on the training part, vectors have unit length over the chosen terms, and idf is
// that of the training part. The paper has 24,411 terms, here are 16,363 in the training part, so that 17,000 is all.
// It took the better of average and maximum, which was always the average; here are both.
var ttestReuters = experiment{
	name: "ttest-reuters", title: "The t-test on term frequencies, Reuters-21578", paper: wang,
	measure: measureTTestReuters, decide: decideTTestReuters, tested: "main documents test",
}

func measureTTestReuters(ctx context.Context, m *measuring) {
	r52 := recipe{
		file: "reuters21578.tar.gz", train: "train", test: "test", singleLabel: true, common: true,
		analysis: analysis.Options{Tokens: "letters", Stop: "glasgow", Stem: "porter", Headers: "keep"},
	}
	m.step(ctx, "main", r52, grid("ltc", "chi:avg ig mi:avg ece ttest:avg chi:max mi:max ttest:max",
		[]int{0, 17000, 15000, 13000, 11000, 10000, 8000, 6000, 4000, 2000}, knn, svm, centroid))
	m.step(ctx, "acq", r52, ranking("ttest:class chi:class ig:class emi:class mi:class ece:class df:class cf:class ig ece cf",
		"acq", "acquir stake payout dividend"))
	at := func(weight, by, classifier string) step { return grid(weight, by, []int{4000}, classifier) }
	point := at("ltc", "ttest:avg", knn)
	m.sensitivity(ctx, onlyMicro, choice{"", r52, point},
		choice{"stop list Glasgow: none", r52.stop("none"), point},
		choice{"stop list Glasgow: SMART", r52.stop("smart"), point},
		choice{"stop list Glasgow: Snowball", r52.stop("snowball"), point},
		choice{"stemmer Porter: none", r52.stem("none"), point},
		choice{"stemmer Porter: Porter's program in C", r52.stem("porter-c"), point},
		choice{"stemmer Porter: Porter2", r52.stem("porter2"), point},
		choice{"words of letters: letters and digits, two or more", r52.tokens("words"), point},
		choice{"combination average: maximum", r52, at("ltc", "ttest:max", knn)},
		choice{"combination average: sum", r52, at("ltc", "ttest:sum", knn)},
		choice{"weights ltc: tf·idf, unit length", r52, at("tfidf-unit", "ttest:avg", knn)},
		choice{"weights ltc: tf", r52, at("tf", "ttest:avg", knn)},
		choice{"weights ltc: binary", r52, at("binary", "ttest:avg", knn)},
		choice{"classifier kNN, k = 10: kNN, k = 1", r52, at("ltc", "ttest:avg", "knn = knn:k=1")},
		choice{"classifier kNN, k = 10: kNN, k = 30", r52, at("ltc", "ttest:avg", "knn = knn:k=30")},
		choice{"classifier kNN, k = 10: centroid", r52, at("ltc", "ttest:avg", centroid)},
		choice{"classifier kNN, k = 10: SVM, hinge loss", r52, at("ltc", "ttest:avg", svm)},
		choice{"classifier kNN, k = 10: SVM, squared hinge loss", r52, at("ltc", "ttest:avg", "svm = svm:bias=1")},
		choice{"classifier kNN, k = 10: SVM, C = 10", r52, at("ltc", "ttest:avg", "svm = svm:loss=l1,bias=1,c=10")},
	)
}

// onlyMicro is the micro-F1 of a point with one classifier, method and number of terms.
func onlyMicro(f figures) float64 { return f.all("point * * * micro")[0] }

func decideTTestReuters(c *claims) {
	const sizes, smaller = "k: 15000 13000 11000 10000 8000 6000 4000 2000", "k: 13000 11000 10000 8000 6000 4000 2000"
	f := c.figures
	ttest, chi := f.all("main knn ttest:avg * micro"), f.all("main knn chi:avg * micro")
	c.find("kNN with 4,000 terms by the t-test is within two points of the paper's 89.8 % ([main knn "+
		"ttest:avg 4000 micro] by the average, [main knn ttest:max 4000 micro] by the maximum), but the "+
		"t-test is at best @ points above chi-square, at worst @ below it, where the paper has up to 4.2 "+
		"above; averaging over the classes is not always better than the maximum.",
		slices.Max(minus(ttest, chi)), slices.Max(minus(chi, ttest)))
	c.claim("kNN with 4,000 terms by the t-test: micro-F1 of 89.8 % (here: at most two points away)", "89.8",
		"[main knn ttest:avg 4000 micro] (avg), [main knn ttest:max 4000 micro] (max)").
		compare("main knn {m} 4000 micro", ">=", "87.8", "m: ttest:avg ttest:max").
		compare("main knn {m} 4000 micro", "<=", "91.8", "m: ttest:avg ttest:max")
	c.claim("that is the t-test's best with kNN", "", "best @", f.best("main knn ttest:avg * micro")).
		compare("main knn ttest:avg 4000 micro", "=", "main knn ttest:avg * micro")
	c.claim("the t-test is up to 4.2 points above chi with kNN (micro); here half of that would do", "4.2",
		"@ to @", slices.Min(minus(ttest, chi)), slices.Max(minus(ttest, chi))).
		each(func(*lookup) bool { return slices.Max(minus(ttest, chi)) >= 2.1 })
	c.claim("micro-F1 with kNN rises as terms are left out", "",
		"correlation with the number of terms: t @, chi @, IG @, ECE @, MI @",
		f.trend("main knn ttest:avg * micro"), f.trend("main knn chi:avg * micro"),
		f.trend("main knn ig * micro"), f.trend("main knn ece * micro"), f.trend("main knn mi:avg * micro")).
		each(func(f *lookup) bool {
			return f.trend("main knn {m} * micro") <= -0.5
		}, "m: ttest:avg chi:avg ig ece mi:avg")
	c.claim("the t-test is the best at every size with kNN (micro)", "", "").
		compare("main knn ttest:avg {k} micro", ">=", "main knn {m} {k} micro",
			sizes, "m: chi:avg ig ece mi:avg")
	c.claim("IG is the worst with kNN (micro)", "", "").
		compare("main knn ig {k} micro", "<=", "main knn {m} {k} micro",
			sizes, "m: chi:avg ttest:avg ece mi:avg")
	c.claim("macro-F1 with kNN: t-test, chi and ECE clearly above MI and IG", "", "").
		each(func(f *lookup) bool {
			return f.at("main knn {m} {k} macro") >= f.at("main knn {worse} {k} macro")+1
		}, "k: 11000 10000 8000 6000 4000 2000", "m: ttest:avg chi:avg ece", "worse: mi:avg ig")
	c.claim("macro-F1 with kNN: chi and ECE slightly better above 13,000 terms", "", "").
		compare("main knn {m} {k} macro", ">=", "main knn ttest:avg {k} macro", "k: 15000", "m: chi:avg ece")
	c.claim("macro-F1 with kNN: the t-test is best from 8,000 to 13,000 terms", "", "").
		compare("main knn ttest:avg {k} macro", ">=", "main knn {m} {k} macro", "k: 8000 10000 11000 13000",
			"m: chi:avg ece ig mi:avg")
	c.claim("with kNN IG is below MI (micro and macro)", "", "").
		compare("main knn ig {k} {f1}", "<", "main knn mi:avg {k} {f1}", "f1: micro macro",
			sizes)
	c.claim("SVM: t-test, chi and ECE are alike", "", "").
		each(func(f *lookup) bool { return apart(f.all("main svm ttest:avg|chi:avg|ece {k} micro")) <= 1 }, sizes)
	c.claim("SVM: t-test, chi and ECE are above IG and MI (micro), MI apart from its best range", "", "").
		compare("main svm {m} {k} micro", ">", "main svm {worse} {k} micro",
			smaller, "m: ttest:avg chi:avg ece", "worse: mi:avg ig")
	c.claim("SVM: micro-F1 rises as terms are left out", "",
		"correlation with the number of terms: t @, chi @, ECE @, IG @",
		f.trend("main svm ttest:avg * micro"), f.trend("main svm chi:avg * micro"),
		f.trend("main svm ece * micro"), f.trend("main svm ig * micro")).
		each(func(f *lookup) bool { return f.trend("main svm {m} * micro") <= -0.5 }, "m: ttest:avg chi:avg ece ig")
	c.claim("SVM: macro-F1 rises as terms are left out", "",
		"correlation with the number of terms: t @, chi @, ECE @", f.trend("main svm ttest:avg * macro"),
		f.trend("main svm chi:avg * macro"), f.trend("main svm ece * macro")).
		each(func(f *lookup) bool { return f.trend("main svm {m} * macro") <= -0.5 }, "m: ttest:avg chi:avg ece")
	c.claim("SVM: MI is the best from 15,000 terms up", "", "").
		compare("main svm mi:avg {k} {f1}", ">=", "main svm {m} {k} {f1}", "f1: micro macro", "k: 15000",
			"m: ttest:avg chi:avg ece ig")
	c.claim("SVM: MI collapses below", "",
		"micro-F1 [main svm mi:avg 2000 micro] at 2,000 after [main svm mi:avg 15000 micro] at 15,000").
		than("main svm mi:avg 2000 micro", "<=", 1, "main svm mi:avg 15000 micro", -10)
	c.claim("SVM: the t-test is the best in micro-F1", "", "").
		compare("main svm ttest:avg {k} micro", ">=", "main svm {m} {k} micro",
			smaller, "m: chi:avg ece ig mi:avg")
	c.claim("centroid: chi, ECE and t-test above MI and IG", "", "").
		compare("main centroid {m} {k} {f1}", ">", "main centroid {worse} {k} {f1}", "f1: micro macro",
			smaller, "m: ttest:avg chi:avg ece", "worse: mi:avg ig")
	c.claim("centroid: chi is slightly the best", "", "").
		compare("main centroid chi:avg {k} {f1}", ">=", "main centroid {m} {k} {f1}", "f1: micro macro",
			smaller, "m: ttest:avg ece")
	c.claim("averaging over the classes is better than the maximum, for chi, MI and the t-test", "", "").
		compare("main {c} {m}:avg {k} micro", ">=", "main {c} {m}:max {k} micro", "c: knn svm centroid",
			"m: chi mi ttest", "k: 10000 8000 6000 4000 2000")
	c.claim("Table 1: for acq, t-test, IG and MI put acquir and stake before payout and dividend", "", "").
		compare("acq order {by} {term}", "<=", "2", "by: ttest:class emi:class mi:class", "term: acquir stake")
	c.claim("Table 1: chi, ECE and TF put dividend before one of acquir and stake", "",
		"dividend is in place [acq order chi:class dividend] by chi, [acq order ece:class dividend] by "+
			"ECE, [acq order cf:class dividend] by TF, each for acq").
		compare("acq order {by} dividend", "<=", "2", "by: chi:class ece:class cf:class")
	c.unchecked("the values in the cells of Table 1", "they are lost in the text at hand")
}

// ttest20NG takes the documents of the version bydate, both parts together, divided at random, two thirds to train on,
// three times; figures are means, and claims are judged by the means. The paper's copy has 19,905 documents, this one
// 18,846, without cross-posts. The text is Subject, Keywords and body. The paper has 823 stop words, and drops words
// with other characters than letters; here are runs of letters and the SMART list of 570 words.
var ttest20NG = experiment{
	name: "ttest-20ng", title: "The t-test on term frequencies, 20 Newsgroups", paper: wang,
	measure: measureTTest20NG, decide: decideTTest20NG, tested: "main documents test",
}

func measureTTest20NG(ctx context.Context, m *measuring) {
	groups := recipe{
		file: "20news-bydate.tar.gz", charset: "latin-1", times: 3, share: 0.333333,
		analysis: analysis.Options{Tokens: "letters", Stop: "smart", Stem: "porter", Headers: "subject,keywords"},
	}
	m.step(ctx, "main", groups, grid("ltc", "ttest:avg chi:avg ig ece mi:avg ttest:max chi:max", []int{2000, 1500, 1000, 500, 200}, knn, svm, centroid))
	m.step(ctx, "whole", groups, grid("ltc", "chi:avg", []int{0}, knn, svm, centroid))
	at := func(weight, by, classifier string) step { return grid(weight, by, []int{1000}, classifier) }
	point := at("ltc", "ttest:avg", knn)
	m.sensitivity(ctx, onlyMicro, choice{"", groups, point},
		choice{"stop list SMART: none", groups.stop("none"), point},
		choice{"stop list SMART: Glasgow", groups.stop("glasgow"), point},
		choice{"stemmer Porter: none", groups.stem("none"), point},
		choice{"headers Subject, Keywords: all", groups.headers("keep"), point},
		choice{"combination average: maximum", groups, at("ltc", "ttest:max", knn)},
		choice{"weights ltc: tf·idf, unit length", groups, at("tfidf-unit", "ttest:avg", knn)},
		choice{"classifier kNN, k = 10: SVM", groups, at("ltc", "ttest:avg", svm)},
		choice{"classifier kNN, k = 10: centroid", groups, at("ltc", "ttest:avg", centroid)},
	)
}

func decideTTest20NG(c *claims) {
	c.find("Chi-square and IG are above the t-test with kNN, as the paper has it; with the SVM and centroids " +
		"the t-test is above MI alone.")
	c.claim("kNN: chi and IG slightly above the t-test (micro)", "", "").
		compare("main knn {m} {k} micro", ">", "main knn ttest:avg {k} micro", "k: 2000 1500 1000 500 200",
			"m: chi:avg ig")
	c.claim("SVM: the t-test slightly the best (micro)", "", "").
		compare("main svm ttest:avg {k} micro", ">=", "main svm {m} {k} micro", "k: 2000 1500 1000 500 200",
			"m: chi:avg ig ece mi:avg")
	c.claim("SVM: t-test, chi, IG and ECE are alike (micro; here: within a point)", "", "").
		each(func(f *lookup) bool {
			return apart(f.all("main svm ttest:avg|chi:avg|ig|ece {k} micro")) <= 1
		}, "k: 2000 1500 1000 500 200")
	c.claim("centroid: the t-test slightly the best (micro)", "", "").
		compare("main centroid ttest:avg {k} micro", ">=", "main centroid {m} {k} micro",
			"k: 2000 1500 1000 500 200", "m: chi:avg ig ece mi:avg")
	c.claim("MI is the worst everywhere", "", "").
		compare("main {c} mi:avg {k} micro", "<", "main {c} {m} {k} micro", "c: knn svm centroid",
			"k: 2000 1500 1000 500 200", "m: ttest:avg chi:avg ig ece")
	c.claim("averaging over the classes is better than the maximum", "", "").
		compare("main {c} {m}:avg {k} micro", ">=", "main {c} {m}:max {k} micro", "c: knn svm centroid",
			"m: chi ttest", "k: 2000 1500 1000 500 200")
}
