import { Unavailable } from '../../domain/shared/domain-error.js';

interface Member<Command, Result> {
  readonly command: Command;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
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
}

/**
 * Handles commands that arrive together in one transaction, where what they share is done once. While one batch is under way the
 * next one gathers. When a batch is refused, each of its commands is tried alone, so that none fails for another's sake; but not when
 * nobody knows whether it has been committed.
 */
export class Batched<Command, Result> {
  readonly #lanes = new Map<number, Member<Command, Result>[]>();

  constructor(
    private readonly handle: HandleBatch<Command, Result>,
    private readonly rules: BatchRules<Command>,
  ) {}

  /** @throws Unavailable when too many wait already, or the database is out of reach. */
  execute(command: Command): Promise<Result> {
    const lane = this.rules.laneOf(command);
    return new Promise((resolve, reject) => {
      const member = { command, resolve, reject };
      const waiting = this.#lanes.get(lane);
      if (waiting === undefined) {
        const begun = [member];
        this.#lanes.set(lane, begun);
        void this.#run(lane, begun);
      } else if (waiting.length < this.rules.mostWaiting) waiting.push(member);
      else reject(new Unavailable('database'));
    });
  }

  async #run(lane: number, waiting: Member<Command, Result>[]): Promise<void> {
    while (waiting.length > 0) await this.#runBatch(waiting);
    this.#lanes.delete(lane);
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
