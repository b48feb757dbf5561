# The calls of doors.py that R has. Arguments: a table with the columns label and text, tabs between them.
library(termsift)
table <- read.delim(commandArgs(TRUE)[1], quote = "", encoding = "UTF-8")
show <- function(call, frame) {
  frame[] <- lapply(frame, function(v) if (is.numeric(v)) sprintf("%.17g", v) else as.character(v))
  cat(paste("==", call), paste(names(frame), collapse = "\t"), do.call(paste, c(frame, sep = "\t")), sep = "\n")
}
features <- select_terms(table$text, table$label, k = 20)
rows <- Matrix::summary(methods::as(Matrix::t(term_matrix(table$text, features)), "generalMatrix"))
score <- term_scores(term_statistics(table$text, table$label))
names(score)[names(score) == "chi"] <- "value"
show("rank", suppressWarnings(rank_terms(table$text, table$label)))
show("score", score[order(-score$value, -score$df, score$term, method = "radix"), ])
show("keyness", as.data.frame(keyness(table$text[table$label == "cooking"], table$text[table$label != "cooking"])[c("key", "term", "rank", "ll", "tf", "df_reference", "log10p_corrected")]))
show("selection", as.data.frame(features))
show("transform", data.frame(row = rows$j - 1, column = rows$i - 1, value = rows$x))
show("ctfidf", rank_terms(table$text, table$label, "ctfidf"))
