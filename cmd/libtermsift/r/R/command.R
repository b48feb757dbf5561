# What the command does with texts of R: lines of context, lists of words and of collocations, and pages.

kwic <- function(x, pattern, y = NULL, sample = 50, width = 40, sort = "right", seed = 1, ..., threads = 1) {
  pattern <- texts_of(pattern, "pattern")
  if (length(pattern) == 0) refuse("usage", "pattern must be a text, or several")
  if (!is.numeric(width) || length(width) != 1 || is.na(width) || width < 0) refuse("usage", "width must be a number of characters, 0 or more")
  given <- flags_of(sort = sort, seed = seed, width = max(width, 1), threads = threads, ...)
  with_sides(list(x = x), y, function(paths, classes) {
    found <- tryCatch(listed("kwic", c(rows_of("sample", sample), given), c(paths, pattern)), termsift_nothing = function(e) {
      data.frame(id = character(), left = character(), match = character(), right = character())
    })
    text <- as.integer(sub(".*:", "", found$id))
    end <- nchar(found$left)
    context <- data.frame(left = substr(found$left, end - width + 1, end), match = found$match, right = substr(found$right, 1, width))
    cbind(if (is.null(y)) data.frame(text) else data.frame(text, class = classes[text]), context)
  })
}

words <- function(x, y = NULL, top = 50, ..., threads = 1) list_of("words", x, y, rows_of("top", top), flags_of(threads = threads, ...))

collocations <- function(x, y = NULL, top = 20, ..., threads = 1) {
  list_of("collocations", x, y, rows_of("top", top), flags_of(threads = threads, ...))
}

explore <- function(x, file = NULL, reference = NULL, y = NULL, ..., threads = 1) {
  if (!is.null(reference) && !is.null(y)) refuse("usage", "y are the classes of one collection, and there are two: leave y or reference out")
  given <- flags_of(threads = threads, ...)
  page <- tempfile(fileext = ".html")
  on.exit(unlink(page))
  sides <- list(x = x, reference = reference)
  with_sides(sides[!vapply(sides, is.null, NA)], y, function(paths, classes) run_command("explore", c(flags_of(output = page), given), paths))
  bytes <- read_bytes(page)
  if (!is.null(file)) return(write_bytes(bytes, file))
  html <- rawToChar(bytes)
  Encoding(html) <- "UTF-8"
  html
}

# The rows that a command prints of texts or statistics.
list_of <- function(name, x, y, rows, given) with_sides(list(x = x), y, function(paths, classes) listed(name, c(rows, given), paths))

# Calls f with the paths of files of texts, with their classes, or of statistics, and with the class of each text.
with_sides <- function(sides, y, f) {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  classes <- NULL
  paths <- vapply(names(sides), function(name) {
    side <- sides[[name]]
    path <- file.path(folder, paste0(name, if (inherits(side, "term_statistics")) ".stats" else ".jsonl"))
    if (inherits(side, "term_statistics")) {
      if (!is.null(y)) refuse("usage", "y are the classes of texts, and statistics have theirs: leave y out")
      write_statistics(side, path)
      return(path)
    }
    texts <- texts_of(side, name)
    if (length(texts) == 0) refuse("bad_input", name, " has 0 texts")
    lines <- paste0("{\"text\":", quoted(texts))
    if (!is.null(y)) {
      if (is.list(y)) refuse("usage", "y must be one label for each text here, not a list")
      labels <- classes_of(y, length(texts), "texts")
      classes <<- labels$names[labels$of + 1L]
      lines <- paste0(lines, ",\"label\":", quoted(classes))
    }
    write_bytes(charToRaw(paste0(lines, "}\n", collapse = "")), path)
    path
  }, "")
  f(paths, classes)
}

# A flag that says how many rows there are, all for Inf or "all".
rows_of <- function(name, n) {
  if (identical(top_of(n), "all")) return("--all")
  if (!is.numeric(n) || length(n) != 1 || is.na(n) || n < 1 || n != round(n)) refuse("usage", name, " must be a number of rows above 0, or Inf for all")
  sprintf("--%s=%.0f", name, n)
}

# Flags of the command. NULL and FALSE are left out; what says how the result is printed is refused.
flags_of <- function(...) {
  given <- named(list(...))
  if (!is.null(given$ngrams)) given$ngrams <- ngrams_of(given$ngrams)
  if (!is.null(given$max_df)) given$max_df <- bound_of(given$max_df)
  given <- given[!vapply(given, function(v) is.null(v) || identical(v, FALSE), NA)]
  useless <- intersect(names(given), c("bom", "format", "help", "list", "quiet"))
  if (length(useless)) refuse("usage", useless[1], " is a flag of the command that has no use here, where the result is returned: leave it out")
  values <- vapply(names(given), function(name) {
    v <- given[[name]]
    if (!is.atomic(v) || length(v) != 1 || is.na(v)) refuse("usage", name, " must be a text, a number, TRUE or FALSE here")
    if (is.logical(v)) "true" else if (is.numeric(v)) numbers(v) else utf8(as.character(v), name)
  }, "")
  if (length(given)) paste0("--", gsub("_", "-", names(given), fixed = TRUE), "=", values)
}

# The rows that a command prints. Numbers that are not defined are NaN, and a class that is none is NA.
listed <- function(name, flags, inputs) {
  texts <- c(term = "character", class = "character", node = "character", left = "character", match = "character", right = "character", id = "character")
  out <- run_command(name, c(flags, "--format=tsv"), inputs)
  rows <- suppressWarnings(read.delim(text = out, quote = "", na.strings = character(), colClasses = texts, encoding = "UTF-8", check.names = FALSE))
  for (column in names(rows)) {
    v <- rows[[column]]
    if (column %in% names(texts)) {
      v <- unescaped(v)
      if (column == "class") v[!nzchar(v)] <- NA
    } else if (anyNA(v)) {
      v <- replace(as.numeric(v), is.na(v), NaN)
    }
    rows[[column]] <- v
  }
  rows
}

# Runs the command, and returns the lines that it prints. Its statuses are those of the library.
run_command <- function(name, flags, inputs) {
  program <- Sys.getenv("TERMSIFT_COMMAND", Sys.which("termsift"))
  if (!nzchar(program)) refuse("io", "the command termsift was not found: install it, or set TERMSIFT_COMMAND to its path")
  arguments <- shQuote(c(name, "--quiet", flags, "--", inputs))
  Encoding(arguments) <- "unknown" # they are UTF-8 in any locale
  files <- c(tempfile(), tempfile())
  on.exit(unlink(files))
  status <- suppressWarnings(system2(program, arguments, stdout = files[1], stderr = files[2]))
  told <- sub("^termsift: (warning: )?", "", readLines(files[2], encoding = "UTF-8", warn = FALSE))
  text <- paste(told, collapse = "\n")
  if (status > length(statuses)) refuse("internal", name, " ended with status ", status, ": ", text)
  value_of(list(status = as.integer(status), text = text, value = readLines(files[1], encoding = "UTF-8", warn = FALSE)))
}
