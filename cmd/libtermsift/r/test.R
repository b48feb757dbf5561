# Tests of termsift.R: Rscript test.R SHIM, with termsift in the PATH
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

# Several classes of a document: those of each class against all others, as one class is.
several <- lapply(seq_len(documents), function(i) c(as.character(y[i]), if (i %% 3 == 0) "third"))
both <- termsift_score(x, several, "chi")
for (i in which(present)[1:50]) {
  want <- max(vapply(c("a", "b", "third"), function(class) {
    table <- table(factor(x[, i] > 0, c(FALSE, TRUE)), factor(vapply(several, function(s) class %in% s, NA), c(FALSE, TRUE)))
    suppressWarnings(chisq.test(table, correct = FALSE)$statistic)
  }, 0))
  expect(abs(both$chi[i] - want) <= 1e-12 * max(1, want), paste("several classes, table", i, both$chi[i], want))
}
expect(identical(termsift_score(x, as.list(as.character(y))), termsift_score(x, as.character(y))), "a list of one class each")

# What the command writes, read as README.md reads it: classes that are called NA and EU, none, and several in one cell.
# The values are the command's.
recipe <- paste(readLines("README.md"), collapse = "\n")
recipe <- regmatches(recipe, gregexpr("```r\n(?s:.*?)```", recipe, perl = TRUE))[[1]]
recipe <- parse(text = gsub("```r|```", "", recipe[grep("readMM", recipe)]))
read <- function(lines) { # the corpus of JSON lines by the recipe, and its scores by the command
  folder <- tempfile()
  dir.create(folder)
  home <- setwd(folder)
  on.exit(setwd(home))
  writeLines(lines, "train.jsonl", useBytes = TRUE)
  stopifnot(system2("termsift", c("index", "train.jsonl", "-o", "train.idx"), stderr = FALSE) == 0)
  eval(recipe)
  stopifnot(system2("termsift", c("score", "--by", "chi,ig", "--all", "--format", "tsv", "train.idx"), stdout = "scores.tsv", stderr = FALSE) == 0)
  scores <- read.delim("scores.tsv", quote = "", na.strings = "", colClasses = c(term = "character"), encoding = "UTF-8")
  list(x = x, y = y, scores = scores)
}
for (lines in list(
  c('{"text":"aa bb","label":"NA"}', '{"text":"aa cc","label":"EU"}', '{"text":"bb cc"}', '{"text":"aa dd","label":"EU"}', '{"text":"bb dd NA","label":"NA"}'),
  c('{"text":"aa bb","labels":["x, y","NA"]}', '{"text":"aa cc","labels":["EU","caf\u00e9"]}', '{"text":"dd aa","labels":["a\\tb","back\\\\slash","c\\n"]}',
    '{"text":"cc"}', '{"text":"aa 001","labels":["EU"]}')
)) {
  corpus <- read(lines)
  found <- termsift_score(corpus$x, corpus$y, c("chi", "ig"))
  for (by in c("chi", "ig")) {
    want <- corpus$scores[corpus$scores$measure == by, ]
    expect(identical(found[[by]][match(want$term, found$term)], want$value), paste(by, "is not the command's"))
  }
}
expect(identical(corpus$y, list(c("NA", "x, y"), c("EU", "caf\u00e9"), c("a\tb", "back\\slash", "c\n"), character(), "EU")), "labels")

# Mistakes.
refused(termsift_score(x, y[-1]), "y has 299 classes")
refused(termsift_score(x, c(several[-1], NA)), "y\\[\\[300\\]\\] has a class that is NA")
refused(termsift_score(x, y, threads = 1025), "threads")
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
