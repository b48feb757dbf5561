# Calls of the library, and what becomes of its errors and warnings.

# Returns the value of what a function of the shim has answered. An error is a condition of class
# termsift_error and one more, such as termsift_bad_input; warnings are warnings of R.
value_of <- function(answer) {
  if (answer$status == interrupted) {
    # As Ctrl-C in R's own code: a handler of "interrupt" is asked, else all ends.
    signalCondition(structure(class = c("interrupt", "condition"), list(message = answer$text, call = NULL)))
    invokeRestart("abort")
  }
  text <- with_underscores(answer$text)
  if (answer$status != 0L) refuse(statuses[answer$status], text)
  for (line in strsplit(text, "\n", fixed = TRUE)[[1]]) {
    if (exists(line, told)) next
    if (startsWith(line, "note: ")) assign(line, TRUE, told)
    warning(sub("^note: ", "", line), call. = FALSE)
  }
  answer$value
}

# The notes of this session, each of which is told once: how the library took what was not said.
told <- new.env(parent = emptyenv())

# The kinds of errors, by the library's status, and the status after Ctrl-C.
statuses <- c("nothing", "usage", "bad_input", "io", "corrupt", "bad_handle", "forked", "internal")
interrupted <- 130L

# Ends with an error of the class termsift_KIND.
refuse <- function(kind, ...) {
  text <- paste0(...)
  if (kind == "forked") text <- "a child of a fork, as parallel::mclapply makes, cannot use termsift: use parallel::parLapply with makeCluster()"
  stop(structure(class = c(paste0("termsift_", kind), "termsift_error", "error", "condition"), list(message = paste0("termsift: ", text), call = NULL)))
}

# Calls f with the handle of what an operation makes, and frees it, also if a warning ends the call.
with_made <- function(operation, inputs, options, f) {
  answer <- .Call(C_make, operation, inputs, options)
  on.exit(if (!is.null(answer$value)) .Call(C_free, answer$value))
  f(value_of(answer))
}

# The columns that an operation such as read gives of a handle.
read_columns <- function(operation, handle, columns) value_of(.Call(C_read, operation, list(handle), columns))

# What operations of the library take options, and the names of these, which are read when the package is loaded.
declared <- new.env(parent = emptyenv())
.onLoad <- function(libname, pkgname) {
  found <- .Call(C_read, "options", list(), 4L)$value # not in a fork
  declared$operation <- found[[1]]
  declared$option <- found[[3]]
  declared$hyphenated <- unique(grep("-", found[[3]], value = TRUE, fixed = TRUE))
}

# The options that say how texts are analysed.
analysis_options <- function() c(gsub("-", "_", declared$option[declared$operation == "analysis"], fixed = TRUE), "segments")

# Options of the library have hyphens where arguments of R have underscores.
with_underscores <- function(text) {
  for (name in declared$hyphenated) text <- gsub(paste0("(?<![\\w-])(--)?", name, "(?![\\w-])"), gsub("-", "_", name), text, perl = TRUE)
  text
}
