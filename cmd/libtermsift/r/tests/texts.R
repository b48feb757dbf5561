# Texts: selection, matrices, statistics, key words.
source("common/expect.R")

# Selection and rows.
features <- select_terms(texts, labels, "chi", 3)
expect(length(features) == 3 && setequal(as.character(features), c("orbit", "bread", "salt")), "features")
m <- term_matrix(c(a = "bread and more bread", b = "nothing"), features)
expect(is(m, "dgCMatrix") && identical(dim(m), c(2L, 3L)) && m["a", "bread"] == 2 && sum(m) == 2 && identical(rownames(m), c("a", "b")), "rows")
file <- tempfile()
write_features(features, file)
again <- read_features(file)
expect(identical(as.data.frame(again), as.data.frame(features)) && identical(term_matrix(texts, again), term_matrix(texts, features)), "features in a file")
tfidf <- term_matrix(texts, features, weight = "tfidf-unit")
expect(all(abs(rowSums(tfidf^2)[rowSums(tfidf) > 0] - 1) < 1e-6), "weights")
few <- warned(select_terms(texts, labels, fdr = .3), "p_values of chi are not to be relied on")
expect(length(few) > 0 && all(few$terms$term %in% c("orbit", "bread", "salt")), "another criterion")
invisible(capture.output(print(features), summary(features)))

# Names of classes are numbers as files have them.
numbered <- function(y) names(term_statistics(texts, y)$classes)
expect(identical(numbered(rep(c(100000, 1e15), 4)), c("100000", "1000000000000000")) && identical(numbered(rep(c(-3e5, 0.00001), 4)), c("-300000", "0.00001")), "numbers")
expect(identical(numbered(as.list(rep(c(1e5, 2.5), 4))), c("100000", "2.5")) && identical(numbered(rep(c(100000L, 1L), 4)), c("1", "100000")), "lists of numbers")
expect(all(rank_terms(texts, rep(c(1e5, 2e5), 4), class = 1e5)$class == "100000"), "a class by its number")

# A note is told once a session, and says how to silence it.
chinese <- "\u6708\u4eae\u4e0a\u6709\u5154\u5b50"
invisible(warned(term_statistics(chinese), "most letters at the beginning are Han.*to name tokens silences this"))
expect(is.null(tryCatch({ term_statistics(chinese); NULL }, warning = identity)), "a note that was told")

# Options of the analysis.
terms <- function(...) as.data.frame(term_statistics(texts, labels, ...))$term
expect("the moon" %in% terms(ngrams = c(1, 2)) && identical(terms(ngrams = 1:2), terms(ngrams = "1-2")) && !"moon" %in% terms(ngrams = 2), "ngrams")
expect(!"the" %in% terms(stop = "english") && !"moon" %in% terms(stop = c("moon", "the")) && !"moon" %in% terms(stop = list("moon")), "stop words")
expect("bak" %in% terms(stem = "english") || "bake" %in% terms(stem = "english"), "stems")
expect(!"probe" %in% terms(min_df = 3) && identical(terms(min_df = .3), terms(min_df = 3)) && identical(terms(max_df = Inf), terms()), "bounds")

expect("orb" %in% terms(tokens = "char", ngrams = c(3, 5)) && "orbit" %in% terms(tokens = "char", ngrams = 5), "characters")
expect(all(grepl("^[0-9]+$", terms(hash_bits = 20))), "hash bits")
expect(length(terms(tokens = "pattern:[a-m]+")) > 3 && all(grepl("^[a-m]+$", terms(tokens = "pattern:[a-m]+"))), "a pattern")
accents <- function(...) as.data.frame(term_statistics("Caf\u00e9", ...))$term
expect(identical(c(accents(), accents(strip_accents = "unicode"), accents(keep_case = TRUE)), c("caf\u00e9", "cafe", "Caf\u00e9")), "accents and case")

