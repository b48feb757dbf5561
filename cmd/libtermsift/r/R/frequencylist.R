# The frequencies of a corpus that is not at hand, as the reference of keyness().

frequency_list <- function(counts, total = NULL, documents = NULL) {
  if (is.character(counts) && length(counts) == 1) {
    list <- path.expand(counts)
  } else if (is.data.frame(counts) && ncol(counts) %in% 2:3) {
    list <- counts_json(as.character(counts[[1]]), counts[-1])
  } else if (is.numeric(counts) && !is.null(names(counts))) {
    list <- counts_json(names(counts), list(counts))
  } else {
    refuse("usage", "counts must be a file, a vector of occurrences whose names are the terms, or a data frame of terms, occurrences and, if they are known, documents")
  }
  structure(list(reference_list = list, reference_total = total, reference_documents = documents), class = "frequency_list")
}

# The object of a list, as the library reads it.
counts_json <- function(terms, columns) {
  if (anyNA(terms) || any(vapply(columns, anyNA, NA))) refuse("bad_input", "counts has an NA")
  if (!length(terms)) refuse("bad_input", "counts has no term")
  values <- lapply(columns, numbers)
  values <- if (length(values) == 1) values[[1]] else paste0("[", values[[1]], ",", values[[2]], "]")
  structure(paste0("{", paste(quoted(terms), values, sep = ":", collapse = ","), "}"), class = "json")
}
