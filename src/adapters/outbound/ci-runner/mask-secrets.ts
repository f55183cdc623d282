const MASK = '[MASKED]';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Bytes as text of one character each: whatever is in a log, no byte of it is changed. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/**
 * Writes `[MASKED]` in place of secrets in what passes through, also where one comes in pieces: what may be the beginning of one is
 * held back until more has come.
 */
export class MaskSecrets {
  readonly #secrets: readonly string[];
  readonly #pattern: RegExp | undefined;
  readonly #longest: number;
  #held = '';

  constructor(secrets: readonly string[]) {
    const distinct = new Set(secrets.filter((secret) => secret !== '').map(bytesOf));
    this.#secrets = [...distinct].sort((a, b) => b.length - a.length);
    this.#longest = this.#secrets[0]?.length ?? 0;
    this.#pattern = this.#longest === 0 ? undefined : new RegExp(this.#secrets.map(escaped).join('|'), 'g');
  }

  push(chunk: Buffer): Buffer {
    const text = this.#held + chunk.toString('latin1');
    const safe = this.#beginningOfOne(text);
    return this.#write(text, safe);
  }

  /** What was held back: nothing follows. */
  end(): Buffer {
    const text = this.#held;
    return this.#write(text, text.length);
  }

  /** Where the text ends with what may be the beginning of a secret; its length where it doesn't. */
  #beginningOfOne(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at += 1) {
      const tail = text.slice(at);
      if (this.#secrets.some((secret) => secret.length > tail.length && secret.startsWith(tail))) return at;
    }
    return text.length;
  }

  /** Everything before an index, and the secret that begins before it. */
  #write(text: string, until: number): Buffer {
    const pieces: string[] = [];
    let from = 0;
    if (this.#pattern !== undefined)
      for (const { index, 0: secret } of text.matchAll(this.#pattern)) {
        if (index >= until) break;
        pieces.push(text.slice(from, index), MASK);
        from = index + secret.length;
      }
    const end = Math.max(from, until);
    pieces.push(text.slice(from, end));
    this.#held = text.slice(end);
    return Buffer.from(pieces.join(''), 'latin1');
  }
}
