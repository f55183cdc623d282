import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import { MOST_CI_FILE_BYTES, type FetchRemote } from './ci-files.js';
import type { FetchText } from './ports/fetch-text.js';

/** Of one file: somebody waits for it, and so do all other pipelines that pushes make. */
const LONGEST_MS = 5_000;
/** Of all files of one pipeline. */
const TOGETHER_MS = 10_000;
/** Of one project, or of one person: each may hold a whole file. */
const MOST_AT_ONCE = 10;
/** A project, or a person, that had others wait so long has to wait itself. */
const PATIENCE_MS = 20_000;
const PATIENCE_OF_MS = 60_000;
const MOST_REMEMBERED = 1_000;

const TOO_SLOW = `could not be fetched: all remote files together took longer than ${TOGETHER_MS / 1_000} s.`;
const TOO_SLOW_BEFORE =
  'is not fetched: those that this project includes took too long just now. Try again in a minute.';
const TOO_SLOW_BEFORE_FOR_YOU =
  'is not fetched: those that you had fetched took too long just now. Try again in a minute.';
const TOO_MANY = 'is not fetched: too many are on their way already. Try again in a moment.';

interface Waited {
  readonly since: number;
  readonly ms: number;
}

/** For whom files are fetched. */
interface Asking {
  readonly key: string;
  /** What they are told whose files were slow. */
  readonly tooSlowBefore: string;
}

/** CI files that are elsewhere: each is asked for once for a pipeline, and whoever's servers are slow doesn't hold up the others. */
export class RemoteCiFiles {
  readonly #waited = new Map<string, Waited>();
  readonly #running = new Map<string, number>();

  constructor(
    private readonly fetch: FetchText,
    private readonly clock: Clock,
  ) {}

  /** For one pipeline. */
  forPipeline(projectId: ProjectId): FetchRemote {
    return this.#for({ key: `project:${projectId}`, tooSlowBefore: TOO_SLOW_BEFORE });
  }

  /** For what somebody asks to be told of a file, as by lint: who may only read a project doesn't use up what its pipelines have. */
  forPerson(userId: UserId): FetchRemote {
    return this.#for({ key: `person:${userId}`, tooSlowBefore: TOO_SLOW_BEFORE_FOR_YOU });
  }

  #for(asking: Asking): FetchRemote {
    const known = new Map<string, ReturnType<FetchRemote>>();
    let left = TOGETHER_MS;
    return (address) => {
      const found = known.get(address) ?? this.#ask(asking, address, left, (ms) => (left -= ms));
      known.set(address, found);
      return found;
    };
  }

  async #ask(
    { key, tooSlowBefore }: Asking,
    address: string,
    left: number,
    spend: (ms: number) => void,
  ): ReturnType<FetchRemote> {
    const began = this.clock.now().getTime();
    if (this.#waitedFor(key, began).ms >= PATIENCE_MS) return { problem: tooSlowBefore };
    if (left <= 0) return { problem: TOO_SLOW };
    const running = this.#running.get(key) ?? 0;
    if (running >= MOST_AT_ONCE) return { problem: TOO_MANY };
    this.#running.set(key, running + 1);
    const timeoutMs = Math.min(LONGEST_MS, left);
    try {
      return await this.fetch(address, { mostBytes: MOST_CI_FILE_BYTES, timeoutMs });
    } finally {
      const ended = this.clock.now().getTime();
      spend(ended - began);
      this.#end(key);
      this.#remember(key, ended, ended - began);
    }
  }

  #end(key: string): void {
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left === 0) this.#running.delete(key);
    else this.#running.set(key, left);
  }

  #waitedFor(key: string, now: number): Waited {
    const waited = this.#waited.get(key);
    return waited === undefined || now - waited.since >= PATIENCE_OF_MS ? { since: now, ms: 0 } : waited;
  }

  #remember(key: string, now: number, ms: number): void {
    const { since, ms: before } = this.#waitedFor(key, now);
    this.#waited.delete(key);
    this.#waited.set(key, { since, ms: before + ms });
    const [longestAgo] = this.#waited.keys();
    if (this.#waited.size > MOST_REMEMBERED && longestAgo !== undefined) this.#waited.delete(longestAgo);
  }
}
