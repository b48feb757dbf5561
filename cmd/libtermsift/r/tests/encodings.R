# Texts of any encoding that is known, and results in UTF-8.
source("common/expect.R")

latin1 <- "caf\xe9 au lait"
Encoding(latin1) <- "latin1"
utf <- "caf\u00e9 au lait"
chance <- "\xc3\xa9t\xe9" # the first two bytes are valid UTF-8, too
Encoding(chance) <- "latin1"
terms <- function(texts, ...) as.data.frame(term_statistics(texts, ...))$term
expect(identical(terms(c(latin1, "x y")), terms(c(utf, "x y"))), "latin1 is translated")
expect(identical(terms(c(chance, "x")), terms(c(enc2utf8(chance), "x"))), "latin1 that is UTF-8 by chance")
found <- terms(c(utf, "x"))
expect("caf\u00e9" %in% found && Encoding(found[found == "caf\u00e9"]) == "UTF-8", "results are marked")
classes <- term_statistics(c("ex why", "zed"), c(latin1, utf))$classes
expect(identical(names(classes), utf) && Encoding(names(classes)) == "UTF-8", "one label in two encodings")
x <- matrix(c(1, 0, 1, 1), 2, dimnames = list(NULL, c(latin1, "b")))
expect(identical(term_scores(x, 1:2)$term[1], utf) && Encoding(term_scores(x, 1:2)$term[1]) == "UTF-8", "names of columns")
expect(identical(keyness(c("\u4e2d\u6587 ex", "ex"), c("why", "zed"), tokens = "unicode", terms = "\u4e2d")$term, "\u4e2d"), "names in options")
bad <- "caf\xe9"
Encoding(bad) <- "bytes"
refused(terms(c("good", bad)), "bad_input", "^termsift: x\\[2\\] is not UTF-8: mark its encoding")
refused(term_statistics(c("aa", "bb"), c("x", bad)), "bad_input", "y\\[2\\] is not UTF-8")

# Other locales: texts without a mark are UTF-8 where the locale says nothing else.
script <- tempfile(fileext = ".R")
writeLines(c(
  "library(termsift)", "x <- rawToChar(as.raw(c(0x63, 0xc3, 0xa9)))", "y <- rawToChar(as.raw(c(0x63, 0xe9)))",
  "s <- as.data.frame(term_statistics(c(x, 'b')))$term", "cat(identical(charToRaw(s[nchar(s, 'bytes') == 3]), as.raw(c(0x63, 0xc3, 0xa9))), '')",
  "cat(inherits(tryCatch(term_statistics(y), error = identity), 'termsift_bad_input'))"
), script)
for (locale in c("C", "C.UTF-8")) {
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE, env = paste0("LC_ALL=", locale))
  expect(identical(out, "TRUE TRUE"), paste("locale", locale, paste(out, collapse = " ")))
}
cat("passed\n")