# Statistics: parts add up, and survive another process.
whole <- term_statistics(texts, labels)
sum <- term_statistics(space, labels[1:4]) + term_statistics(food, labels[5:8])
expect(identical(term_scores(sum), term_scores(whole)) && identical(sum$classes, whole$classes), "a sum")
expect(identical(whole$classes, c(food = 4, space = 4)) && whole$documents == 8 && whole$terms == nrow(as.data.frame(whole)), "sizes")
saveRDS(whole, file)
script <- tempfile(fileext = ".R")
writeLines(c("library(termsift)", "a <- commandArgs(TRUE)", "print(term_scores(readRDS(a[1]), c('chi', 'ig')), digits = 17)"), script)
other <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script, file), stdout = TRUE)
expect(identical(other, capture.output(print(term_scores(whole, c("chi", "ig")), digits = 17))), "another process")
write_statistics(whole, file)
expect(identical(read_statistics(file), whole), "statistics in a file")
expect(identical(as.character(select_terms(whole, "chi", 3)), as.character(features)), "selection from statistics")
expect(identical(term_matrix(texts, select_terms(whole, "chi", 3)), m2 <- term_matrix(texts, features)) && nrow(m2) == 8, "rows by statistics")

# Those of a matrix are those of the texts that it was counted from.
all <- select_terms(texts, labels, "df", "all")
x <- term_matrix(texts, all)
counted <- term_statistics(x, labels)
expect(identical(term_scores(counted, c("chi", "ttest")), term_scores(whole, c("chi", "ttest"))), "statistics of a matrix")
expect(identical(term_scores(x, labels, "chi")$chi[match(as.data.frame(whole)$term, colnames(x))], term_scores(whole)$chi), "the matrix itself")
expect(identical(term_scores(term_statistics(x[1:3, ], labels[1:3]) + term_statistics(x[-(1:3), ], labels[-(1:3)])), term_scores(whole)), "sums of matrices")

# Rankings by class: tables, signs and p-values are those of R.
ranking <- rank_terms(texts, labels, c("chi", "ig"), top = "all", p_values = FALSE)
expect(identical(ranking, rank_terms(whole, c("chi", "ig"), top = Inf)), "a ranking of statistics")
expect(identical(ranking, rank_terms(x, labels, c("chi", "ig"), top = Inf)), "a ranking of a matrix")
chi <- warned(rank_terms(texts, labels, top = 3, p_values = TRUE, correct = "bh"), "not to be relied on")
expect(identical(chi$class, rep(c("food", "space"), each = 3)) && identical(chi$term, rep(c("bread", "orbit", "salt"), 2)), "classes")
for (i in seq_len(nrow(chi))) {
  two <- table(factor(x[, chi$term[i]] > 0, c(TRUE, FALSE)), factor(labels == chi$class[i], c(TRUE, FALSE)))
  test <- suppressWarnings(chisq.test(two, correct = FALSE))
  expect(identical(as.numeric(two), unlist(chi[i, c("a", "c", "b", "d")], use.names = FALSE)), "the table")
  expect(abs(chi$value[i] - test$statistic) < 1e-12 && abs(chi$p[i] - test$p.value) < 1e-12 && chi$p_corrected[i] >= chi$p[i], "values")
  expect(chi$sign[i] == sign(two[1, 1] * two[2, 2] - two[1, 2] * two[2, 1]) && chi$df[i] == sum(two[1, ]), "sign and df")
}
every <- suppressWarnings(rank_terms(texts, labels, top = "all", class = "food", p_values = TRUE, correct = "bh"))
expect(all(abs(every$p_corrected - p.adjust(every$p, "BH")) < 1e-12) && all(every$class == "food"), "corrected p-values")
expect(identical(names(rank_terms(whole, "df", combine = NULL)), c("term", "value", "df")), "values of no class")
expect(all(rank_terms(texts, labels, top = "all", positive = TRUE, stop = "english")$sign == 1), "positive")
expect(identical(rank_terms(unname(x[, c("moon", "bread")]), labels, top = 1)$term, c("2", "2")), "columns without names")

