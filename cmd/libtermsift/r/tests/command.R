# Lines of context, lists and pages are those that the command prints of the same texts.
source("common/expect.R")
program <- Sys.getenv("TERMSIFT_COMMAND")
if (!nzchar(program)) {
  cat("passed without the command\n")
  quit()
}

odd <- c(texts, "a \"quoted\"\tprobe\\n of caf\u00e9", "NA is no orbit")
classes <- c(labels, "odd, class", "space")
file <- tempfile(fileext = ".jsonl")
lines <- c(paste0("{\"text\":\"", texts, "\",\"label\":\"", labels, "\"}"),
  "{\"text\":\"a \\\"quoted\\\"\\tprobe\\\\n of caf\u00e9\",\"label\":\"odd, class\"}", "{\"text\":\"NA is no orbit\",\"label\":\"space\"}")
writeLines(enc2utf8(lines), file, useBytes = TRUE)
printed <- function(...) {
  out <- system2(program, c(shQuote(c(...)), "--quiet", "--format", "csv"), stdout = TRUE)
  read.csv(text = out, encoding = "UTF-8", check.names = FALSE, na.strings = character())
}
same <- function(found, want, what) {
  expect(identical(names(found), names(want)) && nrow(found) == nrow(want) && nrow(found) > 0, paste(what, "columns"))
  for (name in names(want)) {
    if (name == "class") next
    numbers <- is.numeric(want[[name]])
    expect(if (numbers) isTRUE(all.equal(as.numeric(found[[name]]), as.numeric(want[[name]]), tolerance = 1e-15)) else identical(found[[name]], want[[name]]), paste(what, name))
  }
}
suppressWarnings({
  same(words(odd, classes, top = Inf), printed("words", file, "--all"), "words")
  same(words(odd, classes, top = 3, by_class = TRUE, stop = "english"), printed("words", file, "--top", "3", "--by-class", "--stop", "english"), "words by class")
  same(collocations(odd, top = Inf, min_freq = 1), printed("collocations", file, "--all", "--min-freq", "1"), "collocations")
  same(collocations(odd, node = "orbit", min_freq = 1, window = 2), printed("collocations", file, "--node", "orbit", "--min-freq", "1", "--window", "2"), "collocates")
})
expect("NA" %in% toupper(words(odd, top = Inf)$term) && "caf\u00e9" %in% words(odd, top = Inf)$term, "terms")
expect(identical(words(term_statistics(odd, classes), top = 5)$tf, words(odd, top = 5)$tf), "statistics")

lines <- kwic(odd, c("probe", "orb*"), classes, sample = Inf, sort = "document")
want <- printed("kwic", file, "probe", "orb*", "--all", "--sort", "document")
expect(identical(lines$match, want$match) && identical(lines$text, as.integer(sub(".*:", "", want$id))) && identical(lines$class, classes[lines$text]), "lines")
expect(identical(lines$left[lines$text == 2], "an ") && identical(lines$right[lines$text == 2], " of the moon"), "context")
expect(identical(names(kwic(odd, "orbit")), c("text", "left", "match", "right")) && all(nchar(kwic(odd, "orbit", width = 3)$left) <= 3), "width")
expect(identical(kwic(odd, "caf\u00e9")$match, "caf\u00e9") && identical(Encoding(kwic(odd, "caf\u00e9")$match), "UTF-8"), "patterns in UTF-8")
none <- kwic(odd, "zzz", classes)
expect(nrow(none) == 0 && identical(names(none), c("text", "class", "left", "match", "right")), "no lines")

page <- tempfile(fileext = ".html")
expect(identical(explore(odd, page, y = classes), page), "a page")
text <- explore(odd, y = classes)
expect(grepl("<html", text, ignore.case = TRUE) && abs(file.size(page) / nchar(text, "bytes") - 1) < 0.01, "a page as a text")
expect(grepl("<html", explore(space, reference = food), ignore.case = TRUE), "a page of two")

refused(kwic(odd, character()), "usage", "pattern must be a text")
refused(kwic(odd, "*"), "usage", "")
refused(kwic(odd, "orbit", width = -1), "usage", "width must be a number of characters")
refused(kwic(odd, "orbit", sample = 0), "usage", "sample must be a number of rows above 0, or Inf for all")
refused(kwic(c("a", NA), "a"), "bad_input", "x\\[2\\] is NA")
refused(words(character()), "bad_input", "x has 0 texts")
refused(words(odd, classes[-1]), "usage", "y has 9 labels, and there are 10 texts")
refused(words(odd, as.list(classes)), "usage", "one label for each text")
refused(words(odd, format = "json"), "usage", "format is a flag of the command that has no use here")
refused(words(odd, stop = c("a", "b")), "usage", "stop must be a text, a number")
refused(words(odd, min_freqs = 2), "usage", "min_freq")
refused(words(odd, NULL, 5, 3), "usage", "needs a name")
refused(words(odd, min_freq = 1000), "nothing", "")
refused(words(term_statistics(odd), classes), "usage", "statistics have theirs")
refused(explore(space, reference = food, y = labels), "usage", "leave y or reference out")
Sys.setenv(TERMSIFT_COMMAND = "")
path <- Sys.getenv("PATH")
Sys.setenv(PATH = tempdir())
refused(words(odd), "io", "the command termsift was not found")
Sys.setenv(PATH = path)
cat("passed\n")
