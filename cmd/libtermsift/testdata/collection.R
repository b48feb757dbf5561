# The package has the command's numbers on real collections: collection.R COMMAND 20NEWS REVIEWS FOLDER, where 20NEWS
# is the unpacked test part of 20 Newsgroups, and REVIEWS the table of shop reviews.
suppressPackageStartupMessages(library(Matrix))
library(termsift)
arguments <- commandArgs(TRUE)
setwd(arguments[4])
measures <- c("chi", "ig", "mi", "ttest", "anova", "or")

expect <- function(ok, what) if (!isTRUE(ok)) stop(what, call. = FALSE)
command <- function(...) {
  expect(system2(arguments[1], c(...), stdout = "out", stderr = "err") == 0, paste(readLines("err"), collapse = "\n"))
}
table <- function(file) read.delim(file, quote = "", na.strings = "", colClasses = c(term = "character"), encoding = "UTF-8")

# Numbers that R has read from texts are the next to the right ones at times.
equal <- function(got, want) identical(is.na(got), is.na(want)) && all(is.na(got) | got == want | abs(got - want) <= 2^-52 * abs(want))

# The command's values are those of a data frame of term_scores.
same_scores <- function(found, index, what) {
  command("score", "--by", paste(measures, collapse = ","), "--all", "--format", "tsv", index)
  all <- table("out")
  for (by in measures) {
    want <- all[all$measure == by, ]
    place <- match(want$term, found$term)
    expect(!anyNA(place) && nrow(want) == nrow(found) && equal(found[[by]][place], want$value), paste(what, by))
  }
  nrow(want)
}

# 20 Newsgroups: mail in latin1, read by R and by the command.
files <- sort(list.files(arguments[2], recursive = TRUE))
texts <- vapply(file.path(arguments[2], files), function(f) rawToChar(readBin(f, "raw", file.size(f))), "", USE.NAMES = FALSE)
Encoding(texts) <- "latin1"
labels <- dirname(files)
command("index", arguments[2], "--charset", "latin-1", "-o", "news.idx")
news <- term_statistics(texts, labels, threads = 2)
terms <- same_scores(term_scores(news, measures, threads = 2), "news.idx", "20 Newsgroups")
command("select", "--by", "ig", "-k", "500", "news.idx", "-o", "features.tsv")
features <- select_terms(texts, labels, "ig", 500, threads = 2)
expect(identical(as.data.frame(read_features("features.tsv")), as.data.frame(features)), "features") # which the library reads
command("transform", "--by", "df", "-k", "100000000", "--weight", "tf", "--to", "mtx", "news.idx", "-o", "news.mtx")
m <- read_matrix("news.mtx")
invisible(same_scores(term_scores(m$x, m$labels, measures), "news.idx", "a matrix"))
expect(identical(term_scores(term_statistics(m$x, m$labels), measures), term_scores(news, measures)), "statistics of a matrix")
space <- labels == "sci.space"
command("keyness", file.path(arguments[2], c("sci.space", "sci.med")), "--charset", "latin-1", "--top", "50", "--format", "tsv")
want <- table("out")
found <- keyness(texts[space], texts[labels == "sci.med"], top = 50)
expect(identical(found$term, want$term) && identical(as.character(found$key), want$key), "key words")
columns <- intersect(names(found), names(want)[vapply(want, is.numeric, NA)])
for (column in columns) expect(equal(found[[column]], want[[column]]), paste("keyness", column))
expect(length(columns) == 25, paste(columns, collapse = " "))
of_matrix <- keyness(m$x[dirname(rownames(m$x)) == "sci.space", ], m$x[dirname(rownames(m$x)) == "sci.med", ], top = 50)
expect(identical(of_matrix$term, found$term) && identical(of_matrix$ll, found$ll), "keyness of matrices")

# Reviews in Chinese: the texts decide for pairs of characters, in R as in the command.
reviews <- read.csv(arguments[3], encoding = "UTF-8")
reviews <- reviews[seq(1, nrow(reviews), 8), ]
write.csv(reviews, "reviews.csv", row.names = FALSE, fileEncoding = "UTF-8")
command("index", "reviews.csv", "--text-field", "review", "--label-field", "cat", "-o", "reviews.idx")
chinese <- term_statistics(reviews$review, reviews$cat, threads = 2)
invisible(same_scores(term_scores(chinese, measures, threads = 2), "reviews.idx", "reviews"))
cat("passed", length(texts), "documents,", terms, "terms;", nrow(reviews), "reviews,", chinese$terms, "terms\n")
