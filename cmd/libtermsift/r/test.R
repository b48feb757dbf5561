# Tests of termsift.R: Rscript test.R SHIM
suppressPackageStartupMessages(library(Matrix))
source("termsift.R")
termsift_load(commandArgs(TRUE)[1])

expect <- function(ok, what) if (!isTRUE(ok)) stop(what, call. = FALSE)
refused <- function(expr, pattern) {
  text <- tryCatch({ expr; "no error" }, error = conditionMessage)
  expect(grepl(pattern, text), paste0("\"", text, "\", want ", pattern))
}

# A thousand tables, each against chisq.test.
set.seed(1)
documents <- 300
y <- factor(sample(c("a", "b"), documents, TRUE, c(.3, .7)))
share <- runif(1000, .02, .98)
x <- Matrix(sapply(share, function(p) rbinom(documents, 1, ifelse(y == "a", p, p^2))), sparse = TRUE)
colnames(x) <- paste0("t", seq_along(share))
scores <- termsift_score(x, y, c("chi", "df", "ig"))
present <- scores$df > 0 & scores$df < documents
expect(sum(present) > 900, "most tables have four cells")
for (i in which(present)) {
  want <- suppressWarnings(chisq.test(table(x[, i] > 0, y), correct = FALSE)$statistic)
  expect(abs(scores$chi[i] - want) <= 1e-12 * max(1, want), paste("table", i, scores$chi[i], want))
}
expect(identical(scores$term, colnames(x)) && all(scores$df == colSums(x > 0)), "terms and df")

# Selection, dense matrices, several classes, documents without a class.
best <- termsift_select(x, y, 10, "ig")
expect(nrow(best) == 10 && !is.unsorted(rev(best$ig)) && identical(best$term, colnames(x)[best$column]), "selection")
expect(identical(termsift_score(as.matrix(x), y)$chi, scores$chi), "dense")
three <- factor(sample(letters[1:3], documents, TRUE))
expect(identical(termsift_score(x, three, "ttest", threads = 2), termsift_score(x, three, "ttest", threads = 1)), "threads")
some <- y
some[1:50] <- NA
expect(all(is.finite(termsift_score(x, some)$chi[present])), "documents without a class")
refused(termsift_score(x[, 0], y), "terms is 0")

# Mistakes.
refused(termsift_score(x, y[-1]), "y has 299 classes")
refused(termsift_score(-x, y), "document 4 and term 0: bad data: the value -1")
refused(termsift_score(x, y, "chi3"), "chi3")
refused(termsift_score(x, y, combin = "avg"), "combine")
refused(termsift_score(x, y, character()), "no measure")
refused(termsift_select(x, y, 0), "k must be")
broken <- x
broken@x[5] <- NaN
refused(termsift_score(broken, y), "not finite")

# A fork has no threads of Go: it is told, and does not hang.
forked <- parallel::mclapply(1:2, function(i) tryCatch(termsift_score(x, y), error = conditionMessage), mc.cores = 2)
expect(all(grepl("fork", unlist(forked))), "a forked process is told")
cat("passed", sum(present), "\n")
