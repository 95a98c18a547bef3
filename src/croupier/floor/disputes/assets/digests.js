// SHA-256, SHA-512 and Ed25519 signatures, written out: a page that is opened from a file may have no other way to them.
"use strict";

const Digests = (() => {
  const encoder = new TextEncoder();

  function utf8(text) {
    return encoder.encode(text);
  }

  function fromHex(text) {
    if (typeof text !== "string" || text.length % 2 || !/^[0-9a-f]*$/i.test(text)) {
      throw new TypeError("a text is not hexadecimal");
    }
    return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
  }

  function hex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  // ------------------------------------------------------------ constants: fractions of roots of the first primes

  function primes(count) {
    const found = [];
    for (let number = 2; found.length < count; number += 1) {
      if (found.every((prime) => number % prime)) found.push(number);
    }
    return found;
  }

  function rootBits(number, power, bits) {
    // The first bits behind the point of a square or cube root, by whole numbers alone.
    const scaled = BigInt(number) << BigInt(bits * power);
    let low = 0n;
    let high = 1n << BigInt(bits + 8);
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** BigInt(power) <= scaled) low = middle;
      else high = middle;
    }
    return low & ((1n << BigInt(bits)) - 1n);
  }

  const PRIMES = primes(80);
  const K256 = Uint32Array.from(PRIMES.slice(0, 64), (prime) => Number(rootBits(prime, 3, 32)));
  const H256 = Uint32Array.from(PRIMES.slice(0, 8), (prime) => Number(rootBits(prime, 2, 32)));
  const K512 = PRIMES.map((prime) => rootBits(prime, 3, 64));
  const H512 = PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2, 64));

  function padded(bytes, block) {
    const length = block / 8;
    const whole = new Uint8Array(Math.ceil((bytes.length + 1 + length) / block) * block);
    whole.set(bytes);
    whole[bytes.length] = 0x80;
    let bits = BigInt(bytes.length) * 8n;
    for (let at = whole.length - 1; bits; at -= 1, bits >>= 8n) whole[at] = Number(bits & 255n);
    return whole;
  }

  function sha256(bytes) {
    const message = padded(bytes, 64);
    const view = new DataView(message.buffer);
    const state = Uint32Array.from(H256);
    const words = new Uint32Array(64);
    for (let start = 0; start < message.length; start += 64) {
      for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(start + 4 * at);
      for (let at = 16; at < 64; at += 1) {
        const x = words[at - 15];
        const y = words[at - 2];
        const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        words[at] = words[at - 16] + s0 + words[at - 7] + s1;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 64; at += 1) {
        const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const one = (h + s1 + ((e & f) ^ (~e & g)) + K256[at] + words[at]) | 0;
        const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((value, at) => {
        state[at] += value;
      });
    }
    return Uint8Array.from({ length: 32 }, (_, at) => (state[at >> 2] >>> (24 - 8 * (at & 3))) & 255);
  }

  const MASK = (1n << 64n) - 1n;

  function turned(value, by) {
    return ((value >> by) | (value << (64n - by))) & MASK;
  }

  function sha512(bytes) {
    const message = padded(bytes, 128);
    const view = new DataView(message.buffer);
    const state = [...H512];
    for (let start = 0; start < message.length; start += 128) {
      const words = Array.from({ length: 16 }, (_, at) => view.getBigUint64(start + 8 * at));
      for (let at = 16; at < 80; at += 1) {
        const x = words[at - 15];
        const y = words[at - 2];
        const s0 = turned(x, 1n) ^ turned(x, 8n) ^ (x >> 7n);
        const s1 = turned(y, 19n) ^ turned(y, 61n) ^ (y >> 6n);
        words.push((words[at - 16] + s0 + words[at - 7] + s1) & MASK);
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 80; at += 1) {
        const s1 = turned(e, 14n) ^ turned(e, 18n) ^ turned(e, 41n);
        const one = h + s1 + ((e & f) ^ (~e & MASK & g)) + K512[at] + words[at];
        const s0 = turned(a, 28n) ^ turned(a, 34n) ^ turned(a, 39n);
        const two = s0 + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK];
      }
      [a, b, c, d, e, f, g, h].forEach((value, at) => {
        state[at] = (state[at] + value) & MASK;
      });
    }
    return joined(...state.map((word) => fromHex(word.toString(16).padStart(16, "0"))));
  }

  // ------------------------------------------------------------ Ed25519 (RFC 8032, section 5.1)

  const P = 2n ** 255n - 19n;
  const L = 2n ** 252n + 27742317777372353535851937790883648493n;

  function mod(value) {
    const rest = value % P;
    return rest < 0n ? rest + P : rest;
  }

  function power(base, exponent) {
    let found = 1n;
    let square = mod(base);
    for (let left = exponent; left; left >>= 1n) {
      if (left & 1n) found = (found * square) % P;
      square = (square * square) % P;
    }
    return found;
  }

  function inverse(value) {
    return power(value, P - 2n);
  }

  const D = mod(-121665n * inverse(121666n));
  const ROOT = power(2n, (P - 1n) / 4n);

  function little(bytes) {
    return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
  }

  function point(bytes) {
    const number = little(bytes);
    const sign = number >> 255n;
    const y = number & ((1n << 255n) - 1n);
    if (y >= P) return null;
    const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
    let x = power(square, (P + 3n) / 8n);
    if (mod(x * x - square)) x = (x * ROOT) % P;
    if (mod(x * x - square) || (x === 0n && sign)) return null;
    if ((x & 1n) !== sign) x = P - x;
    return [x, y, 1n, (x * y) % P];
  }

  function plus(one, other) {
    const a = mod((one[1] - one[0]) * (other[1] - other[0]));
    const b = mod((one[1] + one[0]) * (other[1] + other[0]));
    const c = mod(2n * one[3] * other[3] * D);
    const d = mod(2n * one[2] * other[2]);
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
  }

  function times(scalar, of) {
    let found = [0n, 1n, 1n, 0n];
    let doubled = of;
    for (let left = scalar; left; left >>= 1n) {
      if (left & 1n) found = plus(found, doubled);
      doubled = plus(doubled, doubled);
    }
    return found;
  }

  const BASE = (() => {
    const y = mod(4n * inverse(5n));
    return point(Uint8Array.from({ length: 32 }, (_, at) => Number((y >> BigInt(8 * at)) & 255n)));
  })();

  function hasSigned(key, message, signature) {
    if (key.length !== 32 || signature.length !== 64) return false;
    const first = signature.slice(0, 32);
    const [open, random, scalar] = [point(key), point(first), little(signature.slice(32))];
    if (open === null || random === null || scalar >= L) return false;
    const digest = little(sha512(joined(first, key, message))) % L;
    const [left, right] = [times(scalar, BASE), plus(random, times(digest, open))];
    return !mod(left[0] * right[2] - right[0] * left[2]) && !mod(left[1] * right[2] - right[1] * left[2]);
  }

  return { utf8, fromHex, hex, joined, sha256, sha512, hasSigned, digest: (text) => hex(sha256(utf8(text))) };
})();
