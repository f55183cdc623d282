import { Socket } from 'node:net';

/** As much as one read of a socket takes. */
const READ_BYTES = 65_536;
/** A message is a letter, and the length of all but the letter (PostgreSQL, "Message Formats"). */
const HEAD_BYTES = 5;
const NONE = Buffer.alloc(0);

type Give = (messages: Buffer) => void;

/** The length of the message that begins at `offset`, or of its head while that is not there. */
const lengthAt = (bytes: Buffer, offset: number): number =>
  bytes.length - offset < HEAD_BYTES ? HEAD_BYTES : bytes.readUInt32BE(offset + 1) + 1;

/** Puts the messages of a stream together: what it gives is whole messages, in memory of their own. */
export class WholeMessages {
  /** The beginning of a message, shorter than one read. */
  #begun: Buffer = NONE;
  /** A message that takes many reads, as long as it will be: it grows nowhere. */
  #long: Buffer = NONE;
  #filled = 0;

  constructor(private readonly give: Give) {}

  /** @param read is written over after this. */
  take(read: Buffer): void {
    const rest = this.#fill(read);
    if (rest.length === 0) return;
    const bytes = this.#begun.length === 0 ? rest : Buffer.concat([this.#begun, rest]);
    let end = 0;
    while (end < bytes.length && end + lengthAt(bytes, end) <= bytes.length) end += lengthAt(bytes, end);
    // What was put together is nobody else's; what was read is.
    if (end > 0) this.give(bytes === rest ? Buffer.from(bytes.subarray(0, end)) : bytes.subarray(0, end));
    this.#keep(bytes.subarray(end));
  }

  #keep(beginning: Buffer): void {
    const length = lengthAt(beginning, 0);
    if (beginning.length < HEAD_BYTES || length < READ_BYTES) {
      this.#begun = beginning.length === 0 ? NONE : Buffer.from(beginning);
      return;
    }
    this.#begun = NONE;
    this.#long = Buffer.allocUnsafe(length);
    this.#filled = beginning.copy(this.#long);
  }

  /** @returns what belongs to no long message. */
  #fill(read: Buffer): Buffer {
    if (this.#long.length === 0) return read;
    const taken = read.copy(this.#long, this.#filled);
    this.#filled += taken;
    if (this.#filled < this.#long.length) return NONE;
    const message = this.#long;
    this.#long = NONE;
    this.give(message);
    return read.subarray(taken);
  }
}

/** Pg corks the socket for each statement. What is asked in one turn goes out by one write, which costs more than to make it. */
const joinWritesOfTurn = (socket: Socket): void => {
  let joining = false;
  const leave = (): void => {
    joining = false;
    socket.uncork();
  };
  socket.cork = () => {
    Socket.prototype.cork.call(socket);
    if (joining) return;
    joining = true;
    Socket.prototype.cork.call(socket);
    process.nextTick(leave);
  };
};

/**
 * A socket that reads into one buffer and tells of whole messages. Pg's own way takes new memory for each read and doubles it as a row
 * grows: three times the row, outside of the heap, so that the engine sees no reason to collect it.
 */
export const createMessageSocket = (): Socket => {
  const messages = new WholeMessages((bytes) => socket.emit('data', bytes));
  const onread = {
    buffer: Buffer.allocUnsafe(READ_BYTES),
    callback: (length: number, buffer: Uint8Array): boolean => {
      messages.take(Buffer.from(buffer.buffer, buffer.byteOffset, length));
      return true;
    },
  };
  const socket = new Socket({ onread });
  joinWritesOfTurn(socket);
  return socket;
};
