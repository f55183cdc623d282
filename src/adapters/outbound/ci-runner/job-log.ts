import { crc32 } from 'node:zlib';
import { MaskSecrets } from './mask-secrets.js';

const MOST_BYTES = 4 * 1_048_576;
const END_OF_LINE = 0x0a;
const GREEN = '\u001b[32;1m';
const RED = '\u001b[31;1m';
const CYAN = '\u001b[36;1m';
const PLAIN = '\u001b[0;m';
const CLEAR_LINE = '\u001b[0K';

const TOO_LONG = `\n${RED}The log is longer than 4 MiB. The job goes on, and what it says from here on is not kept.${PLAIN}\n`;

/** The log of a job: what it says, masked, and kept until the server has it. */
export class JobLog {
  readonly #mask: MaskSecrets;
  #content = Buffer.alloc(0);
  #length = 0;
  #full = false;
  #atLineStart = true;

  constructor(
    secrets: readonly string[],
    private readonly now: () => Date,
  ) {
    this.#mask = new MaskSecrets(secrets);
  }

  get length(): number {
    return this.#length;
  }

  get checksum(): string {
    return `crc32:${crc32(this.#content.subarray(0, this.#length)).toString(16).padStart(8, '0')}`;
  }

  slice(from: number, most: number): Buffer {
    return this.#content.subarray(from, Math.min(from + most, this.#length));
  }

  /** What the job says. */
  write(chunk: Buffer): void {
    if (chunk.length > 0) this.#atLineStart = chunk.at(-1) === END_OF_LINE;
    this.#keep(this.#mask.push(chunk));
  }

  line(text: string): void {
    this.write(Buffer.from(`${text}\n`));
  }

  heading(text: string): void {
    this.line(`${CYAN}${text}${PLAIN}`);
  }

  warning(text: string): void {
    this.line(`\u001b[0;33m${text}${PLAIN}`);
  }

  /** A part that readers fold up. */
  section(name: string, edge: 'start' | 'end'): void {
    const second = Math.floor(this.now().getTime() / 1_000);
    // The mark clears its line: it takes none that the job left open.
    if (!this.#atLineStart) this.line('');
    this.write(Buffer.from(`section_${edge}:${second}:${name}\r${CLEAR_LINE}`));
    this.#atLineStart = true;
  }

  /** The last line: kept however much was said before. */
  end(verdict: string, well: boolean): void {
    this.#keep(this.#mask.end());
    this.#append(Buffer.from(`${well ? GREEN : RED}${verdict}${PLAIN}\n`));
  }

  #keep(bytes: Buffer): void {
    if (this.#full) return;
    const room = MOST_BYTES - this.#length;
    this.#append(bytes.subarray(0, room));
    if (bytes.length <= room) return;
    this.#full = true;
    this.#append(Buffer.from(TOO_LONG));
  }

  #append(bytes: Buffer): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#content.length) {
      const larger = Buffer.alloc(Math.max(needed, this.#content.length * 2, 4_096));
      this.#content.copy(larger, 0, 0, this.#length);
      this.#content = larger;
    }
    bytes.copy(this.#content, this.#length);
    this.#length = needed;
  }
}
