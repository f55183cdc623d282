/** A public key as one line of text holds it (RFC 4253 §6.6), without its comment. */
export interface SshPublicKey {
  readonly type: string;
  readonly base64: string;
  /** What `base64` stands for: fingerprints are made of it. */
  readonly blob: Uint8Array;
}

/** `problem` completes the sentence "The key …"; absent where the text holds no key at all. */
export type ParsedKey = { readonly key: SshPublicKey } | { readonly problem?: string };

const LEAST_RSA_BITS = 2048;
/** Larger ones cost the service more to check than a stranger may ask for. */
const MOST_RSA_BITS = 8192;
const CURVES: Readonly<Record<string, number>> = { nistp256: 32, nistp384: 48, nistp521: 66 };
const ED25519_BYTES = 32;
const UNCOMPRESSED_POINT = 4;

/** Reads what SSH calls strings: each has its length before it. */
class Fields {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  next(): Uint8Array | undefined {
    const { bytes } = this;
    if (this.#at + 4 > bytes.length) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(this.#at, this.#at + 4);
    const start = this.#at + 4;
    const end = start + a * 0x1000000 + b * 0x10000 + c * 0x100 + d;
    if (end > bytes.length) return undefined;
    this.#at = end;
    return bytes.subarray(start, end);
  }

  text(): string | undefined {
    const bytes = this.next();
    return bytes && String.fromCharCode(...bytes.subarray(0, 64));
  }

  get ended(): boolean {
    return this.#at === this.bytes.length;
  }
}

/** Of a positive number; undefined for one that is negative or not written the shortest way. */
const bitsOf = (number: Uint8Array | undefined): number | undefined => {
  const [first, second = 0] = number ?? [];
  if (number === undefined || first === undefined || first >= 0x80 || (first === 0 && second < 0x80)) return undefined;
  const digits = first === 0 ? number.subarray(1) : number;
  return (digits.length - 1) * 8 + (32 - Math.clz32(digits[0] ?? 0));
};

const rsaProblem = (fields: Fields): string | null | undefined => {
  const [exponent, modulus] = [fields.next(), fields.next()];
  const bits = bitsOf(modulus);
  const isOdd = (number: Uint8Array | undefined): boolean => ((number?.at(-1) ?? 0) & 1) === 1;
  if (bitsOf(exponent) === undefined || bits === undefined || !isOdd(exponent) || !isOdd(modulus)) return null;
  if ((bitsOf(exponent) ?? 0) < 2) return 'has an exponent that makes it useless: make another one';
  if (bits < LEAST_RSA_BITS) return `must be at least ${LEAST_RSA_BITS} bits`;
  return bits > MOST_RSA_BITS ? `must be at most ${MOST_RSA_BITS} bits` : undefined;
};

const curveProblem = (fields: Fields, type: string): null | undefined => {
  const curve = fields.text() ?? '';
  const bytes = Object.hasOwn(CURVES, curve) ? CURVES[curve] : undefined;
  const point = fields.next();
  const fits = bytes !== undefined && point?.length === 1 + 2 * bytes && point[0] === UNCOMPRESSED_POINT;
  return type === `ecdsa-sha2-${curve}` && fits ? undefined : null;
};

/** Null where the fields are not those of the type, else why such a key isn't taken. */
const problemOf = (type: string, fields: Fields): string | null | undefined => {
  if (type === 'ssh-ed25519') return fields.next()?.length === ED25519_BYTES ? undefined : null;
  if (type === 'ssh-rsa') return rsaProblem(fields);
  if (/^ecdsa-sha2-nistp\d{3}$/.test(type)) return curveProblem(fields, type);
  const instead = 'use ED25519, ECDSA, or RSA of at least 2048 bits';
  if (type === 'ssh-dss') return `is a DSA key, which is too weak: ${instead}`;
  return /^sk-/.test(type) ? `is of a security key, which is not supported: ${instead}` : null;
};

const decode = (base64: string): Uint8Array | undefined => {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
};

const encode = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

const LINE = /^([a-z0-9@.-]{1,64})[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t][^\r\n]*)?$/;

/** Reads the line that `ssh-keygen` writes into a file that ends in `.pub`. */
export const parsePublicKey = (text: string): ParsedKey => {
  const [, type = '', base64 = ''] = LINE.exec(text.trim()) ?? [];
  const blob = decode(base64);
  // Two spellings of one blob would be two keys to a careless reader.
  if (blob === undefined || encode(blob) !== base64) return {};
  const fields = new Fields(blob);
  if (fields.text() !== type) return {};
  const problem = problemOf(type, fields);
  if (problem === null) return {};
  if (problem !== undefined) return { problem };
  return fields.ended ? { key: { type, base64, blob } } : {};
};

/** What programs write above or below a private key, and the base64 that one of OpenSSH begins with ("openssh-key-v1"). */
const PRIVATE = /-{4} ?(?:BEGIN|END) [A-Z0-9 ]{0,30}PRIVATE KEY ?-{4}|PuTTY-User-Key-File-\d|b3BlbnNzaC1rZXktdjE/;

/** Whether a text holds the half of a pair that nobody else may have, even without its first line. */
export const isPrivateKey = (text: string): boolean => PRIVATE.test(text);

export type FingerprintQuery = { readonly sha256: string } | { readonly md5: string };

/** A fingerprint as people write it; undefined where it is none. */
export const parseFingerprint = (text: string): FingerprintQuery | undefined => {
  const sha256 = /^(?:SHA256:)?([A-Za-z0-9+/]{43})=?$/.exec(text)?.[1];
  if (sha256 !== undefined) return { sha256 };
  const md5 = /^(?:MD5:)?([0-9a-f]{2}(?::[0-9a-f]{2}){15})$/i.exec(text)?.[1];
  return md5 === undefined ? undefined : { md5: md5.toLowerCase() };
};
