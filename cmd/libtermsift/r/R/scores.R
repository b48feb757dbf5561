# Values of terms by measures, and selection by them.

term_scores <- function(x, ...) UseMethod("term_scores")

term_scores.default <- function(x, y, by = "chi", ..., combine = NULL, weight = NULL, threads = 1) {
  x <- matrix_of(x)
  y <- classes_of(y, nrow(x), "documents")
  by <- measures_of(by)
  options <- options_json(by = as.list(by), combine = combine, weight = weight, threads = threads, ...)
  answer <- .Call(C_numbers, "score", list(x, labels_of(y)), options, as.numeric(c(ncol(x) * length(by), ncol(x))))
  if (length(y$names) == 1) answer$text <- sub("class only (0)", paste0("class only (", y$names, ")"), answer$text, fixed = TRUE) # which has no name there
  found <- value_of(answer)
  scores_frame(terms_of(x), matrix(found[[1]], ncol(x)), by, found[[2]])
}

term_scores.term_statistics <- function(x, by = "chi", ..., combine = NULL, weight = NULL, threads = 1) {
  by <- measures_of(by)
  terms <- as.data.frame(x)
  scores <- vapply(by, function(measure) {
    options <- options_json(by = measure, k = "all", combine = combine, weight = weight, threads = threads, ...)
    found <- with_selected(x, options, function(model) read_columns("read", model, 3))
    found[[3]][match(terms$term, found[[1]])]
  }, numeric(nrow(terms)))
  scores_frame(terms$term, matrix(scores, nrow(terms)), by, terms$df)
}

# A data frame of terms: a column a measure, and df, which is also what the measure df gives.
scores_frame <- function(terms, scores, by, df) {
  values <- as.data.frame(scores)
  names(values) <- by
  values$df <- df
  cbind(data.frame(term = terms), values)
}

measures_of <- function(by) {
  if (!is.character(by) || length(by) == 0 || anyNA(by)) refuse("usage", "by must be the names of measures, as \"chi\" or c(\"chi\", \"ig\")")
  bad <- anyDuplicated(by)
  if (bad) refuse("usage", "by has \"", by[bad], "\" twice")
  by
}

measure_of <- function(by) if (length(measures_of(by)) == 1) by else refuse("usage", "one measure selects, not ", length(by))

select_terms <- function(x, ...) UseMethod("select_terms")

# The numbers of the k best columns, best first, named by the terms. A column without a document
# is never among them.
select_terms.default <- function(x, y, by = "chi", k, ...) {
  k <- terms_wanted(k)
  scores <- term_scores(x, y, measure_of(by), ...)
  best <- head(order(-scores[[by]], -scores$df), min(k, sum(scores$df > 0)))
  names(best) <- scores$term[best]
  best
}

select_terms.character <- function(x, y, by = "chi", k = NULL, tokens = "auto", ngrams = 1, stop = NULL, stem = NULL, min_df = NULL, max_df = NULL, ..., threads = 1) {
  texts <- texts_of(x, "x")
  y <- classes_of(y, length(texts), "texts")
  options <- options_json(
    by = measure_of(by), k = selection_size(k), tokens = tokens, ngrams = ngrams_of(ngrams), stop = stop_of(stop), stem = stem,
    min_df = min_df, max_df = bound_of(max_df), threads = threads, classes = class_names(y), ...
  )
  with_made("fit", list(texts, labels_of(y)), options, function(model) features_of(model, by))
}

select_terms.term_statistics <- function(x, by = "chi", k = NULL, ..., threads = 1) {
  options <- options_json(by = measure_of(by), k = selection_size(k), threads = threads, ...)
  with_selected(x, options, function(model) features_of(model, by))
}

# Calls f with a handle of the terms that are selected from statistics.
with_selected <- function(x, options, f) {
  with_statistics(x, function(statistics) with_made("select", list(statistics), options, f))
}

# A number of terms; "all" and Inf are all of them.
terms_wanted <- function(k) {
  if (missing(k)) refuse("usage", "k, the number of terms, is missing: k = 1000, or k = \"all\"")
  if (identical(k, "all")) return(Inf)
  if (!is.numeric(k) || length(k) != 1 || is.na(k) || k < 1 || is.finite(k) && k != round(k)) refuse("usage", "k must be a whole number from 1 on, or \"all\"")
  k
}

# The option k, which another option may stand in for, such as fdr.
selection_size <- function(k) {
  if (is.null(k)) return(NULL)
  k <- terms_wanted(k)
  if (is.finite(k)) k else "all"
}
