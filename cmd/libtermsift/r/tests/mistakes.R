# What users do wrong is told: where, what, and what to do.
source("common/expect.R")

x <- Matrix(c(1, 0, 2, 0, 3, 1, 1, 1, 0), 3, sparse = TRUE, dimnames = list(NULL, c("a", "b", "c")))
y <- c("u", "v", "u")

handle <- function() .Call(termsift:::C_make, "stats_load", list(term_statistics(texts)$bytes), "")$value
first <- handle()

# Matrices.
refused(term_scores(x, y[-1]), "usage", "y has 2 labels, and there are 3 documents")
refused(term_scores(-x, y), "bad_input", "x\\[1, \"a\"\\] is -1: values must be counts or weights from 0 to below 2\\^63")
for (v in c(NaN, NA, Inf, 2^63)) {
  broken <- x
  broken@x[4] <- v
  refused(term_scores(broken, y), "bad_input", paste0("x\\[3, \"b\"\\] is ", gsub("+", "\\+", format(v), fixed = TRUE)))
}
broken <- x
broken@i[2] <- 7L
refused(term_scores(broken, y), "bad_input", "^termsift: x is broken: ")
broken <- x
broken@i[2] <- 0L
refused(term_scores(broken, y), "bad_input", "^termsift: x is broken: ")
refused(term_scores(x[, 0], y), "bad_input", "x has 3 documents and 0 terms")
refused(term_scores(data.frame(a = 1:3), y), "usage", "x is a data frame")
refused(term_scores(letters[1:3], y), "usage", "x must be a matrix of documents by terms")
refused(term_scores(list(1), y), "usage", "not of class list")
refused(term_statistics(unname(x), y), "bad_input", "x has no names of columns")
twice <- x
colnames(twice) <- c("a", "b", "a")
refused(keyness(x, twice), "bad_input", "colnames\\(reference\\)\\[3\\] is \"a\", and names must differ")
colnames(twice) <- c("a", "", "c")
refused(term_statistics(twice), "bad_input", "colnames\\(x\\)\\[2\\] is \"\"")

# Labels.
refused(term_scores(x, c("u", NA, "v")), "bad_input", "y\\[2\\] is NA: leave out documents without a label")
for (exclude in list(NA, NULL)) refused(term_scores(x, factor(c("u", NA, "v"), exclude = exclude)), "bad_input", "y\\[2\\] is NA")
refused(term_scores(x, c("u", "", "v")), "bad_input", "y\\[2\\] is an empty text")
refused(term_scores(x, list("u", c("v", NA), "v")), "bad_input", "y\\[\\[2\\]\\] has a label that is NA or empty")
refused(term_scores(x, data.frame(y)), "usage", "y is a data frame: give the column")
refused(term_scores(x, sum), "usage", "y must be a factor, a vector or a list")

expect(is.data.frame(warned(term_scores(x, c("u", "u", "u")), "one class only \\(u\\)")), "one class")

# Measures and options.
refused(term_scores(x, y, character()), "usage", "by must be the names of measures")
refused(term_scores(x, y, c("chi", "chi")), "usage", "by has \"chi\" twice")
refused(term_scores(x, y, combin = "avg"), "usage", "combine")
refused(term_scores(x, y, "chi", 5), "usage", "needs a name")
refused(term_scores(x, y, threads = 1025), "usage", "threads")
refused(term_scores(x, y, threads = NA), "usage", "must not be empty or NA")
refused(term_scores(x, y, base = Inf), "usage", "finite number, not Inf")
refused(select_terms(x, y), "usage", "k, the number of terms, is missing")
for (k in list(0, 1.5, NA, "some", 1:2, -Inf)) refused(select_terms(x, y, k = k), "usage", "k must be a whole number from 1 on")
refused(select_terms(x, y, c("chi", "ig"), 2), "usage", "one measure selects, not 2")
refused(select_terms(texts, labels), "usage", "k")
refused(select_terms(texts, labels, k = 2, min_dff = 2), "usage", "min_df")
refused(select_terms(texts, labels, k = 2, min_df = -1), "usage", "option \"min_df\" must be 0 or more, not -1")
refused(term_statistics(texts, ngrams = 1.5), "usage", "ngrams must be whole numbers")

# Texts.
refused(term_statistics(c("a", NA)), "bad_input", "x\\[2\\] is NA: leave out texts that are missing")
refused(keyness(c("aa bb", "cc"), c(NA, "bb")), "bad_input", "reference\\[1\\] is NA")
refused(term_statistics(character()), "bad_input", "x has 0 texts")
refused(select_terms(texts, labels[-1], k = 2), "usage", "y has 7 labels, and there are 8 texts")
refused(term_statistics(data.frame(texts)), "usage", "x is a data frame")

refused(rank_terms(x, y, stop = "english"), "usage", "unknown option \"stop\"")
refused(rank_terms(x, y, "chi", 5, NULL, FALSE, "class", 3), "usage", "needs a name")

