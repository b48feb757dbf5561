/* The jobs in C, as a careful programmer writes them for one machine.
 *
 * One process for all measurements: it loads the data, says "ready", and
 * answers the requests that child.go describes. Arguments: the directory of the
 * data and the number of terms to select. CELL, the type of a count of
 * documents, is set by the compiler's command line.
 */
#include "child.h"

#ifndef CELL
#define CELL uint32_t
#endif

/* A block of terms goes through all classes while it is in the L1 cache. */
enum { BLOCK = 1024 };

static int64_t documents, terms, classes, postings, top;
static int64_t *start;               /* first posting of each document */
static int32_t *term, *count, *label; /* of postings, postings, documents */
static char *text;                   /* documents, each ended by a NUL */
static size_t text_size;

static CELL *table;      /* classes x terms: documents of the class with the term */
static float *sums;      /* classes x terms: occurrences */
static float *squares;   /* of the counts of a term, over all documents */
static float *value;     /* of each term */
static float *scratch;   /* a copy that selection may reorder */
static float *size_of;   /* documents of each class */
static int64_t *members; /* documents, class by class */
static int64_t *first;   /* first member of each class */

static void *resize(void *p, size_t bytes) {
    p = realloc(p, bytes);
    if (!p) die("out of memory");
    return p;
}

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
    f = open_file(directory, "text");
    fseek(f, 0, SEEK_END);
    text_size = ftell(f);
    if (text_size > UINT32_MAX) die("the text is too large for 32 bits");
    rewind(f);
    text = read_column(f, text_size, 1);
    fclose(f);
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

/* A word is a slot of an open hash table: the upper half of its hash, and its
 * number + 1. Its bytes are in one piece of memory with all others. */
typedef struct {
    uint32_t hash, id;
} slot;

static struct {
    slot *slots;
    size_t mask;
    char *bytes;
    size_t used;
    struct word {
        uint32_t at, length, document, place;
    } *words;
    uint32_t number, words_room;
} dictionary;

static unsigned char lower[256]; /* 0 = separates */

static void learn_bytes(void) {
    for (int c = 0; c < 256; c++) {
        int letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c >= 128;
        lower[c] = c >= 'A' && c <= 'Z' ? c + 32 : letter ? c : 0;
    }
}

static void open_dictionary(void) {
    dictionary.mask = (1 << 16) - 1;
    dictionary.slots = calloc(dictionary.mask + 1, sizeof(slot));
    dictionary.bytes = resize(NULL, text_size + 8); /* room for all words, and for same */
    dictionary.used = 0;
    dictionary.words_room = 1 << 14;
    dictionary.words = resize(NULL, dictionary.words_room * sizeof *dictionary.words);
    dictionary.number = 0;
    if (!dictionary.slots) die("out of memory");
}

static void close_dictionary(void) {
    free(dictionary.slots);
    free(dictionary.bytes);
    free(dictionary.words);
}

/* grow doubles the slots. The place of a word is the lower bits of its hash,
 * and the 32 bits that are kept are enough for it. */
static void grow(void) {
    size_t mask = 2 * dictionary.mask + 1;
    slot *slots = calloc(mask + 1, sizeof(slot));
    if (!slots) die("out of memory");
    for (size_t i = 0; i <= dictionary.mask; i++) {
        slot s = dictionary.slots[i];
        if (!s.id) continue;
        size_t p = s.hash & mask;
        while (slots[p].id) p = (p + 1) & mask;
        slots[p] = s;
    }
    free(dictionary.slots);
    dictionary.slots = slots, dictionary.mask = mask;
}

/* same compares words by eight bytes at a time, and may read seven too far: most
 * words need one comparison, and no call. */
static int same(const char *a, const char *b, uint32_t length) {
    uint64_t x, y;
    for (; length > 8; a += 8, b += 8, length -= 8) {
        memcpy(&x, a, 8), memcpy(&y, b, 8);
        if (x != y) return 0;
    }
    memcpy(&x, a, 8), memcpy(&y, b, 8);
    return (x ^ y) << (64 - 8 * length) == 0; /* little-endian, as the files are */
}

