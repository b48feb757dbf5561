# Statistics: the counts of each term in each class. They are kept as bytes, which saveRDS() saves
# and another process reads; a handle of the library lives during a call only.

term_statistics <- function(x, ...) UseMethod("term_statistics")

term_statistics.character <- function(x, y = NULL, tokens = "auto", ngrams = 1, stop = NULL, stem = NULL, min_df = NULL, max_df = NULL, ..., threads = 1) {
  count_texts(x, y, "x", kept, tokens = tokens, ngrams = ngrams, stop = stop, stem = stem, min_df = min_df, max_df = max_df, ..., threads = threads)
}

term_statistics.default <- function(x, y = NULL, ..., threads = 1) count_matrix(x, y, "x", kept, ..., threads = threads)

# Counts texts, and calls f with the handle.
count_texts <- function(x, y, name, f, ngrams = NULL, stop = NULL, max_df = NULL, ...) {
  texts <- texts_of(x, name)
  if (length(texts) == 0) refuse("bad_input", name, " has 0 texts")
  y <- if (is.null(y)) one_class(length(texts)) else classes_of(y, length(texts), "texts")
  options <- options_json(ngrams = ngrams_of(ngrams), stop = stop_of(stop), max_df = bound_of(max_df), classes = class_names(y), ...)
  with_made("stats_texts", list(texts, labels_of(y)), options, f)
}

# Counts a matrix, whose columns need different names, and calls f with the handle.
count_matrix <- function(x, y, name, f, ...) {
  x <- matrix_of(x, name)
  y <- if (is.null(y)) one_class(nrow(x)) else classes_of(y, nrow(x), "documents")
  if (is.null(colnames(x))) refuse("bad_input", name, " has no names of columns: statistics need the terms, colnames(", name, ")")
  terms <- texts_of(colnames(x), paste0("colnames(", name, ")"))
  bad <- c(which(!nzchar(terms)), anyDuplicated(terms))
  if (any(bad > 0)) refuse("bad_input", "colnames(", name, ")[", bad[bad > 0][1], "] is ", encodeString(terms[bad[bad > 0][1]], quote = "\""), ", and names must differ and not be empty")
  options <- options_json(classes = class_names(y), ...)
  with_made("stats_matrix", list(x, terms, labels_of(y)), options, f)
}

# The statistics of a handle, in memory of R.
kept <- function(handle) {
  found <- read_columns("read", handle, 7)
  classes <- found[[6]]
  names(classes) <- found[[4]]
  bytes <- read_columns("save", handle, 1)[[1]]
  structure(class = "term_statistics", list(documents = found[[7]], terms = as.numeric(length(found[[1]])), classes = classes, bytes = bytes))
}

# Calls f with a handle of statistics.
with_statistics <- function(x, f) with_made("stats_load", list(x$bytes), "", f)

`+.term_statistics` <- function(e1, e2) {
  if (missing(e2) || !inherits(e1, "term_statistics") || !inherits(e2, "term_statistics")) refuse("usage", "statistics add up with statistics only")
  with_statistics(e1, function(a) with_statistics(e2, function(b) with_made("stats_add", list(a, b), "", kept)))
}

write_statistics <- function(x, file) {
  if (!inherits(x, "term_statistics")) refuse("usage", "x must be statistics, not of class ", class(x)[1])
  write_bytes(x$bytes, file)
}

read_statistics <- function(file) with_made("stats_load", list(read_bytes(file)), "", kept)

as.data.frame.term_statistics <- function(x, ...) {
  found <- with_statistics(x, function(handle) read_columns("read", handle, 3))
  data.frame(term = found[[1]], df = found[[3]])
}

print.term_statistics <- function(x, ...) {
  cat("<statistics: ", x$documents, " documents, ", x$terms, " terms, ", length(x$classes), " classes>\n", sep = "")
  invisible(x)
}

summary.term_statistics <- function(object, n = 10, ...) {
  terms <- as.data.frame(object)
  structure(class = "summary.term_statistics", list(statistics = object, classes = object$classes, frequent = head(terms, n)))
}

print.summary.term_statistics <- function(x, ...) {
  print(x$statistics)
  if (length(x$classes)) {
    cat("documents of each class:\n")
    print(x$classes)
  }
  cat("terms of most documents:\n")
  print(x$frequent, row.names = FALSE)
  invisible(x)
}
