interface Member<Command, Result> {
  readonly command: Command;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Handles a group of commands in one transaction; `take` answers who is waiting when it begins, and the same again if it is tried anew. */
export type HandleGroup<Command, Result> = (take: () => readonly Command[]) => Promise<readonly Result[]>;

/**
 * Handles commands that arrive together in one transaction, where what they share is done once. While one group is under way the
 * next one gathers. When a group fails, each of its commands is tried alone, so that none fails for another's sake.
 */
export class Grouped<Command, Result> {
  readonly #waiting: Member<Command, Result>[] = [];
  #running = false;

  constructor(
    private readonly handle: HandleGroup<Command, Result>,
    /** Members of one group at most. */
    private readonly size: number,
  ) {}

  execute(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) await this.#runGroup();
    this.#running = false;
  }

  async #runGroup(): Promise<void> {
    let group: readonly Member<Command, Result>[] | undefined;
    const take = (): readonly Command[] => {
      group ??= this.#waiting.splice(0, this.size);
      return group.map(({ command }) => command);
    };
    try {
      const results = await this.handle(take);
      // Every command has its result: `handle` answers one each, in their order.
      group?.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      // It may have failed before it began.
      take();
      await this.#runAlone(group ?? [], error);
    }
  }

  async #runAlone(group: readonly Member<Command, Result>[], error: unknown): Promise<void> {
    if (group.length === 1) return group[0]?.reject(error);
    for (const { command, resolve, reject } of group) {
      try {
        resolve((await this.handle(() => [command]))[0] as Result);
      } catch (failure) {
        reject(failure);
      }
    }
  }
}
