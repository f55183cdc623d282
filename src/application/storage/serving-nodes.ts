import type { NodeState } from '../../domain/storage/storage-control.js';
import type { Clock } from '../shared/ports/clock.js';
import { MoveRefused } from './move-refused.js';
import type { StorageEnd, StorageNode } from './ports/storage-end.js';

/** A process that was not heard for so long is gone. */
const GONE_MS = 3_000;
/** How long to wait for processes that can't go over yet. */
const PATIENCE_MS = 30_000;
/** How long writers wait at most for a process that does not say that it went over. */
const OVER_MS = 2_000;
const LOOK_AGAIN_MS = 200;
const LOOK_AGAIN_SOON_MS = 2;

export interface NodeParts {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}

/** The processes that serve from a database while it is moved. */
export class ServingNodes {
  readonly #heard = new Map<string, { readonly beat: number; readonly at: number }>();

  constructor(
    private readonly source: StorageEnd,
    private readonly parts: NodeParts,
  ) {}

  /** Resolves once each of them could go over. @throws MoveRefused that names who can't. */
  async standBy(alone: boolean): Promise<void> {
    const giveUpAt = this.#now() + PATIENCE_MS;
    for (;;) {
      const nodes = await this.#alive();
      const waitedFor = [...this.#unready(nodes), ...(await this.#strangers(nodes)), ...(alone ? tooMany(nodes) : [])];
      if (waitedFor.length === 0) return;
      if (this.#now() > giveUpAt) throw new MoveRefused(`Nothing was cut over: ${waitedFor.join(' ')}`);
      await this.parts.pause(LOOK_AGAIN_MS);
    }
  }

  /** Resolves once each of them reads from the successor, or does not answer. */
  async goOver(): Promise<void> {
    const giveUpAt = this.#now() + OVER_MS;
    while (this.#now() < giveUpAt) {
      if ((await this.#alive()).every(({ state }) => state === 'over')) return;
      await this.parts.pause(LOOK_AGAIN_SOON_MS);
    }
  }

  /** Whether there are any, or were. */
  async areHeard(): Promise<boolean> {
    if (this.#heard.size === 0) await this.#alive();
    return this.#heard.size > 0;
  }

  async #alive(): Promise<readonly StorageNode[]> {
    const now = this.#now();
    return (await this.source.nodes()).filter(({ node, beat }) => {
      const heard = this.#heard.get(node);
      if (heard?.beat !== beat) this.#heard.set(node, { beat, at: now });
      return now - (this.#heard.get(node)?.at ?? now) < GONE_MS;
    });
  }

  #unready(nodes: readonly StorageNode[]): readonly string[] {
    const ready: NodeState = 'standing by';
    return nodes
      .filter(({ state }) => state !== ready)
      .map(({ node, version, reason = 'can’t go over' }) => `${node} (${version}) ${reason}.`);
  }

  /** Who has the database open and does not take part. */
  async #strangers(nodes: readonly StorageNode[]): Promise<readonly string[]> {
    const known = new Set(nodes.map(({ node }) => node));
    const servers = (await this.source.servers()).filter((name) => !known.has(name));
    if (servers.length > 0)
      return [`${servers.join(', ')} serves from ${this.source.place} and takes no part in moves: stop or update it.`];
    if (nodes.length > 0 || !(await this.source.isServed())) return [];
    return [`A process has ${this.source.place} open and takes no part in moves: stop or update it.`];
  }

  #now(): number {
    return this.parts.clock.now().getTime();
  }
}

const tooMany = (nodes: readonly StorageNode[]): readonly string[] =>
  nodes.length <= 1
    ? []
    : [
        `${nodes.length} processes serve (${nodes.map(({ node }) => node).join(', ')}), and only one can from the new database: stop all but one.`,
      ];
