/* Measures from the counts of terms in classes, in C, as a careful programmer
 * writes them who has nothing but these counts, and few classes.
 *
 * One process for all measurements, as baseline.c. Argument: a file of cells,
 * see cells.go for its form. Terms stand in the order of their documents, so
 * that a run of neighbours has the same number of them. Half of all terms are
 * in one document and have one cell; what depends on its class alone is
 * computed once. Below LOW documents, where a run is long enough, the values
 * of all possible cells are looked up in a table.
 */
#include "child.h"

enum { LOW = 64, MOST_CLASSES = 256 };

static int64_t documents, terms, cells, classes;
static double *class_size;
static uint32_t *df, *cf, *start, *docs, *sums, *squares;
static uint8_t *class;

static int by_size[MOST_CLASSES];                 /* classes, the largest first */
static double per_size[MOST_CLASSES];             /* 1/n_c, 0 of an empty class */
static double per_margin[MOST_CLASSES];           /* 1/(n_c (N-n_c)), 0 if that is 0 */
static double per_deviation[MOST_CLASSES];        /* 1/sqrt(1/n_c - 1/N), likewise */
static int64_t *entropy;                          /* n ln n in units of unit */
static const int64_t *size_entropy[MOST_CLASSES]; /* &entropy[n_c] */
static double unit;
static double deviations[LOW * MOST_CLASSES];     /* chi-square of a cell, by docs and class */
static int64_t differences[LOW * MOST_CLASSES];   /* the part of a cell in ig, likewise */

static void load(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) die("cannot open the file of cells");
    int64_t *header = read_column(f, 5, 8);
    documents = header[0], terms = header[1], cells = header[2], classes = header[3];
    if (classes < 1 || classes > MOST_CLASSES) die("the class of a cell is a byte");
    class_size = read_column(f, classes, 8);
    free(read_column(f, classes, 8)); /* tokens of each class */
    df = read_column(f, terms, 4);
    cf = read_column(f, terms, 4);
    start = read_column(f, terms + 1, 4);
    class = read_column(f, cells, 1);
    docs = read_column(f, cells, 4);
    sums = read_column(f, cells, 4);
    squares = read_column(f, cells, 4);
    fclose(f);
}

static double inverse(double x) { return x > 0 ? 1 / x : 0; }

static void sort_classes(void) {
    for (int c = 0; c < classes; c++) {
        int place = c;
        for (; place > 0 && class_size[by_size[place - 1]] < class_size[c]; place--) by_size[place] = by_size[place - 1];
        by_size[place] = c;
    }
}

/* fix_entropies makes a table of n ln n in whole numbers: their sums are exact,
 * and what is left of a difference of large ones has all its digits. */
static void fix_entropies(void) {
    double largest = documents * log(documents + 1.0);
    int bits = 60 - ilogb(largest + 1);
    unit = ldexp(1, -bits);
    entropy = allocate((documents + 1) * sizeof *entropy);
    entropy[0] = 0;
    for (int64_t n = 1; n <= documents; n++) entropy[n] = llrintl(ldexpl(n * logl(n), bits));
}

static void prepare(void) {
    double n = documents;
    sort_classes();
    fix_entropies();
    for (int c = 0; c < classes; c++) {
        double size = class_size[c];
        per_size[c] = inverse(size);
        per_margin[c] = inverse(size * (n - size));
        per_deviation[c] = inverse(sqrt(per_size[c] - 1 / n));
        size_entropy[c] = entropy + (int64_t)size;
    }
}

/* run_of returns the end of the run of terms with as many documents as term t. */
static int64_t run_of(int64_t t) {
    int64_t end = t + 1;
    while (end < terms && df[end] == df[t]) end++;
    return end;
}

/* tabled tells whether a table pays for the terms [t, end), which have the
 * same number of documents. */
static int tabled(int64_t t, int64_t end) {
    return df[t] < LOW && start[end] - start[t] > df[t] * classes;
}

