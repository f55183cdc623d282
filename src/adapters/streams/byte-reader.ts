/** Reads lines and counted bytes off a stream, and hands over what is left of it. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array, undefined>;
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  }

  /** Exactly so many bytes; undefined where the stream ends before them. */
  async bytes(count: number): Promise<Buffer | undefined> {
    const chunks = [this.#rest];
    let size = this.#rest.length;
    while (size < count) {
      const chunk = await this.#next();
      if (chunk === undefined) {
        this.#rest = Buffer.concat(chunks);
        return undefined;
      }
      chunks.push(chunk);
      size += chunk.length;
    }
    const whole = chunks.length === 1 ? this.#rest : Buffer.concat(chunks);
    this.#rest = whole.subarray(count);
    return whole.subarray(0, count);
  }

  /** Up to a line feed, without it; undefined at the end. Only for senders that are trusted to end their lines. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end !== -1) {
        const line = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      const chunk = await this.#next();
      if (chunk === undefined) return undefined;
      this.#rest = Buffer.concat([this.#rest, chunk]);
    }
  }

  /** Whether nothing is left. */
  async atEnd(): Promise<boolean> {
    if (this.#rest.length > 0) return false;
    const chunk = await this.#next();
    if (chunk === undefined) return true;
    this.#rest = chunk;
    return this.atEnd();
  }

  /** Everything from here on. */
  async *rest(): AsyncGenerator<Uint8Array> {
    if (this.#rest.length > 0) {
      const first = this.#rest;
      this.#rest = Buffer.alloc(0);
      yield first;
    }
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) yield chunk;
  }

  async #next(): Promise<Buffer | undefined> {
    if (this.#ended) return undefined;
    const { done, value }: IteratorResult<Uint8Array, undefined> = await this.#source.next();
    if (done === true) {
      this.#ended = true;
      return undefined;
    }
    return Buffer.isBuffer(value) ? value : Buffer.from(value);
  }
}
