/* The yardstick of counting, as a careful programmer writes it for one machine:
 * words TEXT prints documents, words, postings, tokens, and the CPU time in
 * nanoseconds of the median of nine runs. TEXT has documents, each ended by a NUL.
 *
 * Words are two or more letters, digits and underscores in lower case. A run begins
 * with an empty dictionary, and ends with the words of each document and how often
 * each stands there.
 *
 * Every byte above 127 counts as a letter and stays as it is, so that no text
 * needs to be decoded; of texts in ASCII the counts are those of full Unicode.
 * Bytes are told apart 64 at a time, and words are looked up in batches: the
 * slots of a whole batch are asked for before the first is read. Memory that a
 * run gives back stays in the process for the next.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __AVX2__
#include <immintrin.h>
#endif

enum {
    WIDTH = 64,  /* bytes of a block, as many as a mask has bits */
    BATCH = 128, /* words that are looked up together */
    SHORT = 16   /* bytes of a word that a slot holds by itself */
};

static uint64_t numbers[4]; /* documents, words, postings and tokens of the last run */

static char *text; /* documents, each ended by a NUL; WIDTH more bytes can be read */
static size_t text_size;

static void die(const char *problem) {
    fprintf(stderr, "words: %s\n", problem);
    exit(1);
}

static void *resize(void *p, size_t bytes) {
    p = realloc(p, bytes);
    if (!p) die("out of memory");
    return p;
}

static void *allocate(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (!p) die("out of memory");
    return p;
}

static void load_text(FILE *f) {
    fseek(f, 0, SEEK_END);
    text_size = ftell(f);
    rewind(f);
    text = allocate(text_size + WIDTH);
    memset(text + text_size, 0, WIDTH);
    if (fread(text, 1, text_size, f) != text_size) die("a file of the data is cut off");
    fclose(f);
}

/* reserve_words has the allocator keep memory, page tables included. */
static void reserve_words(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
#endif
}

/* letters tells which bytes of a block belong to words, as bits. */
#ifdef __AVX2__
static inline uint32_t letters_of_half(const char *s) {
    const __m256i x = _mm256_loadu_si256((const __m256i *)s);
    /* A range of n bytes from a on is moved to the end of the signed ones. */
    const __m256i lower = _mm256_or_si256(x, _mm256_set1_epi8(0x20));
    const __m256i letter = _mm256_cmpgt_epi8(_mm256_add_epi8(lower, _mm256_set1_epi8(127 - 'z')), _mm256_set1_epi8(127 - 26));
    const __m256i digit = _mm256_cmpgt_epi8(_mm256_add_epi8(x, _mm256_set1_epi8(127 - '9')), _mm256_set1_epi8(127 - 10));
    const __m256i other = _mm256_cmpeq_epi8(x, _mm256_set1_epi8('_'));
    /* The mask has the highest bit of a byte, which those above 127 have set. */
    return _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(letter, digit), _mm256_or_si256(other, x)));
}