/* absent_class is the largest class without the term, -1 if it is in all. */
static int absent_class(int64_t t) {
    uint8_t present[MOST_CLASSES] = {0};
    for (uint32_t i = start[t]; i < start[t + 1]; i++) present[class[i]] = 1;
    for (int k = 0; k < classes; k++)
        if (!present[by_size[k]]) return by_size[k];
    return -1;
}

/* other_than is the largest class but c, c itself if there is no other. */
static int other_than(int c) { return by_size[by_size[0] == c && classes > 1]; }

/* deviation is chi-square of a term in d documents, a of them in class c, but
 * for the factor that is the same in all classes. */
static inline double deviation(double n, double d, double a, int c) {
    double gap = n * a - d * class_size[c];
    return gap * gap * per_margin[c];
}

static double chi_absent(int64_t t, double largest) {
    int c = absent_class(t);
    return c < 0 ? largest : fmax(largest, deviation(documents, df[t], 0, c));
}

/* chi_single is chi of terms in one document each. */
static void chi_single(int64_t t, int64_t end, double scale) {
    double value[MOST_CLASSES], n = documents;
    for (int c = 0; c < classes; c++)
        value[c] = scale * fmax(deviation(n, 1, 1, c), deviation(n, 1, 0, other_than(c)));
    for (const uint8_t *of = class + start[t]; t < end; t++) answer_value[t] = value[*of++];
}

static void chi_table(uint32_t d) {
    for (uint32_t a = 1; a <= d; a++)
        for (int c = 0; c < classes; c++) deviations[a * classes + c] = deviation(documents, d, a, c);
}

/* score_chi: the largest N (N a - df n_c)^2 / (df (N-df) n_c (N-n_c)) of all
 * classes. Of those without the term only the largest can have it. */
static void score_chi(void) {
    double n = documents;
    for (int64_t t = 0, end; t < terms; t = end) {
        end = run_of(t);
        double d = df[t], scale = n * inverse(d * (n - d)), absent = deviation(n, d, 0, by_size[0]);
        if (df[t] == 1) {
            chi_single(t, end, scale);
            continue;
        }
        int known = tabled(t, end);
        if (known) chi_table(df[t]);
        for (; t < end; t++) {
            double largest = 0;
            if (known)
                for (uint32_t i = start[t]; i < start[t + 1]; i++) {
                    double v = deviations[docs[i] * classes + class[i]];
                    largest = v > largest ? v : largest;
                }
            else
                for (uint32_t i = start[t]; i < start[t + 1]; i++) {
                    double v = deviation(n, d, docs[i], class[i]);
                    largest = v > largest ? v : largest;
                }
            if (largest < absent) largest = chi_absent(t, largest);
            answer_value[t] = largest * scale;
        }
    }
}

/* difference is what a cell of a documents in class c adds to ig. */
static inline int64_t difference(uint32_t a, int c) {
    const int64_t *whole = size_entropy[c];
    return entropy[a] + *(whole - a) - *whole;
}

static void ig_table(uint32_t d) {
    for (uint32_t a = 1; a <= d; a++)
        for (int c = 0; c < classes; c++) differences[a * classes + c] = a <= class_size[c] ? difference(a, c) : 0;
}

/* ig_single is ig of terms in one document each. */
static void ig_single(int64_t t, int64_t end, int64_t whole, double scale) {
    double value[MOST_CLASSES];
    for (int c = 0; c < classes; c++) value[c] = class_size[c] > 0 ? (whole + difference(1, c)) * scale : 0;
    for (const uint8_t *of = class + start[t]; t < end; t++) answer_value[t] = value[*of++];
}

/* score_ig: N times it is the entropy of the term and of the class less that of
 * both. Classes without the term add nothing to this difference. */
