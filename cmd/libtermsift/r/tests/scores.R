# Values of matrices: a thousand tables against chisq.test, and all forms that a matrix and its labels have.
source("common/expect.R")

set.seed(1)
documents <- 300
y <- factor(sample(c("a", "b"), documents, TRUE, c(.3, .7)))
share <- runif(1000, .02, .98)
x <- Matrix(sapply(share, function(p) rbinom(documents, 1, ifelse(y == "a", p, p^2))), sparse = TRUE)
colnames(x) <- paste0("t", seq_along(share))
scores <- term_scores(x, y, c("chi", "df", "ig"))
present <- scores$df > 0 & scores$df < documents
expect(sum(present) > 900, "most tables have four cells")
for (i in which(present)) {
  want <- suppressWarnings(chisq.test(table(x[, i] > 0, y), correct = FALSE)$statistic)
  expect(abs(scores$chi[i] - want) <= 1e-12 * max(1, want), paste("table", i, scores$chi[i], want))
}
expect(identical(scores$term, colnames(x)) && all(scores$df == colSums(x > 0)) && identical(names(scores), c("term", "chi", "df", "ig")[c(1, 2, 3, 4)]) ||
  identical(names(scores), c("term", "chi", "df", "ig")), "terms and df")

# All forms of one matrix.
same <- function(other, what) expect(identical(term_scores(other, y)$chi, scores$chi), what)
triplet <- as(x, "TsparseMatrix")
for (form in list(as.matrix(x), as(x, "RsparseMatrix"), triplet, as.matrix(x) > 0, as.table(as.matrix(x)))) same(form, class(form)[1])
tm <- list(i = triplet@i + 1L, j = triplet@j + 1L, v = triplet@x, nrow = nrow(x), ncol = ncol(x), dimnames = list(Docs = NULL, Terms = colnames(x)))
same(structure(tm, class = c("DocumentTermMatrix", "simple_triplet_matrix")), "a DocumentTermMatrix")
swapped <- list(i = tm$j, j = tm$i, v = tm$v, nrow = tm$ncol, ncol = tm$nrow, dimnames = list(Terms = colnames(x), Docs = NULL))
same(structure(swapped, class = c("TermDocumentMatrix", "simple_triplet_matrix")), "a TermDocumentMatrix")
setClass("dfm", contains = "dgCMatrix", slots = c(docvars = "data.frame")) # as quanteda has it
same(new("dfm", x, docvars = data.frame(y = y)), "a dfm")
expect(identical(term_scores(unname(x), y)$term[1:2], c("1", "2")), "columns without names")

# All forms of labels.
for (form in list(as.character(y), as.integer(y), y == "b", ordered(y), as.list(as.character(y)), factor(y, c("b", "a", "unused")))) {
  expect(identical(term_scores(x, form)$chi, scores$chi), paste("labels of class", class(form)[1]))
}
three <- factor(sample(letters[1:3], documents, TRUE))
expect(identical(term_scores(x, three, "ttest", threads = 2), term_scores(x, three, "ttest")), "threads")

# Several classes of a document: those of each class against all others, as one class is.
several <- lapply(seq_len(documents), function(i) c(as.character(y[i]), if (i %% 3 == 0) "third"))
several[1:50] <- list(character())
both <- term_scores(x, several, "chi")
for (i in which(present)[1:50]) {
  want <- max(vapply(c("a", "b", "third"), function(class) {
    table <- table(factor(x[, i] > 0, c(FALSE, TRUE)), factor(vapply(several, function(s) class %in% s, NA), c(FALSE, TRUE)))
    suppressWarnings(chisq.test(table, correct = FALSE)$statistic)
  }, 0))
  expect(abs(both$chi[i] - want) <= 1e-12 * max(1, want), paste("several classes, table", i, both$chi[i], want))
}

# Selection.
best <- select_terms(x, y, "ig", 10)
expect(length(best) == 10 && identical(names(best), colnames(x)[best]) && !is.unsorted(rev(scores$ig[best])), "selection")
expect(min(scores$ig[best]) >= max(scores$ig[-best], na.rm = TRUE), "the best")
expect(identical(colnames(x[, best]), names(best)), "a way to subset")
empty <- x
empty[, 3] <- 0
expect(length(select_terms(drop0(empty), y, k = "all")) == sum(scores$df > 0) - 1 && !3 %in% select_terms(drop0(empty), y, k = Inf), "a column without a document")
expect(is.nan(term_scores(empty, y)$chi[3]) && term_scores(empty, y)$df[3] == 0, "its value")

# Memory that cannot be written to: the values lie in a file that is mapped for reading.
file <- tempfile()
writeBin(x@x, file)
mapped <- x
mapped@x <- eval(parse(text = ".Internal(mmap_file(file, \"double\", TRUE, FALSE, FALSE))"))
same(mapped, "memory that is mapped read-only")
cat("passed", sum(present), "\n")

# Formulas of one's own, and what is wrong with one below its place.
written <- term_scores(x, y, c("chi", "mine=N*(A*D-B*C)^2/((A+B)*(C+D)*(A+C)*(B+D))", "most=max(A, B):sum"))
expect(all(abs(written[[3]] - written$chi)[scores$df > 0] <= 1e-12 * pmax(1, written$chi[scores$df > 0])), "chi as a formula")
expect(identical(names(written)[4], "most=max(A, B):sum"), "a formula with a combination")
expect(identical(rank_terms(x, y, "mine=A*D/(B*C+1)", top = 3)$term, rank_terms(x, y, "other=A*D/(1+C*B)", top = 3)$term), "ranks by formulas")
message <- tryCatch(term_scores(x, y, "mine=A*D/(B*Cc)"), error = conditionMessage)
expect(grepl("unknown name \"Cc\"; did you mean C?", message, fixed = TRUE) && grepl("\n  mine=A*D/(B*Cc)\n              ^", message, fixed = TRUE), message)
