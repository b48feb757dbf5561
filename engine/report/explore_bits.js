// A BitReader reads the numbers that bitcoder.go has coded.
class BitReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.width = 0xffffffff;
    this.code = 0; // where in the interval the number lies that the bytes spell
    for (let i = 0; i < 4; i++) this.shift();
    this.models = new Map();
  }

  shift() {
    if (this.at > this.bytes.length + 8) throw new Error("The data of the page are damaged: they end too early.");
    const next = this.at < this.bytes.length ? this.bytes[this.at] : 0;
    this.at++;
    this.code = (this.code << 8 | next) >>> 0;
  }

  // bit reads a bit by the model at a place: the probability of 0, and how often it was read.
  bit(models, at) {
    const zero = models[at], seen = models[at + 1];
    const split = (this.width >>> 16) * zero;
    let one = 0;
    if (this.code < split) {
      this.width = split;
      models[at] = zero + Math.floor((65535 - 32 - zero) / (seen + 2));
    } else {
      one = 1;
      this.code -= split;
      this.width -= split;
      models[at] = zero - Math.floor((zero - 32) / (seen + 2));
    }
    if (seen < 120) models[at + 1] = seen + 1;
    while (this.width < 0x1000000) {
      this.width = (this.width << 8) >>> 0;
      this.shift();
    }
    return one;
  }

  // model returns the models of the bits of numbers in a context: 64 of longer, 64 by 8 of next, 64 of rest.
  model(of, a, b) {
    const key = (of * 64 + a) * 64 + b;
    let m = this.models.get(key);
    if (!m) {
      m = new Uint16Array(2 * (64 + 512 + 64));
      for (let i = 0; i < m.length; i += 2) m[i] = 32768;
      this.models.set(key, m);
    }
    return m;
  }

  number(of, a = 0, b = 0) {
    const m = this.model(of, a, b);
    let n = 1;
    while (this.bit(m, 2 * n) === 1) if (++n > 54) throw new Error("The data of the page are damaged: a number is too large.");
    let value = 1, node = 1;
    for (let i = n - 2; i >= 0; i--) {
      let one;
      if (node < 8) {
        one = this.bit(m, 2 * (64 + 8 * n + node));
        node = 2 * node + one;
      } else {
        one = this.bit(m, 2 * (576 + i));
      }
      value = 2 * value + one;
    }
    return value - 1;
  }

  signed(of, a = 0, b = 0) {
    const size = this.number(of, a, b);
    if (size === 0) return 0;
    return this.bit(this.model(of, a, b), 2 * (576 + 63)) === 1 ? -size : size;
  }
}

// magnitude returns a number below 64 that tells small numbers apart, and the lengths of larger ones.
function magnitude(v) {
  if (v < 8) return v;
  return v < 4294967296 ? 36 - Math.clz32(v) : 68 - Math.clz32(v / 4294967296);
}
