import { ByteReader } from '../../streams/byte-reader.js';
import type { ObjectInfo, StoredObject } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId, ObjectType } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { assertObjectId } from './command.js';
import type { Child } from './runner/runner.js';

interface Question {
  readonly withContent: boolean;
  readonly answer: (found: StoredObject | undefined) => void;
  readonly fail: (error: unknown) => void;
}

const NOTHING = new Uint8Array();
const HEADER = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/;

/** A living `git cat-file --batch-command --buffer`: what is asked in one turn of the event loop goes out in one write. */
export class CatFile {
  readonly #questions: Question[] = [];
  #lines: string[] = [];
  #alive = true;
  /** Bytes of contents so far: a process that answered much keeps much, and is replaced. */
  answered = 0;
  usedAt = performance.now();

  constructor(private readonly child: Child) {
    void this.#read();
  }

  get alive(): boolean {
    return this.#alive;
  }

  get busy(): number {
    return this.#questions.length;
  }

  async info(id: ObjectId): Promise<ObjectInfo | undefined> {
    const found = await this.#ask('info', id, false);
    return found && { id: found.id, type: found.type, size: found.size };
  }

  contents(id: ObjectId): Promise<StoredObject | undefined> {
    return this.#ask('contents', id, true);
  }

  /** What was asked before is still answered. */
  close(): void {
    this.#alive = false;
    this.#flush();
    this.child.stdin.end();
  }

  #ask(command: string, id: ObjectId, withContent: boolean): Promise<StoredObject | undefined> {
    if (!this.#alive) return Promise.reject(new Unavailable('repositories'));
    this.usedAt = performance.now();
    if (this.#lines.length === 0) setImmediate(() => this.#flush());
    this.#lines.push(`${command} ${assertObjectId(id)}\n`);
    return new Promise((answer, fail) => this.#questions.push({ withContent, answer, fail }));
  }

  #flush(): void {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    this.child.stdin.write(`${lines.join('')}flush\n`);
  }

  async #read(): Promise<void> {
    const reader = new ByteReader(this.child.stdout as AsyncIterable<Buffer>);
    try {
      for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
        const question = this.#questions[0];
        if (question === undefined) break;
        const found = await this.#answerOf(line, question, reader);
        this.#questions.shift();
        question.answer(found);
      }
      this.#fail(new Unavailable('repositories'));
    } catch (error) {
      this.#fail(new Unavailable('repositories', { cause: error }));
    }
  }

  async #answerOf(line: string, question: Question, reader: ByteReader): Promise<StoredObject | undefined> {
    const [, id, type, size] = HEADER.exec(line) ?? [];
    if (id === undefined) return undefined;
    const bytes = Number(size);
    const content = question.withContent ? await reader.bytes(bytes + 1) : NOTHING;
    if (content === undefined) throw new Error('The answer ended early.');
    this.answered += content.length;
    return {
      id,
      type: type as ObjectType,
      size: bytes,
      content: content.subarray(0, question.withContent ? bytes : 0),
    };
  }

  #fail(error: unknown): void {
    this.#alive = false;
    this.child.kill();
    for (const { fail } of this.#questions.splice(0)) fail(error);
  }
}
