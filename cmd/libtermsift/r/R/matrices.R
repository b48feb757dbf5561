# Matrices that the command writes: termsift transform --to mtx.

read_matrix <- function(file) {
  file <- path.expand(file)
  files <- paste0(file, c("", ".terms.tsv", ".documents.tsv"))
  missing <- files[!file.exists(files)]
  if (length(missing)) refuse("io", "there is no file ", missing[1], ": termsift transform --to mtx writes the matrix, and its terms and documents beside it")
  x <- as(readMM(file), "CsparseMatrix")
  terms <- read_tsv(files[2])
  documents <- read_tsv(files[3])
  if (length(terms$term) != ncol(x) || length(documents$id) != nrow(x)) {
    refuse("bad_input", file, " has ", nrow(x), " documents and ", ncol(x), " terms, and the files beside it have ", length(documents$id), " and ", length(terms$term))
  }
  dimnames(x) <- list(documents$id, terms$term)
  list(x = x, labels = labels_of_cells(documents$labels))
}

# The columns of a file of texts. read.delim alone takes a class or a term called NA for a missing one.
read_tsv <- function(file) read.delim(file, quote = "", na.strings = "", colClasses = "character", encoding = "UTF-8")

# The classes of each document from cells in which several are joined by commas. NA has none.
labels_of_cells <- function(cells) {
  lapply(cells, function(cell) {
    if (is.na(cell)) return(character())
    unescaped(regmatches(cell, gregexpr("(\\\\.|[^,\\\\])+", cell, perl = TRUE))[[1]])
  })
}

# Texts of cells, where \, \t \n \r \\ are a comma, a tab, the ends of a line and a backslash.
unescaped <- function(cells) {
  ends <- c(t = "\t", n = "\n", r = "\r")
  escapes <- gregexpr("\\\\.", cells, perl = TRUE)
  regmatches(cells, escapes) <- lapply(regmatches(cells, escapes), function(e) {
    letter <- substring(e, 2)
    ifelse(letter %in% names(ends), ends[letter], letter)
  })
  cells
}
