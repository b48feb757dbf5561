# Options as the library reads them: JSON, with hyphens in names.

# JSON of named options, without those that are NULL.
options_json <- function(...) {
  given <- named(list(...))
  given <- given[!vapply(given, is.null, NA)]
  names(given) <- gsub("_", "-", names(given), fixed = TRUE)
  paste0("{", paste(quoted(names(given)), vapply(given, json, ""), sep = ":", collapse = ","), "}")
}

# Further arguments, each of which needs a name.
named <- function(given) {
  if (length(given) && (is.null(names(given)) || !all(nzchar(names(given))))) refuse("usage", "each further argument needs a name, as in threads = 2")
  given
}

# JSON of a value: several, or a list, are an array.
json <- function(v) {
  if (inherits(v, "json")) return(unclass(v))
  if (is.factor(v)) v <- as.character(v)
  if (!is.atomic(v) && !is.list(v)) refuse("usage", "an option is a text, a number, TRUE or FALSE, or a vector of them, not of class ", class(v)[1])
  if (is.list(v)) return(array_of(vapply(v, json, "")))
  if (length(v) == 0 || anyNA(v)) refuse("usage", "an option must not be empty or NA")
  items <- if (is.character(v)) quoted(v) else if (is.logical(v)) tolower(as.character(v)) else numbers(v)
  if (length(v) == 1) items else array_of(items)
}

array_of <- function(items) paste0("[", paste(items, collapse = ","), "]")

numbers <- function(v) {
  if (!is.numeric(v) || !all(is.finite(v))) refuse("usage", "an option must be a finite number, not ", format(v[!is.finite(v)][1]))
  sprintf("%.17g", as.numeric(v))
}

quoted <- function(s) {
  s <- gsub("\"", "\\\"", gsub("\\", "\\\\", utf8(s, "an option"), fixed = TRUE), fixed = TRUE)
  control <- grep("[\001-\037]", s)
  found <- gregexpr("[\001-\037]", s[control])
  regmatches(s[control], found) <- lapply(regmatches(s[control], found), function(c) sprintf("\\u%04x", vapply(c, utf8ToInt, 0L)))
  paste0("\"", s, "\"")
}

# The option ngrams: c(1, 2) and 1:2 are "1-2".
ngrams_of <- function(n) {
  if (is.null(n) || is.character(n)) return(n)
  if (!is.numeric(n) || length(n) == 0 || anyNA(n) || any(n != round(n))) refuse("usage", "ngrams must be whole numbers, as c(1, 2), or a text, as \"1-2\"")
  paste(sprintf("%.0f", unique(range(n))), collapse = "-")
}

# The option max-df: Inf is no bound, 0 for the library.
bound_of <- function(n) if (is.numeric(n) && length(n) == 1 && isTRUE(n == Inf)) 0 else n

# The option stop: one text is the name of a list, others are words.
stop_of <- function(words) if (is.character(words) && length(words) > 1) as.list(words) else words
