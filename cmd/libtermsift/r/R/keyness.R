# Key words: the terms that one corpus uses more, or less, than another.

keyness <- function(target, reference, by = "ll", top = 20, ..., drift = FALSE, threads = 1) {
  given <- named(list(...))
  of_texts <- names(given) %in% analysis_options()
  analysis <- given[of_texts]
  if (inherits(target, "frequency_list")) refuse("usage", "target is a frequency list, which is a reference: exchange the two")
  if (length(analysis) && !is.character(target) && !is.character(reference)) {
    refuse("usage", names(analysis)[1], " says how texts are analysed, and target and reference are counted already")
  }
  comparison <- given[!of_texts]
  if (inherits(reference, "frequency_list")) comparison <- c(comparison, unclass(reference))
  options <- do.call(options_json, c(list(by = by, top = top_of(top), drift = drift, threads = threads), comparison))
  of_matrix <- !all(vapply(list(target, reference), function(side) is.character(side) || inherits(side, c("term_statistics", "frequency_list")), NA))
  with_side(target, "target", analysis, threads, function(target) {
    with_side(reference, "reference", analysis, threads, function(reference) {
      withCallingHandlers(
        with_made("keyness", list(target, reference), options, function(keys) keys_frame(read_columns("read", keys, 7), by, drift)),
        warning = function(w) if (of_matrix && grepl("which know no documents", conditionMessage(w), fixed = TRUE)) invokeRestart("muffleWarning")
      )
    })
  })
}

# Calls f with a handle of a side: texts, whose documents are kept for the dispersions, statistics or a matrix.
with_side <- function(side, name, analysis, threads, f) {
  if (inherits(side, "frequency_list")) return(f(NULL)) # the options have it
  if (inherits(side, "term_statistics")) return(with_statistics(side, f))
  if (!is.character(side)) return(count_matrix(side, NULL, name, f, threads = threads))
  do.call(count_texts, c(list(side, NULL, name, f, stats_only = FALSE, threads = threads), analysis))
}

keys_frame <- function(found, by, drift) {
  lists <- if (drift) c("new", "gone", "rising", "falling", "steady") else c("positive", "negative", "neither")
  names(found) <- c("term", "", "list", "numbers", "columns", "", "counts")
  numbers <- as.data.frame(matrix(found$numbers, length(found$term)))
  names(numbers) <- found$columns
  keys <- data.frame(term = found$term, key = factor(lists[found$list + 1L], lists), value = numbers[[by]], p = 10^numbers$log10p_corrected)
  passed <- found$counts[-1][seq_len(if (drift) 4 else 2)]
  names(passed) <- lists[seq_along(passed)]
  structure(cbind(keys, numbers), class = c("term_keyness", "data.frame"), by = by, tested = found$counts[1], passed = passed)
}

print.term_keyness <- function(x, ...) {
  shown <- c("term", "key", "value", "p", "tf", "tf_reference")
  if (!all(shown %in% names(x))) return(NextMethod())
  if (!is.null(attr(x, "by"))) cat("<", nrow(x), " key words by ", attr(x, "by"), " of ", attr(x, "tested"), " terms tested>\n", sep = "")
  print(structure(x[shown], class = "data.frame"), row.names = FALSE, ...)
  invisible(x)
}

summary.term_keyness <- function(object, ...) {
  list(by = attr(object, "by"), tested = attr(object, "tested"), passed = attr(object, "passed"), shown = table(object$key, dnn = NULL))
}

plot.term_keyness <- function(x, n = 20, main = "key words", xlab = attr(x, "by"), col = c("#4477aa", "#cc6677", "#4477aa", "#cc6677", "#999999"), ...) {
  if (nrow(x) == 0) refuse("nothing", "there are no key words to plot")
  first <- unlist(lapply(split(seq_len(nrow(x)), x$key), head, n), use.names = FALSE)
  best <- x[first[order(-x$value[first])], ]
  bars(best$term, best$value, main = main, xlab = xlab, col = col[as.integer(best$key)], ...)
}