# Statistics and features.
s <- term_statistics(texts, labels)
refused(s + 1, "usage", "statistics add up with statistics only")
refused(s + term_statistics(texts, labels, stem = "english"), "bad_input", "stem")
refused(keyness(s, x), "bad_input", "the tokens of the target is \"words\", that of the reference \"matrix\"")
refused(keyness(space, food, min_freq = 0), "usage", "option \"min_freq\" must be 1 or more, not 0")
refused(keyness(space, space), "nothing", "max_p 1 and min_freq 1 leave no term out")
refused(keyness(space, frequency_list(c(a = 1.5), 3)), "usage", "are no counts")
refused(keyness(space, frequency_list(c(a = 1), 3), by = "zeta"), "usage", "zeta counts the documents with each term")
refused(keyness(frequency_list(c(a = 1), 3), space), "usage", "exchange the two")
refused(frequency_list(c(1, 2), 3), "usage", "whose names are the terms")
refused(frequency_list(c(a = NA_real_), 3), "bad_input", "counts has an NA")
refused(keyness(s, s, stop = "english"), "usage", "stop says how texts are analysed")
refused(keyness(space, 1:3), "usage", "reference must be a matrix of documents by terms")
cut <- s
cut$bytes <- cut$bytes[1:100]
refused(term_scores(cut), "corrupt", "")
refused(term_matrix("a", select_terms(term_statistics(x, y), k = 2)), "usage", "matrix")
refused(term_matrix("a", s), "usage", "features must be what select_terms\\(\\) makes")
refused(term_matrix(NA_character_, select_terms(s, k = 2)), "bad_input", "texts\\[1\\] is NA")
refused(read_statistics(tempfile()), "io", "")
refused(write_statistics(s, file.path(tempfile(), "none")), "io", "")
bytes <- tempfile()
writeBin(as.raw(1:50), bytes)
refused(read_statistics(bytes), "corrupt", "")
refused(read_features(bytes), "bad_input", "")

refused(read_matrix(tempfile()), "io", "there is no file .*: termsift transform --to mtx writes the matrix")
writeLines(c("%%MatrixMarket matrix coordinate real general", "2 1 1", "1 1 3"), bytes)
writeLines(c("term\tdf", "orbit\t1"), paste0(bytes, ".terms.tsv"))
writeLines(c("id\tlabels", "one\tspace"), paste0(bytes, ".documents.tsv"))
refused(read_matrix(bytes), "bad_input", "has 2 documents and 1 terms, and the files beside it have 1 and 1")

# A fork has no threads of Go: it is told, and does not hang. A cluster of processes works.
forked <- parallel::mclapply(1:2, function(i) tryCatch(term_scores(x, y), error = identity), mc.cores = 2)
for (e in forked) expect(inherits(e, "termsift_forked") && grepl("parLapply with makeCluster", conditionMessage(e)), "a forked process is told")
expect(identical(parallel::mclapply(1:2, function(i) capture.output(print(s)), mc.cores = 2)[[2]], capture.output(print(s))), "statistics are printed in a fork")
cluster <- parallel::makeCluster(2)
invisible(parallel::clusterCall(cluster, .libPaths, .libPaths()))
expect(identical(parallel::parLapply(cluster, list(x, x), function(x, y) termsift::term_scores(x, y), y)[[2]], term_scores(x, y)), "a cluster")
parallel::stopCluster(cluster)

# R's own errors go on as before the library was loaded.
expect(inherits(tryCatch((function(f) f(f))(function(f) f(f)), error = identity), "error"), "recursion without end")
expect(identical(term_scores(x, y), term_scores(x, y)), "and after it")

# Ctrl-C ends a long call before it is done, and the next one is right.
set.seed(3)
many <- rep(vapply(1:300, function(i) paste(sample.int(20000, 600, TRUE), collapse = " x"), ""), 20)
script <- tempfile(fileext = ".sh")
for (try in 1:10) { # a signal between two calls is R's own
  writeLines(c(paste("sleep", 0.4 + 0.17 * try), paste("kill -INT", Sys.getpid())), script)
  system2("sh", script, wait = FALSE)
  ended <- tryCatch(for (i in 1:1000) term_statistics(many, ngrams = "1-5"), interrupt = identity)
  expect(inherits(ended, "interrupt"), "Ctrl-C ends a loop")
  if (identical(conditionMessage(ended), "the call was cancelled")) break
}
expect(identical(conditionMessage(ended), "the call was cancelled"), "Ctrl-C ends a call")
expect(identical(term_scores(x, y), term_scores(x, y)) && nrow(keyness(space, food, max_p = 1, min_freq = 1)) > 1, "after Ctrl-C")

# No call has left a handle behind, also not those that ended by a warning.
expect(inherits(tryCatch(keyness("aa bb", "cc dd", max_p = 1, min_freq = 1), warning = identity), "warning"), "a warning that ends a call")
last <- handle()
expect(last > first + 100, "handles")
for (n in seq(first, last)) {
  left <- !grepl("there is no handle", .Call(termsift:::C_read, "read", list(as.numeric(n)), 7L)$text)
  expect(left == n %in% c(first, last), paste("handle", n, "is left"))
}
cat("passed\n")
