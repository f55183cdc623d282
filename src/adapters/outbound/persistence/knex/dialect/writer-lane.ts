import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import { Session, type RunPrepared } from '../session.js';
import { isBusy, sqliteDialect } from './sqlite-dialect.js';
import type { WriterTurn } from './writer-turn.js';

type Work<Result> = (session: Session) => Promise<Result>;

/** How the lane writes. */
export interface Writer {
  /** Of exactly one connection, which nobody else uses. */
  readonly knex: Knex;
  /** On that connection, too. */
  readonly run: RunPrepared;
  /** Whether commits wait until what they wrote outlasts a loss of power. They do unless told. */
  readonly waitForDisk: (waits: boolean) => Promise<void>;
}

/** How a work wants to be done (`Manner`). */
export interface Asked {
  /** It may be lost: whoever wants it does it again. */
  readonly repeatable?: boolean;
  /** It asks all that it asks before it waits, and may be run again. */
  readonly atOnce?: boolean;
}

interface Member extends Asked {
  readonly work: Work<unknown>;
  /** Tells the caller; called only after the group's commit, for refusals too: they may rest on a sibling's rows. */
  settle: () => void;
  reject: (error: unknown) => void;
  resolve: (result: unknown) => void;
}

export interface WriterLaneOptions {
  /** Members of one group at most. */
  readonly groupSize: number;
  /** How long one work may take, in milliseconds. */
  readonly workDeadline: number;
  /** How long to wait for another process that holds the write lock, in milliseconds. */
  readonly busyDeadline: number;
}

const DEFAULTS: WriterLaneOptions = { groupSize: 64, workDeadline: 10_000, busyDeadline: 5_000 };
const BUSY_PAUSE = 5;
/** Turns of the event loop that a group waits for while each brings more: a commit writes nearly as many pages for few works as for many. */
const MOST_TURNS = 8;

/**
 * The single lane of all writes of a thread. Works that arrive in one turn of the event loop, or in turns of which each brings more, share a
 * transaction, each inside its own savepoint, and one commit; a work that fails leaves its siblings intact. A savepoint costs a copy of every page
 * that its work writes to: one that has no siblings needs none, nor does a group of works that all ask at once, which may be run again (`docs/adr/0017`).
 */
export class WriterLane {
  readonly #waiting: Member[] = [];
  readonly #options: WriterLaneOptions;
  #running: Promise<void> | undefined;
  #undoesInMemory = false;
  #waitsForDisk = true;

  constructor(
    private readonly writer: Writer,
    private readonly turn: WriterTurn,
    options: Partial<WriterLaneOptions> = {},
  ) {
    this.#options = { ...DEFAULTS, ...options };
  }

  execute<Result>(work: Work<Result>, asked: Asked = {}): Promise<Result> {
    return new Promise<Result>((done, reject) => {
      const resolve = done as (result: unknown) => void;
      this.#waiting.push({ ...asked, work, settle: () => undefined, reject, resolve });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no work is waiting or running. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.turn.take();
      await this.#runGroup(this.#waiting.splice(0, this.#options.groupSize));
    }
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    let before = 0;
    for (let turn = 1; turn <= MOST_TURNS && this.#waiting.length > before; turn += 1) {
      before = this.#waiting.length;
      await new Promise((resume) => setImmediate(resume));
    }
  }

  async #runGroup(group: readonly Member[]): Promise<void> {
    try {
      await this.#undoInMemory();
      // Before it begins: within a transaction it can't be changed.
      await this.#waitForDisk(group.some(({ repeatable = false }) => !repeatable));
      await this.#begin();
      if (group.length === 1 || group.every(({ atOnce = false }) => atOnce)) await this.#runAsOne(group);
      else await this.#runEach(group);
      await this.writer.run('commit', []);
    } catch (error) {
      await this.#abandon();
      group.forEach((member) => member.reject(error));
      return;
    } finally {
      this.turn.pass();
    }
    group.forEach((member) => member.settle());
  }

  async #waitForDisk(waits: boolean): Promise<void> {
    if (waits === this.#waitsForDisk) return;
    await this.writer.waitForDisk(waits);
    this.#waitsForDisk = waits;
  }

  // What undoes a statement is kept in a file otherwise, as soon as the statement has written to 16 pages. Not before migrations are
  // done, who sort what may not fit into memory.
  async #undoInMemory(): Promise<void> {
    if (this.#undoesInMemory) return;
    await this.writer.run('pragma temp_store = memory', []);
    this.#undoesInMemory = true;
  }

  // A plain BEGIN would let a read pass and fail at the first write after another process wrote, whatever the busy timeout.
  async #begin(): Promise<void> {
    const giveUpAt = performance.now() + this.#options.busyDeadline;
    for (;;) {
      try {
        await this.writer.run('begin immediate', []);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error;
        await sleep(BUSY_PAUSE);
      }
    }
  }

  /** Where one of several fails, all run again: whoever fails then fails alone. */
  async #runAsOne(group: readonly Member[]): Promise<void> {
    try {
      for (const member of group) await this.#perform(member);
    } catch (error) {
      if (group.length === 1) throw error;
      await this.#undo(error, 'rollback');
      await this.#begin();
      await this.#runEach(group);
    }
  }

  async #runEach(group: readonly Member[]): Promise<void> {
    for (const member of group) await this.#runBesideOthers(member);
  }

  async #runBesideOthers(member: Member): Promise<void> {
    await this.writer.run('savepoint work', []);
    try {
      await this.#perform(member);
      await this.writer.run('release work', []);
    } catch (error) {
      await this.#undo(error, 'rollback to work', 'release work');
      member.settle = () => member.reject(error);
    }
  }

  /** @throws what it is undone for, where the whole transaction is dead (disk full, I/O error): then the group is rejected. */
  async #undo(because: unknown, ...statements: readonly string[]): Promise<void> {
    try {
      for (const statement of statements) await this.writer.run(statement, []);
    } catch {
      throw because;
    }
  }

  async #perform(member: Member): Promise<void> {
    const session = Session.on(this.writer.knex, sqliteDialect, this.writer.run);
    try {
      const result = await this.#withDeadline(member.work(session));
      member.settle = () => member.resolve(result);
    } finally {
      session.end();
    }
  }

  async #withDeadline<Result>(running: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable('database')), this.#options.workDeadline);
    });
    try {
      return await Promise.race([running, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #abandon(): Promise<void> {
    try {
      await this.writer.run('rollback', []);
    } catch {
      // Nothing to roll back: the database ended the transaction itself.
    }
  }
}
