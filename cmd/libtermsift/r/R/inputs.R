# What users give: matrices, texts and labels, in the form that the shim reads.

# Texts in UTF-8. Those of another encoding must be marked, or be in the encoding of the locale.
utf8 <- function(x, name) {
  marked <- Encoding(x) == "latin1"
  x[marked] <- enc2utf8(x[marked])
  other <- !validUTF8(x) & !marked
  if (any(other) && !l10n_info()[["UTF-8"]] && !identical(l10n_info()$codeset, "ANSI_X3.4-1968")) {
    other <- other & Encoding(x) != "bytes"
    x[other] <- enc2utf8(x[other])
  }
  bad <- which(!validUTF8(x))
  if (length(bad)) {
    refuse("bad_input", name, if (length(x) > 1) paste0("[", bad[1], "]"), " is not UTF-8: mark its encoding, as by Encoding(x) <- \"latin1\", or convert it by iconv()")
  }
  x
}

# A vector of texts without NA.
texts_of <- function(x, name) {
  if (!is.character(x)) refuse("usage", name, " must be a character vector, not of class ", class(x)[1])
  bad <- which(is.na(x))
  if (length(bad)) refuse("bad_input", name, "[", bad[1], "] is NA: leave out texts that are missing, with their labels, or make them \"\"")
  attributes(x) <- NULL
  utf8(x, name)
}

# The classes of n documents: their names in the order of their bytes, as the command has them, and
# the numbers of those of all documents one behind the other, from 0. start is where those of each
# document begin, NULL if each has one.
classes_of <- function(y, n, what) {
  if (is.data.frame(y)) refuse("usage", "y is a data frame: give the column with the labels, as y$label")
  if (!is.atomic(y) && !is.list(y)) refuse("usage", "y must be a factor, a vector or a list, not of class ", class(y)[1])
  if (length(y) != n) refuse("usage", "y has ", length(y), " labels, and there are ", n, " ", what)
  if (is.list(y)) return(several_classes(y))
  y <- class_labels(y)
  bad <- which(is.na(y))
  if (length(bad)) {
    refuse("bad_input", "y[", bad[1], "] is NA: leave out documents without a label, or give y as a list, where they have character()")
  }
  y <- as.factor(if (is.character(y)) utf8(y, "y") else y)
  names <- utf8(levels(y), "the label")
  bad <- which(!nzchar(names))
  if (length(bad)) refuse("bad_input", "y[", which(as.integer(y) == bad)[1], "] is an empty text, which is no name of a class")
  order <- order(names, method = "radix")
  list(names = names[order], of = match(as.integer(y), order) - 1L, start = NULL)
}

# Labels as texts, or as a factor without a level NA. Numbers are as files have them: 100000, not 1e+05.
class_labels <- function(y) {
  if (is.factor(y)) return(factor(y, levels(y)[!is.na(levels(y))]))
  if (!is.double(y) || is.object(y)) return(y)
  values <- unique(as.vector(y))
  names <- as.character(values)
  plain <- which(abs(values) >= 1e-9 & abs(values) <= 2^53)
  names[plain] <- vapply(values[plain], format, "", digits = 15, scientific = FALSE)
  names[match(y, values)]
}

several_classes <- function(y) {
  y <- lapply(y, function(labels) unique(as.character(class_labels(labels))))
  bad <- which(vapply(y, function(labels) anyNA(labels) || !all(nzchar(labels)), NA))
  if (length(bad)) refuse("bad_input", "y[[", bad[1], "]] has a label that is NA or empty: a document without a class has character()")
  of <- utf8(as.character(unlist(y)), "a label of y")
  names <- sort(unique(of), method = "radix")
  list(names = names, of = match(of, names) - 1L, start = as.integer(c(0, cumsum(lengths(y)))))
}

# One class for n documents whose classes play no part.
one_class <- function(n) list(names = "all", of = integer(n), start = NULL)

# Labels as the shim reads them. The library has 1 class at least.
labels_of <- function(classes) list(classes$of, classes$start, max(length(classes$names), 1L))

# The option classes.
class_names <- function(classes) if (length(classes$names)) as.list(classes$names)

# A matrix of documents by terms as a dgCMatrix, of finite values from 0 on.
matrix_of <- function(x, name = "x") {
  if (is.data.frame(x)) refuse("usage", name, " is a data frame: give a matrix of documents by terms, or a column of texts")
  if (inherits(x, "simple_triplet_matrix")) {
    terms_in_rows <- inherits(x, "TermDocumentMatrix")
    x <- sparseMatrix(i = x$i, j = x$j, x = as.numeric(x$v), dims = c(x$nrow, x$ncol), dimnames = unname(x$dimnames))
    if (terms_in_rows) x <- t(x)
  }
  if (is.table(x)) x <- unclass(x)
  if (is.matrix(x) && (is.numeric(x) || is.logical(x)) || is(x, "Matrix") && !is(x, "dgCMatrix")) {
    x <- as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  }
  if (!is(x, "dgCMatrix")) refuse("usage", name, " must be a matrix of documents by terms (dgCMatrix, dfm, DocumentTermMatrix, matrix) or, where texts can be counted, a character vector, not of class ", class(x)[1])
  tryCatch(validObject(x), error = function(e) refuse("bad_input", name, " is broken: ", conditionMessage(e)))
  if (nrow(x) == 0 || ncol(x) == 0) refuse("bad_input", name, " has ", nrow(x), " documents and ", ncol(x), " terms")
  if (length(x@x) && !isTRUE(min(x@x) >= 0 && max(x@x) < most_value)) refuse_value(x, name)
  x
}

# What values must be below, as the library counts them.
most_value <- 2^63

# Names the first value that is no count or weight.
refuse_value <- function(x, name) {
  at <- which(is.na(x@x) | x@x < 0 | x@x >= most_value)[1]
  column <- findInterval(at - 1, x@p)
  term <- if (is.null(colnames(x))) column else encodeString(colnames(x)[column], quote = "\"")
  refuse("bad_input", name, "[", x@i[at] + 1, ", ", term, "] is ", format(x@x[at]), ": values must be counts or weights from 0 to below 2^63")
}

# The names of the columns of a matrix, their numbers if there are none.
terms_of <- function(x) if (is.null(colnames(x))) as.character(seq_len(ncol(x))) else utf8(colnames(x), "colnames(x)")
