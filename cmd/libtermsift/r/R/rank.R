# Rankings: the terms of each class with their tables and p-values.

rank_terms <- function(x, ...) UseMethod("rank_terms")

rank_terms.default <- function(x, y, by = "chi", top = 20, class = NULL, p_values = FALSE, combine = "class", ..., threads = 1) {
  x <- matrix_of(x)
  colnames(x) <- terms_of(x)
  count_matrix(x, y, "x", function(handle) ranking_of(handle, by, top, class, p_values, combine, ..., threads = threads), threads = threads)
}

rank_terms.character <- function(x, y, by = "chi", top = 20, class = NULL, p_values = FALSE, combine = "class", ..., threads = 1) {
  further <- list(...)
  analysis <- names(further) %in% c(analysis_options(), "min_df", "max_df")
  rank <- function(handle) do.call(ranking_of, c(list(handle, by, top, class, p_values, combine, threads = threads), further[!analysis]))
  do.call(count_texts, c(list(x, y, "x", rank, threads = threads), further[analysis]))
}

rank_terms.term_statistics <- function(x, by = "chi", top = 20, class = NULL, p_values = FALSE, combine = "class", ..., threads = 1) {
  with_statistics(x, function(handle) ranking_of(handle, by, top, class, p_values, combine, ..., threads = threads))
}

# The ranking of statistics as a data frame.
ranking_of <- function(handle, by, top, class, p_values, combine, ...) {
  by <- measures_of(by)
  if (!is.null(class)) class <- as.list(as.character(class_labels(class)))
  if (is.null(combine)) combine <- ""
  options <- options_json(by = as.list(by), top = top_of(top), class = class, p_values = p_values, combine = combine, ...)
  found <- with_made("rank", list(handle), options, function(ranking) read_columns("read", ranking, 4))
  names(found) <- c("measure", "class", "term", "numbers")
  known <- read_columns("read", handle, 5)
  terms <- known[[1]]
  classes <- known[[4]]
  numbers <- as.data.frame(matrix(found$numbers, length(found$term)))
  names(numbers) <- c("value", "df", "a", "b", "c", "d", "sign", "p", "p_corrected")
  numbers$p <- 10^numbers$p
  numbers$p_corrected <- 10^numbers$p_corrected
  if (!p_values) numbers$p <- numbers$p_corrected <- NULL
  if (all(found$class < 0)) numbers <- numbers[setdiff(names(numbers), c("a", "b", "c", "d", "sign"))]
  frame <- list(measure = by[found$measure + 1L], class = classes[replace(found$class, found$class < 0, NA) + 1L], term = terms[found$term + 1L])
  cbind(as.data.frame(frame[c(length(by) > 1, !all(found$class < 0), TRUE)]), numbers)
}

# The option top, of which Inf is "all".
top_of <- function(top) if (is.numeric(top) && length(top) == 1 && isTRUE(top == Inf)) "all" else top
