# Terms that were selected from texts or statistics, and rows of texts over them.

# The features of a model of the library. Their bytes are those of a features file.
features_of <- function(model, by) {
  found <- read_columns("read", model, 4)
  terms <- data.frame(term = found[[1]], score = found[[3]], df = found[[4]])
  structure(class = "term_features", list(terms = terms, by = by, bytes = read_columns("save", model, 1)[[1]]))
}

# The matrix of texts by features, a dgCMatrix.
term_matrix <- function(texts, features, weight = "tf", threads = 1) {
  if (!inherits(features, "term_features")) refuse("usage", "features must be what select_terms() makes of texts or statistics, not of class ", class(features)[1])
  names <- names(texts)
  texts <- texts_of(texts, "texts")
  if (length(texts) == 0) refuse("bad_input", "there are 0 texts")
  options <- options_json(weight = weight, threads = threads)
  rows <- with_made("model_load", list(features$bytes), "", function(model) {
    with_made("transform", list(model, texts), options, function(rows) read_columns("read", rows, 3))
  })
  sparseMatrix(i = rep(seq_along(texts), diff(rows[[1]])), j = rows[[2]] + 1L, x = rows[[3]], dims = c(length(texts), length(features)), dimnames = list(names, features$terms$term))
}

write_features <- function(x, file) {
  if (!inherits(x, "term_features")) refuse("usage", "x must be what select_terms() makes of texts or statistics, not of class ", class(x)[1])
  write_bytes(x$bytes, file)
}

read_features <- function(file) {
  with_made("model_load", list(read_bytes(file)), "", function(model) features_of(model, "score"))
}

write_bytes <- function(bytes, file) {
  tryCatch(writeBin(bytes, path.expand(file)), error = function(e) refuse("io", conditionMessage(e)), warning = function(w) refuse("io", conditionMessage(w)))
  invisible(file)
}

read_bytes <- function(file) {
  tryCatch(readBin(path.expand(file), "raw", file.size(file)), error = function(e) refuse("io", conditionMessage(e)), warning = function(w) refuse("io", conditionMessage(w)))
}

length.term_features <- function(x) nrow(x$terms)

as.character.term_features <- function(x, ...) x$terms$term

as.data.frame.term_features <- function(x, ...) x$terms

print.term_features <- function(x, n = 10, ...) {
  cat("<", length(x), " terms by ", x$by, ">\n", sep = "")
  print(head(x$terms, n), row.names = FALSE)
  invisible(x)
}

plot.term_features <- function(x, n = 20, main = paste("best terms by", x$by), xlab = x$by, col = "#4477aa", ...) {
  best <- head(x$terms, n)
  bars(best$term, best$score, main = main, xlab = xlab, col = col, ...)
}

# A bar for each term, the first at the top.
bars <- function(terms, values, col, ...) {
  last <- rev(seq_along(terms))
  old <- par(mar = c(4, 1 + 0.6 * max(nchar(terms, "width"), 4), 3, 1), no.readonly = TRUE)
  on.exit(par(old))
  whole <- range(pretty(c(0, values[is.finite(values)]))) # the axis has the ends of all bars
  draw <- function(..., xlim = whole) barplot(..., xlim = xlim)
  draw(values[last], names.arg = terms[last], horiz = TRUE, las = 1, border = NA, col = rep_len(col, length(terms))[last], ...)
  invisible(terms)
}
