import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import { MOST_CI_FILE_BYTES, type FetchRemote } from './ci-files.js';
import type { FetchText } from './ports/fetch-text.js';

/** Of one file: somebody waits for it, and so do all other pipelines that pushes make. */
const LONGEST_MS = 5_000;
/** Of all files of one pipeline. */
const TOGETHER_MS = 10_000;
/** A project that had others wait so long has to wait itself. */
const PATIENCE_MS = 20_000;
const PATIENCE_OF_MS = 60_000;
const MOST_REMEMBERED = 1_000;

const TOO_SLOW = `could not be fetched: all remote files together took longer than ${TOGETHER_MS / 1_000} s.`;
const TOO_SLOW_BEFORE =
  'is not fetched: those that this project includes took too long just now. Try again in a minute.';

interface Waited {
  readonly since: number;
  readonly ms: number;
}

/** CI files that are elsewhere: each is asked for once for a pipeline, and a project whose servers are slow doesn't hold up the others. */
export class RemoteCiFiles {
  readonly #waited = new Map<ProjectId, Waited>();

  constructor(
    private readonly fetch: FetchText,
    private readonly clock: Clock,
  ) {}

  /** For one pipeline, or one lint. */
  for(projectId: ProjectId): FetchRemote {
    const known = new Map<string, ReturnType<FetchRemote>>();
    let left = TOGETHER_MS;
    return (address) => {
      const found = known.get(address) ?? this.#ask(projectId, address, left, (ms) => (left -= ms));
      known.set(address, found);
      return found;
    };
  }

  async #ask(
    projectId: ProjectId,
    address: string,
    left: number,
    spend: (ms: number) => void,
  ): ReturnType<FetchRemote> {
    const began = this.clock.now().getTime();
    if (this.#waitedFor(projectId, began).ms >= PATIENCE_MS) return { problem: TOO_SLOW_BEFORE };
    if (left <= 0) return { problem: TOO_SLOW };
    const timeoutMs = Math.min(LONGEST_MS, left);
    try {
      return await this.fetch(address, { mostBytes: MOST_CI_FILE_BYTES, timeoutMs });
    } finally {
      const ended = this.clock.now().getTime();
      spend(ended - began);
      this.#remember(projectId, ended, ended - began);
    }
  }

  #waitedFor(projectId: ProjectId, now: number): Waited {
    const waited = this.#waited.get(projectId);
    return waited === undefined || now - waited.since >= PATIENCE_OF_MS ? { since: now, ms: 0 } : waited;
  }

  #remember(projectId: ProjectId, now: number, ms: number): void {
    const { since, ms: before } = this.#waitedFor(projectId, now);
    this.#waited.delete(projectId);
    this.#waited.set(projectId, { since, ms: before + ms });
    const [longestAgo] = this.#waited.keys();
    if (this.#waited.size > MOST_REMEMBERED && longestAgo !== undefined) this.#waited.delete(longestAgo);
  }
}