/* find numbers the word whose lower-cased bytes stand behind the used ones. */
static uint32_t find(uint32_t hash, uint32_t length) {
    const char *word = dictionary.bytes + dictionary.used;
    size_t p = hash & dictionary.mask;
    for (; dictionary.slots[p].id; p = (p + 1) & dictionary.mask) {
        slot s = dictionary.slots[p];
        if (s.hash != hash) continue;
        struct word *w = dictionary.words + s.id - 1;
        if (w->length == length && same(dictionary.bytes + w->at, word, length)) return s.id - 1;
    }
    if (dictionary.number == dictionary.words_room) {
        dictionary.words_room *= 2;
        dictionary.words = resize(dictionary.words, dictionary.words_room * sizeof *dictionary.words);
    }
    uint32_t id = dictionary.number++;
    dictionary.words[id] = (struct word){dictionary.used, length, 0, 0};
    dictionary.used += length;
    dictionary.slots[p] = (slot){hash, id + 1};
    if (2 * (size_t)dictionary.number > dictionary.mask) grow();
    return id;
}

/* A posting is a word of a document and how often it stands there. */
typedef struct {
    uint32_t id, count;
} posting;

static struct {
    posting *list;
    size_t length, room;
} found;

static void add_token(uint32_t id, uint32_t document) {
    struct word *w = dictionary.words + id;
    if (w->document == document) {
        found.list[w->place].count++;
        return;
    }
    if (found.length == found.room) {
        found.room *= 2;
        found.list = resize(found.list, found.room * sizeof *found.list);
    }
    w->document = document, w->place = found.length;
    found.list[found.length++] = (posting){id, 1};
}

/* next_word copies the bytes of a word in lower case behind the used ones and
 * hashes them on the way: a rotation is two cycles a byte, a multiplication
 * four, so there is one at the end. It returns where the word ends. */
static const char *next_word(const char *s, uint32_t *hash, uint32_t *length) {
    uint64_t h = 0;
    char *to = dictionary.bytes + dictionary.used;
    unsigned char c;
    const char *begin = s;
    for (; (c = lower[(unsigned char)*s]); s++) {
        *to++ = c;
        h = (h << 7 | h >> 57) + c;
    }
    *hash = h * 0x9e3779b97f4a7c15u >> 32;
    *length = s - begin;
    return s;
}

/* count_text turns the documents into postings. A NUL ends a document, and it
 * separates, so that no word runs over the end. */
static void count_text(void) {
    uint32_t document = 1;
    uint64_t tokens = 0;
    open_dictionary();
    found.room = 1 << 16, found.length = 0;
    found.list = resize(NULL, found.room * sizeof *found.list);
    for (const char *s = text, *end = text + text_size; s < end;) {
        if (!lower[(unsigned char)*s]) {
            document += !*s++;
            continue;
        }
        uint32_t hash, length;
        s = next_word(s, &hash, &length);
        if (length < 2) continue;
        add_token(find(hash, length), document);
        tokens++;
    }
    double numbers[] = {document - 1, dictionary.number, found.length, tokens};
    for (answer_size = 0; answer_size < 4; answer_size++) {
        answer_id[answer_size] = answer_size;
        answer_value[answer_size] = numbers[answer_size];
    }
    free(found.list);
    close_dictionary();
}

static int run(const char *job) {
    if (!strcmp(job, "Chi")) count_documents(), score_chi(), select_top();
    else if (!strcmp(job, "IG")) count_documents(), score_ig(), take_all();
    else if (!strcmp(job, "Moments") || !strcmp(job, "TTest")) count_moments(), score_f(), take_all();
    else if (!strcmp(job, "Count")) count_text();
    else return 0;
    return 1;
}

int main(int n, char **args) {
    if (n != 3) die("the baseline needs a directory and a number");
    load(args[1]);
    top = atoll(args[2]);
    reserve();
    learn_bytes();
    serve();
    return 0;
}
