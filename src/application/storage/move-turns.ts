import { refuseGivenUp } from './given-up.js';
import type { StorageEnd } from './ports/storage-end.js';
import type { ServingNodes } from './serving-nodes.js';
import { createTurns, leavesTooFew, type TurnParts } from './turns.js';

const WRITERS_FIRST_MS = 2_000;
/**
 * So long whoever reads as of one moment rests beside those who are served by the same server, and less with every moment: until it is through, the
 * server keeps every version of a row that they write again and again, and looks through them each time.
 */
const HELD_MS = 60_000;
/** Small tables are read in less: asked before each page, the source would be asked for little else. */
const HEED_MS = 5;

/** How a move leaves room for those who are served from its source meanwhile. Where processors are spare nobody waits. */
export class MoveTurns {
  constructor(
    private readonly source: StorageEnd,
    private readonly nodes: ServingNodes,
    private readonly parts: TurnParts,
  ) {}

  /** In turns with those who are served, ever shorter over so long, until the move is given up: whoever gives it up waits for that. */
  take(shrinksOverMs = Infinity): () => Promise<void> {
    const startedAt = this.#now();
    const share = () => Math.max(0, 1 - (this.#now() - startedAt) / shrinksOverMs);
    const rest = createTurns(this.parts, () => this.nodes.areHeard(), share);
    let heededAt = startedAt;
    return async () => {
      if (this.#now() - heededAt < HEED_MS) return;
      await refuseGivenUp(this.source);
      await rest();
      heededAt = this.#now();
    };
  }

  /** The same, while what others are served from holds a moment for it. */
  takeHolding({ servesMany }: StorageEnd): () => Promise<void> {
    return this.take(servesMany ? HELD_MS : Infinity);
  }

  /** Before there is a move: of a file it is not known yet who is served from it. */
  async takeBeforehand(): Promise<() => Promise<void>> {
    const served = !this.source.servesMany || (await this.source.servers()).length > 0;
    return createTurns(this.parts, () => Promise.resolve(served));
  }

  /** What waited is to be written first, by processes that have not served from the target before and are slow at first. */
  async letWritersGoFirst(): Promise<void> {
    if (await this.areNeeded()) await this.parts.pause(WRITERS_FIRST_MS);
  }

  /** Whether others are served, and too few processors are left for all. */
  async areNeeded(): Promise<boolean> {
    return leavesTooFew(this.parts) && (await this.nodes.areHeard());
  }

  #now(): number {
    return this.parts.clock.now().getTime();
  }
}
