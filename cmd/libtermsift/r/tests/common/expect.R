# What the tests share.
suppressPackageStartupMessages(library(Matrix))
library(termsift)

expect <- function(ok, what) if (!isTRUE(ok)) stop(what, call. = FALSE)

# The expression ends with an error of the class termsift_KIND whose text has the pattern.
refused <- function(expr, kind, pattern) {
  e <- tryCatch({ expr; NULL }, termsift_error = identity)
  expect(!is.null(e), paste("no error, want", pattern))
  expect(grepl(pattern, conditionMessage(e)), paste0("\"", conditionMessage(e), "\", want ", pattern))
  expect(inherits(e, paste0("termsift_", kind)) && inherits(e, "error") && startsWith(conditionMessage(e), "termsift: "), paste(pattern, class(e)[1]))
}

# The expression warns with a text that has the pattern.
warned <- function(expr, pattern) {
  texts <- character()
  value <- withCallingHandlers(expr, warning = function(w) { texts <<- c(texts, conditionMessage(w)); invokeRestart("muffleWarning") })
  expect(any(grepl(pattern, texts)), paste0("warnings \"", texts, "\", want ", pattern))
  value
}

space <- c("the probe left orbit", "an orbit of the moon", "the moon and its orbit", "the launch of a probe")
food <- c("bake the bread", "bread and a little salt", "the salt", "salt the bread and bake")
texts <- c(space, food)
labels <- rep(c("space", "food"), each = 4)
