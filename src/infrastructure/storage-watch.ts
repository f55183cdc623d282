import { hostname } from 'node:os';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MoveInSight, MovesInSight } from '../application/storage/move-in-sight.js';
import type { Logger } from '../application/shared/ports/logger.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import {
  forgetNode,
  readControl,
  readMove,
  sayNode,
} from '../adapters/outbound/persistence/knex/storage/read-control.js';
import { SwitchableDatabase } from '../adapters/outbound/persistence/knex/storage/switchable-database.js';
import type { SecretKeys } from '../adapters/outbound/security/aes-secret-box.js';
import { isMoving, type NodeState, type StorageControl } from '../domain/storage/storage-control.js';
import { awaitPrimary, openSuccessor, type Opening } from './follow-storage.js';
import { VERSION } from './version.js';

const LOOK_MS = 1_000;
/** While the storage is being moved: writers wait for every process to go over. */
const LOOK_SOON_MS = 25;
/** A connection takes longer to open than all else that going over takes. */
const WARM_CONNECTIONS = 4;
const NAME_LENGTH = 30;

/** Idle connections are closed after a while, which a move may outlast. @throws Unavailable when the database is out of reach. */
const keepWarm = async (database: Database): Promise<void> => {
  await Promise.all(Array.from({ length: WARM_CONNECTIONS }, () => database.ping()));
};

/** A name that no other process has. */
export const nameNode = (): string =>
  `${hostname()
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, NAME_LENGTH)}.${process.pid}.${randomBytes(2).toString('hex')}`;

export interface WatchParts {
  readonly node: string;
  readonly secretKeys: SecretKeys;
  readonly opening: Opening;
  readonly logger: Logger;
}

interface Standby {
  readonly move: string | undefined;
  readonly database: Database;
}

/** Takes part in a move of the storage: stands by while it runs, and goes over when the database was left. */
export class StorageWatch implements MovesInSight {
  readonly database: SwitchableDatabase;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #standby: Standby | undefined;
  #said: { readonly state: NodeState; readonly at: number } | undefined;
  #beat = 0;
  #inSight: MoveInSight | undefined;

  constructor(
    first: Database,
    private readonly parts: WatchParts,
  ) {
    this.database = new SwitchableDatabase(first, (from, readThere) => this.#goOver(from, readThere));
  }

  /** What it saw when it looked last. */
  get move(): MoveInSight | undefined {
    return this.#inSight;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Lets whoever moves the storage know that this process is gone. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (this.#said !== undefined) await forgetNode(this.database.current, this.parts.node).catch(() => undefined);
    await this.#standby?.database.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // What is out of reach is told by readiness; it is looked at again.
      const soon = await this.#look().catch(() => false);
      await sleep(soon ? LOOK_SOON_MS : LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Answers whether to look again soon. */
  async #look(): Promise<boolean> {
    const { current } = this.database;
    const { control, copied = { copied: 0, known: 0 } } = await readMove(current);
    this.#inSight =
      isMoving(control) && control.state !== undefined ? { state: control.state, rows: copied } : undefined;
    if (control.role === 'left') await this.database.leave(current);
    else if (isMoving(control)) await this.#standBy(current, control);
    else await this.#standDown();
    return this.#said !== undefined;
  }

  async #standBy(current: Database, control: StorageControl): Promise<void> {
    const due = this.#said === undefined || performance.now() - this.#said.at > LOOK_MS;
    if (!due) return;
    try {
      if (this.#standby === undefined || this.#standby.move !== control.move) await this.#openStandby(control);
      else await keepWarm(this.#standby.database);
      await this.#say(current, 'standing by', null);
    } catch (error) {
      await this.#say(current, 'unable', `can't go over: ${(error as Error).message}`);
    }
  }

  async #openStandby(control: StorageControl): Promise<void> {
    await this.#standby?.database.close();
    this.#standby = undefined;
    const { secretKeys, opening } = this.parts;
    const database = await openSuccessor(control, secretKeys, opening);
    if ((await readControl(database)).move !== control.move) {
      await database.close();
      throw new Error(`what it finds there takes no part in the move ${control.move}`);
    }
    await keepWarm(database);
    this.#standby = { move: control.move, database };
  }

  async #standDown(): Promise<void> {
    this.#said = undefined;
    await this.#standby?.database.close();
    this.#standby = undefined;
  }

  async #say(database: Database, state: NodeState, reason: string | null): Promise<void> {
    this.#beat += 1;
    await sayNode(database, { node: this.parts.node, version: VERSION, state, reason, beat: this.#beat });
    this.#said = { state, at: performance.now() };
  }

  /** However long it is away at this moment: whoever wrote there before would write to what somebody else still compares. */
  async #awaitPrimary(successor: Database, control: StorageControl): Promise<void> {
    const { signal } = this.#stopping;
    for (;;)
      try {
        return await awaitPrimary(successor, control);
      } catch (error) {
        if (signal.aborted) throw error;
        await sleep(LOOK_SOON_MS, undefined, { signal }).catch(() => undefined);
      }
  }

  async #goOver(from: Database, readThere: (successor: Database) => void): Promise<void> {
    const control = await readControl(from);
    // Somebody went back to it a moment ago.
    if (control.role !== 'left') return;
    if (this.#standby?.move !== control.move) await this.#openStandby(control);
    const successor = this.#standby?.database;
    if (successor === undefined) throw new Error('There is no successor to go over to.');
    this.#standby = undefined;
    readThere(successor);
    await this.#say(from, 'over', null).catch(() => undefined);
    this.#said = undefined;
    await this.#awaitPrimary(successor, control);
    this.parts.logger.warn('the storage was moved: set DATABASE_URL to where it is now', { servesFrom: control.peer });
  }
}
