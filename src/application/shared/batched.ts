import { Unavailable } from '../../domain/shared/domain-error.js';

interface Member<Command, Result> {
  readonly command: Command;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane<Command, Result> {
  readonly id: number;
  readonly waiting: Member<Command, Result>[];
}

/** Handles a batch of commands in one transaction. `take` returns the waiting commands, and the same ones across retries. */
export type HandleBatch<Command, Result> = (take: () => readonly Command[]) => Promise<readonly Result[]>;

export interface BatchRules<Command> {
  /** Commands of one lane share batches, and those of others don't wait for them. */
  readonly laneOf: (command: Command) => number;
  readonly weightOf: (command: Command) => number;
  /** What one batch weighs at most, unless one command alone weighs more. */
  readonly maxWeight: number;
  /** As many wait in a lane at most; more are refused. */
  readonly mostWaiting: number;
  /** Batches under way at most, of all lanes: those that wait for their turn gather more. */
  readonly mostAtOnce: number;
  /** After which a batch is no longer waited for by other lanes, in milliseconds: what holds up one of them may be its own. */
  readonly patienceMs: number;
}

/**
 * Handles commands that arrive together in one transaction, where what they share is done once. While batches are under way the
 * next ones gather. When a batch is refused, each of its commands is tried alone, so that none fails for another's sake; but not when
 * nobody knows whether it has been committed.
 */
export class Batched<Command, Result> {
  readonly #lanes = new Map<number, Lane<Command, Result>>();
  /** Those whose turn it is next, in their order. */
  readonly #due: Lane<Command, Result>[] = [];
  #underWay = 0;

  constructor(
    private readonly handle: HandleBatch<Command, Result>,
    private readonly rules: BatchRules<Command>,
  ) {}

  /** @throws Unavailable when too many wait already, or the database is out of reach. */
  execute(command: Command): Promise<Result> {
    const id = this.rules.laneOf(command);
    return new Promise((resolve, reject) => {
      const member = { command, resolve, reject };
      const lane = this.#lanes.get(id);
      if (lane === undefined) {
        const begun = { id, waiting: [member] };
        this.#lanes.set(id, begun);
        this.#due.push(begun);
        this.#startDue();
      } else if (lane.waiting.length < this.rules.mostWaiting) lane.waiting.push(member);
      else reject(new Unavailable('database'));
    });
  }

  #startDue(): void {
    while (this.#underWay < this.rules.mostAtOnce) {
      const next = this.#due.shift();
      if (next === undefined) return;
      void this.#takeTurn(next);
    }
  }

  async #takeTurn(lane: Lane<Command, Result>): Promise<void> {
    let counted = true;
    const giveWay = (): void => {
      if (counted) this.#underWay -= 1;
      counted = false;
      this.#startDue();
    };
    this.#underWay += 1;
    const impatience = setTimeout(giveWay, this.rules.patienceMs);
    await this.#runBatch(lane.waiting);
    clearTimeout(impatience);
    if (lane.waiting.length > 0) this.#due.push(lane);
    else this.#lanes.delete(lane.id);
    giveWay();
  }

  async #runBatch(waiting: Member<Command, Result>[]): Promise<void> {
    let batch: readonly Member<Command, Result>[] | undefined;
    const take = (): readonly Command[] => {
      batch ??= waiting.splice(0, this.#sizeOfNext(waiting));
      return batch.map(({ command }) => command);
    };
    try {
      const results = await this.handle(take);
      // Every command has its result: `handle` answers one each, in their order.
      batch?.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      // It may have failed before it began.
      take();
      await this.#refuse(batch ?? [], error);
    }
  }

  #sizeOfNext(waiting: readonly Member<Command, Result>[]): number {
    let weight = 0;
    const beyond = waiting.findIndex(({ command }) => (weight += this.rules.weightOf(command)) > this.rules.maxWeight);
    return beyond === -1 ? waiting.length : Math.max(beyond, 1);
  }

  async #refuse(batch: readonly Member<Command, Result>[], error: unknown): Promise<void> {
    if (batch.length === 1 || error instanceof Unavailable) {
      // The commit outcome is unknown, so don't retry here: the sender will.
      batch.forEach(({ reject }) => reject(error));
      return;
    }
    for (const { command, resolve, reject } of batch) {
      try {
        resolve((await this.handle(() => [command]))[0] as Result);
      } catch (failure) {
        reject(failure);
      }
    }
  }
}
