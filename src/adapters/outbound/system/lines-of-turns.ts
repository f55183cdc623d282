import TransportStream from 'winston-transport';

/** Where the library leaves the text of a line. */
const MESSAGE = Symbol.for('message');

/** Writes the lines of one turn of the event loop at once: each by itself costs a call of the system. */
export class LinesOfTurns extends TransportStream {
  #lines = '';

  constructor(private readonly stream: NodeJS.WritableStream) {
    super();
    process.once('exit', () => this.#write());
  }

  override log(line: { readonly [MESSAGE]: string }, next: () => void): void {
    if (this.#lines === '') setImmediate(() => this.#write());
    this.#lines += `${line[MESSAGE]}\n`;
    next();
  }

  #write(): void {
    if (this.#lines !== '') this.stream.write(this.#lines);
    this.#lines = '';
  }
}