static inline uint64_t letters(const char *s) {
    return letters_of_half(s) | (uint64_t)letters_of_half(s + WIDTH / 2) << WIDTH / 2;
}
#else
static inline uint64_t letters(const char *s) {
    uint64_t mask = 0;
    for (int i = 0; i < WIDTH; i++) {
        unsigned char c = s[i], lower = c | 0x20;
        uint64_t is = (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c > 127;
        mask |= is << i;
    }
    return mask;
}
#endif

/* A key is a word in lower case, filled up with zeros. That of a longer word is a
 * hash of it, and where it stands among the bytes of such words, below LONG_MARK;
 * the mark begins with a byte that UTF-8 never has. */
typedef struct {
    uint64_t low, high;
} key;

#define LONG_MARK (UINT64_C(0xff) << 56)

/* A slot holds a word with its number + 1, and the posting of the last document
 * that has it; documents are numbered from 1. */
typedef struct {
    key word;
    uint32_t id, document, posting, unused;
} slot;

typedef struct {
    uint32_t id, count;
} posting;

/* A token is a word on its way to the dictionary. */
typedef struct {
    key word;
    uint64_t hash;
    uint32_t document, length;
    const char *at;
} token;

static struct {
    slot *slots;
    size_t mask, words;
    char *bytes; /* of long words, each behind its length */
    size_t used, room;
} dictionary;

static struct {
    posting *list;
    size_t length, room;
} found;

static struct {
    token waiting[BATCH];
    int length;
    uint64_t tokens;
} queue;

static void open_dictionary(void) {
    dictionary.mask = (1 << 16) - 1;
    dictionary.slots = calloc(dictionary.mask + 1, sizeof(slot));
    dictionary.words = dictionary.used = 0;
    dictionary.room = 1 << 16;
    dictionary.bytes = resize(NULL, dictionary.room);
    found.length = 0, found.room = 1 << 16;
    found.list = resize(NULL, found.room * sizeof *found.list);
    queue.length = 0, queue.tokens = 0;
    if (!dictionary.slots) die("out of memory");
}

static void close_dictionary(void) {
    free(dictionary.slots);
    free(dictionary.bytes);
    free(found.list);
}

static inline uint64_t mix(uint64_t low, uint64_t high) {
    uint64_t h = (low ^ high * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

static inline int is_long(key word) { return word.high >= LONG_MARK; }

/* hash_of_key is that of the token which the key was made of. */
static inline uint64_t hash_of_key(key word) { return is_long(word) ? word.low : mix(word.low, word.high); }

/* grow doubles the slots when two thirds of them are taken. */
static void grow(void) {
    size_t mask = 2 * dictionary.mask + 1;
    slot *slots = calloc(mask + 1, sizeof(slot));
    if (!slots) die("out of memory");
    for (size_t i = 0; i <= dictionary.mask; i++) {
        const slot *s = dictionary.slots + i;
        if (!s->id) continue;
        size_t p = hash_of_key(s->word) & mask;
        while (slots[p].id) p = (p + 1) & mask;
        slots[p] = *s;
    }
    free(dictionary.slots);
    dictionary.slots = slots, dictionary.mask = mask;
}

/* add counts a word of a document. */
static inline void add(slot *s, uint32_t document) {
    if (s->document == document) {
        found.list[s->posting].count++;
        return;
    }
    if (found.length == found.room) {
        found.room *= 2;
        found.list = resize(found.list, found.room * sizeof *found.list);
    }
    s->document = document, s->posting = found.length;
    found.list[found.length++] = (posting){s->id, 1};
}

/* learn puts a new word into an empty slot. */
static void learn(slot *s, key word, uint32_t document) {
    *s = (slot){.word = word, .id = ++dictionary.words};
    add(s, document);
    if (3 * dictionary.words > 2 * dictionary.mask) grow();
}

/* keep_long puts the bytes of a long word behind those of the others. They stay only
 * if the word is new. */
static size_t keep_long(const token *t) {
    size_t end = dictionary.used + sizeof t->length + t->length;
    while (end > dictionary.room) {
        dictionary.room *= 2;
        dictionary.bytes = resize(dictionary.bytes, dictionary.room);
    }
    char *to = dictionary.bytes + dictionary.used;
    memcpy(to, &t->length, sizeof t->length);
    to += sizeof t->length;
    for (uint32_t i = 0; i < t->length; i++) {
        char c = t->at[i];
        to[i] = c >= 'A' && c <= 'Z' ? c + 0x20 : c;
    }
    return end;
}

static void count_long(const token *t) {
    size_t end = keep_long(t), size = end - dictionary.used;
    const char *word = dictionary.bytes + dictionary.used;
    uint64_t h = 0;
    for (size_t i = 0; i < size; i++) h = (h ^ (unsigned char)word[i]) * UINT64_C(0x100000001b3);
    h ^= h >> 32;
    size_t p = h & dictionary.mask;
    for (; dictionary.slots[p].id; p = (p + 1) & dictionary.mask) {
        slot *s = dictionary.slots + p;
        if (!is_long(s->word) || s->word.low != h) continue;
        const char *other = dictionary.bytes + (s->word.high & ~LONG_MARK);
        if (!memcmp(other, word, sizeof t->length) && !memcmp(other, word, size)) {
            add(s, t->document);
            return;
        }
    }
    key k = {h, LONG_MARK | dictionary.used};
    dictionary.used = end;
    learn(dictionary.slots + p, k, t->document);
}

static inline void count_short(const token *t) {
    size_t p = t->hash & dictionary.mask;
    slot *s = dictionary.slots + p;
    while (s->id && (s->word.low != t->word.low || s->word.high != t->word.high)) {
        p = (p + 1) & dictionary.mask;
        s = dictionary.slots + p;
    }
    if (s->id) add(s, t->document);
    else learn(s, t->word, t->document);
}

/* look_up counts the words that wait. */
static void look_up(void) {
    for (int i = 0; i < queue.length; i++) {
        const token *t = queue.waiting + i;
        if (__builtin_expect(t->length > SHORT, 0)) count_long(t);
        else count_short(t);
    }
    queue.tokens += queue.length;
    queue.length = 0;
}

/* short_key reads 16 bytes and keeps those of the word, in lower case. */
static inline key short_key(const char *s, size_t length) {
    key k;
#ifdef __AVX2__
    static const char ones_and_zeros[2 * SHORT] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    __m128i x = _mm_loadu_si128((const __m128i *)s);
    __m128i capital = _mm_cmpgt_epi8(_mm_add_epi8(x, _mm_set1_epi8(127 - 'Z')), _mm_set1_epi8(127 - 26));
    x = _mm_or_si128(x, _mm_and_si128(capital, _mm_set1_epi8(0x20)));
    x = _mm_and_si128(x, _mm_loadu_si128((const __m128i *)(ones_and_zeros + SHORT - length)));
    k.low = _mm_cvtsi128_si64(x), k.high = _mm_extract_epi64(x, 1);
#else
    char bytes[SHORT] = {0};
    for (size_t i = 0; i < length; i++) bytes[i] = s[i] >= 'A' && s[i] <= 'Z' ? s[i] + 0x20 : s[i];
    memcpy(&k, bytes, SHORT);
#endif
    return k;
}

/* push queues a word, and asks for its slot. */
static inline void push(const char *at, size_t length, uint32_t document) {
    token *t = queue.waiting + queue.length++;
    t->at = at, t->length = length, t->document = document;
    if (length <= SHORT) {
        t->word = short_key(at, length);
        t->hash = mix(t->word.low, t->word.high);
        __builtin_prefetch(dictionary.slots + (t->hash & dictionary.mask), 1);
    }
    if (queue.length == BATCH) look_up();
}

/* count_document finds the words between s and end by where they begin and end: the
 * bits of a mask that differ from those before them. */
static void count_document(const char *s, const char *end, uint32_t document) {
    const char *word = NULL; /* that has begun */
    for (uint64_t last = 0; s < end + 1; s += WIDTH) {
        uint64_t mask = letters(s);
        if (end - s < WIDTH) mask &= (UINT64_C(1) << (end - s)) - 1; /* a word ends with its document */
        uint64_t edges = mask ^ (mask << 1 | last);
        for (last = mask >> (WIDTH - 1); edges; edges &= edges - 1) {
            const char *edge = s + __builtin_ctzll(edges);
            if (!word) {
                word = edge;
                continue;
            }
            if (edge - word > 1) push(word, edge - word, document);
            word = NULL;
        }
    }
}

static void count_text(void) {
    uint32_t document = 0;
    open_dictionary();
    for (const char *s = text, *end; s < text + text_size; s = end + 1) {
        end = memchr(s, 0, text + text_size - s);
        count_document(s, end, ++document);
    }
    look_up();
    numbers[0] = document, numbers[1] = dictionary.words, numbers[2] = found.length, numbers[3] = queue.tokens;
    close_dictionary();
}

static int64_t cpu_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int main(int n, char **args) {
    int64_t took[9];
    FILE *f = n == 2 ? fopen(args[1], "rb") : NULL;
    if (!f) die("it takes a file of documents, each ended by a NUL");
    load_text(f);
    reserve_words();
    count_text();
    for (int i = 0; i < 9; i++) {
        int64_t before = cpu_time();
        count_text();
        took[i] = cpu_time() - before;
    }
    qsort(took, 9, sizeof *took, by_size);
    for (int i = 0; i < 4; i++) printf("%llu ", (unsigned long long)numbers[i]);
    printf("%lld\n", (long long)took[4]);
    return 0;
}
