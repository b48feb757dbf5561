/* The jobs in C, as a careful programmer writes them for one machine.
 *
 * One process for all measurements: it loads the data, says "ready", and
 * answers the requests that child.go describes. Arguments: the directory of the
 * data and the number of terms to select. CELL, the type of a count of
 * documents, is set by the compiler's command line.
 */
#include "child.h"

#include "words.h"

#ifndef CELL
#define CELL uint32_t
#endif

/* A block of terms goes through all classes while it is in the L1 cache. */
enum { BLOCK = 1024 };

static int64_t documents, terms, classes, postings, top;
static int64_t *start;               /* first posting of each document */
static int32_t *term, *count, *label; /* of postings, postings, documents */

static CELL *table;      /* classes x terms: documents of the class with the term */
static float *sums;      /* classes x terms: occurrences */
static float *squares;   /* of the counts of a term, over all documents */
static float *value;     /* of each term */
static float *scratch;   /* a copy that selection may reorder */
static float *size_of;   /* documents of each class */
static int64_t *members; /* documents, class by class */
static int64_t *first;   /* first member of each class */

static FILE *open_file(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "rb");
    if (!f) die("cannot open a file of the data");
    return f;
}

static void load(const char *directory) {
    FILE *f = open_file(directory, "matrix");
    int64_t *header = read_column(f, 4, 8);
    documents = header[0], terms = header[1], classes = header[2], postings = header[3];
    start = read_column(f, documents + 1, 8);
    term = read_column(f, postings, 4);
    count = read_column(f, postings, 4);
    label = read_column(f, documents, 4);
    fclose(f);
    load_text(open_file(directory, "text"));
}

static void reserve(void) {
    table = allocate(classes * terms * sizeof *table);
    sums = allocate(classes * terms * sizeof *sums);
    squares = allocate(terms * sizeof *squares);
    value = allocate(terms * sizeof *value);
    scratch = allocate(terms * sizeof *scratch);
    size_of = allocate(classes * sizeof *size_of);
    members = allocate(documents * sizeof *members);
    first = allocate((classes + 1) * sizeof *first);
    reserve_answer(terms + 8);
}

/* group sorts the documents by class, by counting. */
static void group(void) {
    memset(first, 0, (classes + 1) * sizeof *first);
    for (int64_t d = 0; d < documents; d++) first[label[d] + 1]++;
    for (int64_t c = 0; c < classes; c++) {
        size_of[c] = first[c + 1];
        first[c + 1] += first[c];
    }
    int64_t *next = allocate(classes * sizeof *next);
    memcpy(next, first, classes * sizeof *next);
    for (int64_t d = 0; d < documents; d++) members[next[label[d]]++] = d;
    free(next);
}

/* count_documents fills the table; one row of it at a time is in the cache. */
static void count_documents(void) {
    group();
    memset(table, 0, classes * terms * sizeof *table);
    for (int64_t c = 0; c < classes; c++) {
        CELL *row = table + c * terms;
        for (int64_t m = first[c]; m < first[c + 1]; m++) {
            int64_t d = members[m];
            for (int64_t i = start[d]; i < start[d + 1]; i++) row[term[i]]++;
        }
    }
}

/* block_df sums the documents of the terms [from, from+n) over the classes. */
static void block_df(int64_t from, int n, float *restrict df) {
    for (int i = 0; i < n; i++) df[i] = 0;
    for (int64_t c = 0; c < classes; c++) {
        const CELL *row = table + c * terms + from;
        for (int i = 0; i < n; i++) df[i] += row[i];
    }
}

static int block_length(int64_t from) { return terms - from < BLOCK ? terms - from : BLOCK; }

/* score_chi: N (O - E)^2 N / (df (N - df) n_c (N - n_c)), the best class. What
 * depends on the term alone is multiplied once. */
static void score_chi(void) {
    float n = documents, df[BLOCK], best[BLOCK];
    for (int64_t from = 0; from < terms; from += BLOCK) {
        int length = block_length(from);
        block_df(from, length, df);
        memset(best, 0, sizeof best);
        for (int64_t c = 0; c < classes; c++) {
            const CELL *row = table + c * terms + from;
            float share = size_of[c] / n, rest = size_of[c] * (n - size_of[c]);
            float factor = rest > 0 ? n * n / rest : 0;
            for (int i = 0; i < length; i++) {
                float d = row[i] - df[i] * share, s = d * d * factor;
                best[i] = s > best[i] ? s : best[i];
            }
        }
        for (int i = 0; i < length; i++) {
            float both = df[i] * (n - df[i]);
            value[from + i] = both > 0 ? best[i] * n / both : 0;
        }
    }
}