# Key words of texts, of statistics and of matrices.
of_texts <- keyness(space, food, top = "all", max_p = 1, min_freq = 1)
of_statistics <- warned(keyness(term_statistics(space), term_statistics(food), top = Inf, max_p = 1, min_freq = 1), "statistics, which know no documents")
of_matrices <- keyness(x[1:4, ], x[5:8, ], top = "all", max_p = 1, min_freq = 1)
shared <- setdiff(names(of_texts), grep("^d(p|pnorm)?(_reference)?$", names(of_texts), value = TRUE))
plain <- function(k) { k <- as.data.frame(unclass(k)[shared]); k }
expect(identical(plain(of_texts), plain(of_statistics)) && identical(plain(of_texts), plain(of_matrices)), "key words")
expect(all(is.finite(of_texts$dp[of_texts$tf > 0])) && all(is.nan(of_matrices$dp)), "dispersions need documents")
orbit <- of_texts[of_texts$term == "orbit", ]
observed <- c(orbit$tf, orbit$tf_reference)
sizes <- c(sum(x[1:4, ]), sum(x[5:8, ]))
two <- cbind(observed, sizes - observed)
expected <- outer(rowSums(two), colSums(two)) / sum(two)
ll <- 2 * sum(ifelse(observed > 0, observed * log(observed / expected[, 1]), 0))
g2 <- 2 * sum(ifelse(two > 0, two * log(two / expected), 0))
expect(abs(orbit$ll - ll) < 1e-12 && abs(orbit$g2 - g2) < 1e-12 && orbit$key == "positive" && orbit$value == orbit$ll, "by the formulas")
asked <- keyness(space, food, terms = c("moon", "bread"))
expect(identical(asked$term, c("moon", "bread")) && identical(as.character(asked$key), c("positive", "negative")) && all(is.nan(asked$rank)), "terms by name")
more <- keyness(space, food, by = "zeta", also = c("lrc", "tdk", "simplemaths"), top = "all", max_p = 1, min_freq = 1, smooth = 2, conf = 0.9)
expect(all(c("zeta", "lrc", "tdk", "simplemaths") %in% names(more)) && !"zeta" %in% names(asked), "measures that are asked for")
expect(isTRUE(all.equal(more$value, more$df / length(space) - more$df_reference / length(food))), "zeta is a difference of shares")
expect(isTRUE(all.equal(more$simplemaths, (more$per_million + 2) / (more$per_million_reference + 2))), "simple maths with a constant")
counted <- keyness(space, food, top = "all", max_p = 1, min_freq = 1)
totals <- counted$tf_reference[counted$tf_reference > 0]
names(totals) <- counted$term[counted$tf_reference > 0]
all_tokens <- round(1e6 * counted$tf_reference[counted$tf_reference > 0][1] / counted$per_million_reference[counted$tf_reference > 0][1])
of_list <- warned(keyness(space, frequency_list(totals, total = all_tokens), top = "all", max_p = 1, min_freq = 1), "frequency list, which has no documents to look at")
expect(identical(of_list$value, counted$value) && identical(of_list$term, counted$term) && all(is.nan(of_list$df_reference)), "a frequency list gives the keys of its corpus")
list_file <- tempfile(fileext = ".tsv")
writeLines(c(paste0("#total\t", all_tokens), paste(names(totals), totals, sep = "\t")), list_file)
expect(identical(suppressWarnings(keyness(space, frequency_list(list_file), top = "all", max_p = 1, min_freq = 1))$value, counted$value), "a list from a file")
drift <- keyness(space, food, drift = TRUE, top = "all", max_p = 1, min_freq = 1)
expect(identical(levels(drift$key), c("new", "gone", "rising", "falling", "steady")) && "gone" == drift$key[drift$term == "orbit"], "drift")
expect(identical(names(summary(of_texts)$passed), c("positive", "negative")) && attr(of_texts, "tested") > 5, "a summary")

# Methods print and plot.
pdf(NULL)
plot(of_texts)
expect(max(axTicks(1)) >= max(of_texts$value) && min(axTicks(1)) <= min(of_texts$value), "the axis has the ends of all bars")
expect(length(plot(of_texts)) > 5 && length(plot(features)) == 3 && length(plot(drift, n = 2)) >= 2, "plots")
invisible(dev.off())
expect(any(grepl("key words by ll", capture.output(print(of_texts)))) && any(grepl("orbit", capture.output(print(of_texts[1:2, ])))), "keyness is printed")
expect(any(grepl("8 documents", capture.output(print(summary(whole))))), "statistics are printed")
cat("passed\n")