static void score_ig(void) {
    double scale = unit / documents;
    for (int64_t t = 0, end; t < terms; t = end) {
        end = run_of(t);
        int64_t whole = entropy[documents] - entropy[df[t]] - entropy[documents - df[t]];
        if (df[t] == 1) {
            ig_single(t, end, whole, scale);
            continue;
        }
        int known = tabled(t, end);
        if (known) ig_table(df[t]);
        for (; t < end; t++) {
            int64_t sum = whole;
            if (known)
                for (uint32_t i = start[t]; i < start[t + 1]; i++) sum += differences[docs[i] * classes + class[i]];
            else
                for (uint32_t i = start[t]; i < start[t + 1]; i++) sum += difference(docs[i], class[i]);
            answer_value[t] = sum * scale;
        }
    }
}

/* first_single is the first of the terms in one document, which are the last. */
static int64_t first_single(void) {
    int64_t t = terms;
    while (t > 0 && df[t - 1] == 1) t--;
    return t;
}

/* ttest_single is t of the terms in one document, whose cell is the term. */
static void ttest_single(int64_t t, double freedom) {
    double other[MOST_CLASSES], per_document = 1.0 / documents;
    for (int c = 0; c < classes; c++) other[c] = classes > 1 ? per_deviation[other_than(c)] : 0;
    for (uint32_t i = start[t]; t < terms; t++, i++) {
        double s = sums[i], own = s * per_size[class[i]], mean = s * per_document, within = squares[i] - s * own;
        double inside = fabs(own - mean) * per_deviation[class[i]], outside = mean * other[class[i]];
        double largest = inside > outside ? inside : outside;
        answer_value[t] = within > 0 ? largest * sqrt(freedom / within) : 0;
    }
}

/* score_ttest: the largest distance of the mean of a class from that of all
 * documents, in units of its deviation, which the classes share. Of classes
 * without the term only the largest can have it. */
static void score_ttest(void) {
    double per_document = 1.0 / documents, freedom = documents - classes, absent = per_deviation[by_size[0]];
    int64_t single = first_single();
    ttest_single(single, freedom);
    for (int64_t t = 0; t < single; t++) {
        double mean = cf[t] * per_document, within = 0, largest = 0;
        for (uint32_t i = start[t]; i < start[t + 1]; i++) {
            double s = sums[i], own = s * per_size[class[i]], v = fabs(own - mean) * per_deviation[class[i]];
            within += squares[i] - s * own;
            largest = v > largest ? v : largest;
        }
        if (largest < mean * absent) {
            int c = absent_class(t);
            if (c >= 0) largest = fmax(largest, mean * per_deviation[c]);
        }
        answer_value[t] = within > 0 ? largest * sqrt(freedom / within) : 0;
    }
}

/* ocfs_single is ocfs of the terms in one document. */
static void ocfs_single(int64_t t) {
    double once[MOST_CLASSES], n = documents;
    for (int c = 0; c < classes; c++) once[c] = per_size[c] / n - 1 / (n * n);
    for (uint32_t i = start[t]; t < terms; t++, i++) answer_value[t] = (double)sums[i] * sums[i] * once[class[i]];
}

/* score_ocfs: the squared distances of the means of the classes from that of all
 * documents, weighted by the sizes of the classes. */
static void score_ocfs(void) {
    double per_document = 1.0 / documents;
    int64_t single = first_single();
    ocfs_single(single);
    for (int64_t t = 0; t < single; t++) {
        double mean = cf[t] * per_document, sum = 0;
        for (uint32_t i = start[t]; i < start[t + 1]; i++) sum += (double)sums[i] * sums[i] * per_size[class[i]];
        answer_value[t] = sum * per_document - mean * mean;
    }
}

static int run(const char *job) {
    if (!strcmp(job, "CellsChi")) score_chi();
    else if (!strcmp(job, "CellsIG")) score_ig();
    else if (!strcmp(job, "CellsTTest")) score_ttest();
    else if (!strcmp(job, "CellsOCFS")) score_ocfs();
    else return 0;
    return 1;
}

int main(int n, char **args) {
    if (n != 2) die("a file of cells is needed");
    load(args[1]);
    prepare();
    reserve_answer(terms);
    answer_size = terms;
    for (int64_t t = 0; t < terms; t++) answer_id[t] = t;
    serve();
    return 0;
}