static float at_least(float x, float least) { return x > least ? x : least; }

/* score_ig: the sum of O ln(O/E) over classes and rows, by N. A count of zero
 * adds nothing, whatever its logarithm is taken of. */
static void score_ig(void) {
    float n = documents, df[BLOCK], with[BLOCK], without[BLOCK], sum[BLOCK];
    for (int64_t from = 0; from < terms; from += BLOCK) {
        int length = block_length(from);
        block_df(from, length, df);
        for (int i = 0; i < length; i++) {
            with[i] = n / at_least(df[i], 0.5f);
            without[i] = n / at_least(n - df[i], 0.5f);
            sum[i] = 0;
        }
        for (int64_t c = 0; c < classes; c++) {
            const CELL *row = table + c * terms + from;
            float size = size_of[c], inverse = 1 / at_least(size, 0.5f);
            for (int i = 0; i < length; i++) {
                float x = row[i], y = size - x;
                sum[i] += x * logf(at_least(x, 0.5f) * inverse * with[i]);
                sum[i] += y * logf(at_least(y, 0.5f) * inverse * without[i]);
            }
        }
        for (int i = 0; i < length; i++) value[from + i] = sum[i] / n;
    }
}

/* threshold gives the k-th largest value: quickselect on a copy. */
static float threshold(int64_t k) {
    memcpy(scratch, value, terms * sizeof *scratch);
    int64_t low = 0, high = terms - 1, want = k - 1;
    while (low < high) {
        float pivot = scratch[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (scratch[i] > pivot) i++;
            while (scratch[j] < pivot) j--;
            if (i > j) break;
            float t = scratch[i];
            scratch[i++] = scratch[j];
            scratch[j--] = t;
        }
        if (want <= j) high = j;
        else if (want >= i) low = i;
        else break;
    }
    return scratch[want];
}

static void take(int64_t t) {
    answer_id[answer_size] = t;
    answer_value[answer_size++] = value[t];
}

static void select_top(void) {
    int64_t k = top < terms ? top : terms;
    float cut = threshold(k);
    answer_size = 0;
    for (int64_t t = 0; t < terms; t++)
        if (value[t] > cut) take(t);
    for (int64_t t = 0; t < terms && answer_size < k; t++)
        if (value[t] == cut) take(t);
}

static void take_all(void) {
    answer_size = 0;
    for (int64_t t = 0; t < terms; t++) take(t);
}

/* count_moments sums the counts by class; the squares are needed over all
 * classes only. */
static void count_moments(void) {
    group();
    memset(sums, 0, classes * terms * sizeof *sums);
    memset(squares, 0, terms * sizeof *squares);
    for (int64_t c = 0; c < classes; c++) {
        float *row = sums + c * terms;
        for (int64_t m = first[c]; m < first[c + 1]; m++) {
            int64_t d = members[m];
            for (int64_t i = start[d]; i < start[d + 1]; i++) {
                float x = count[i];
                row[term[i]] += x;
                squares[term[i]] += x * x;
            }
        }
    }
}

/* score_f is the F statistic of the counts: between classes by within. */
static void score_f(void) {
    float n = documents, total[BLOCK], explained[BLOCK];
    float between = 1.0f / at_least(classes - 1, 1), within = 1.0f / at_least(n - classes, 1);
    for (int64_t from = 0; from < terms; from += BLOCK) {
        int length = block_length(from);
        memset(total, 0, sizeof total);
        memset(explained, 0, sizeof explained);
        for (int64_t c = 0; c < classes; c++) {
            const float *row = sums + c * terms + from;
            float inverse = 1 / at_least(size_of[c], 0.5f);
            for (int i = 0; i < length; i++) {
                total[i] += row[i];
                explained[i] += row[i] * row[i] * inverse;
            }
        }
        for (int i = 0; i < length; i++) {
            float mean = total[i] * total[i] / n, rest = squares[from + i] - explained[i];
            value[from + i] = (explained[i] - mean) * between / (rest * within);
        }
    }
}

static int run(const char *job) {
    if (!strcmp(job, "Chi")) count_documents(), score_chi(), select_top();
    else if (!strcmp(job, "IG")) count_documents(), score_ig(), take_all();
    else if (!strcmp(job, "Moments")) count_moments(), score_f(), take_all();
    else if (!strcmp(job, "Count")) count_text();
    else return 0;
    return 1;
}

int main(int n, char **args) {
    if (n != 3) die("the baseline needs a directory and a number");
    load(args[1]);
    top = atoll(args[2]);
    reserve();
    reserve_words();
    serve();
    return 0;
}
