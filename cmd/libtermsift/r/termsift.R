# Scores of the terms of a document-term matrix, and selection, by libtermsift. README.md says
# how to build the shim.

# Loads the shim, which brings the library.
termsift_load <- function(shim) invisible(dyn.load(shim))

# The values of the columns of x by one measure or several, as a data frame: term, a column a
# measure, and df, the number of documents that have the term. x is a matrix of documents by
# terms of counts or weights, not negative; y has the class of each document, NA for none, or is a list of
# the classes of each. Further arguments are options of ts_score, such as combine = "avg" or threads = 2.
termsift_score <- function(x, y, by = "chi", ...) {
  x <- as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  y <- termsift_classes(y)
  if (length(y$first) - 1L != nrow(x)) stop("y has ", length(y$first) - 1L, " classes, and x has ", nrow(x), " documents", call. = FALSE)
  if (length(by) == 0 || anyNA(by)) stop("by names no measure", call. = FALSE)
  if (!all(is.finite(x@x))) stop("x has a value that is not finite", call. = FALSE)
  room <- 4096L
  result <- .C("termsift_r_score",
    as.integer(c(nrow(x), ncol(x), length(x@i), max(length(y$names), 1L), room, length(y$of))), x@p, x@i, x@x, y$of, y$first,
    termsift_json(list(by = as.list(by), ...)),
    scores = double(length(by) * ncol(x)), df = double(ncol(x)), status = 0L, text = raw(room))
  text <- rawToChar(result$text[cumsum(result$text == 0) == 0])
  Encoding(text) <- "UTF-8"
  if (result$status != 0L) stop("termsift: ", text, call. = FALSE)
  if (nzchar(text)) warning("termsift: ", text, call. = FALSE)
  terms <- colnames(x)
  if (is.null(terms)) terms <- as.character(seq_len(ncol(x)))
  values <- as.data.frame(matrix(result$scores, ncol(x), dimnames = list(NULL, by)), optional = TRUE)
  values$df <- result$df # which is also what the measure df gives
  cbind(data.frame(term = terms), values)
}

# The classes of documents: their names, the numbers of those of all documents one behind the
# other, from 0, and where those of each begin. Texts are in the order of their bytes, as the command has them.
termsift_classes <- function(y) {
  if (!is.list(y)) {
    if (!is.character(y)) y <- as.factor(y)
    names <- if (is.factor(y)) levels(y) else sort(unique(y), method = "radix")
    labelled <- !is.na(y)
    return(list(names = names, of = match(as.character(y[labelled]), names) - 1L, first = c(0L, cumsum(labelled))))
  }
  y <- lapply(y, unique)
  bad <- which(vapply(y, anyNA, NA))
  if (length(bad)) stop("y[[", bad[1], "]] has a class that is NA: a document without a class has none", call. = FALSE)
  of <- as.character(unlist(y))
  names <- sort(unique(of), method = "radix")
  list(names = names, of = match(of, names) - 1L, first = c(0L, cumsum(lengths(y))))
}

# The classes of each document from the column "labels" that termsift transform writes: several
# are joined by commas, and \, \t \n \r \\ are a comma, a tab, the ends of a line and a backslash of a name. NA has none.
termsift_labels <- function(cells) {
  ends <- c(t = "\t", n = "\n", r = "\r")
  lapply(cells, function(cell) {
    if (is.na(cell)) return(character())
    names <- regmatches(cell, gregexpr("(\\\\.|[^,\\\\])+", cell, perl = TRUE))[[1]]
    escapes <- gregexpr("\\\\.", names, perl = TRUE)
    regmatches(names, escapes) <- lapply(regmatches(names, escapes), function(e) {
      letter <- substring(e, 2)
      ifelse(letter %in% names(ends), ends[letter], letter)
    })
    names
  })
}

# The k best columns of x: what termsift_score tells of them, best first, with their numbers in
# x. Equal values rank by df, then by column; a term without a document is never among them.
termsift_select <- function(x, y, k, by = "chi", ...) {
  if (length(by) != 1) stop("one measure selects, not ", length(by), call. = FALSE)
  if (length(k) != 1 || is.na(k) || k < 1) stop("k must be a number from 1 on", call. = FALSE)
  scores <- termsift_score(x, y, by, ...)
  scores$column <- seq_len(nrow(scores))
  best <- order(scores[[by]], scores$df, -scores$column, decreasing = TRUE, na.last = NA)
  selected <- scores[utils::head(best, k), ]
  rownames(selected) <- NULL
  selected
}

# JSON of a list: names, texts, numbers, TRUE and FALSE, lists.
termsift_json <- function(v) {
  if (is.list(v)) {
    items <- vapply(v, termsift_json, "")
    if (is.null(names(v))) return(paste0("[", paste(items, collapse = ","), "]"))
    return(paste0("{", paste(termsift_quote(names(v)), items, sep = ":", collapse = ","), "}"))
  }
  if (length(v) != 1 || is.na(v)) stop("an option of termsift has one value", call. = FALSE)
  if (is.character(v)) return(termsift_quote(v))
  if (is.logical(v)) return(tolower(as.character(v)))
  format(v, digits = 17, scientific = FALSE)
}

termsift_quote <- function(s) {
  s <- gsub("\"", "\\\"", gsub("\\", "\\\\", enc2utf8(s), fixed = TRUE), fixed = TRUE)
  paste0("\"", gsub("[[:cntrl:]]", "?", s), "\"")
}
