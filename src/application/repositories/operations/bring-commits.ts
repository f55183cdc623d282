import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { branchRef } from '../../../domain/repositories/ref-name.js';
import type { Draft, HistoryReader, ObjectIntake, ObjectReader, PackMaker, Staged } from '../ports/object-stores.js';
import type { RefReader } from '../ports/ref-reader.js';
import type { Repository } from '../ports/repository-repositories.js';

interface Parts {
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  readonly packMaker: PackMaker;
  readonly intake: ObjectIntake;
}

/** So far back a commit is looked for that both have; without one everything is brought. */
const MOST_WALKED = 2_000;
const MOST_TIPS = 200;

/** Brings a commit with all that it needs from one store into another, as a fetch does. */
export class BringCommits {
  constructor(private readonly parts: Parts) {}

  /** Undefined where it is there already. Else it stays until it is settled, and for good if something refers to it by then. */
  async execute(from: Repository, to: Repository, commit: ObjectId): Promise<Staged | undefined> {
    const staged = await this.stage(from, to, commit);
    await staged?.keep();
    return staged;
  }

  /** The same for what may still be refused: nobody sees it before it is kept. @throws ObjectsRefused. */
  async stage(from: Repository, to: Repository, commit: ObjectId): Promise<Draft | undefined> {
    if ((await this.parts.objects.info(to.store, commit)) !== undefined) return undefined;
    const pack = await this.parts.packMaker.make(from.store, commit, await this.#common(from, to));
    return this.parts.intake.receive(to.store, pack);
  }

  /** The newest commit of each branch of a store, or else of its history, that another store has as well. */
  async #common(from: Repository, to: Repository): Promise<readonly ObjectId[]> {
    const tips: ObjectId[] = [];
    for await (const batch of this.parts.refs.advertised(to.id, [branchRef('')])) {
      tips.push(...batch.map(({ target }) => target));
      if (tips.length >= MOST_TIPS) break;
    }
    const shared: ObjectId[] = [];
    for (const tip of tips.slice(0, MOST_TIPS)) if (await this.#has(from, tip)) shared.push(tip);
    if (shared.length > 0) return shared;
    for (const id of await this.parts.history.walk(to.store, { tips: tips.slice(0, MOST_TIPS), limit: MOST_WALKED }))
      if (await this.#has(from, id)) return [id];
    return [];
  }

  async #has({ store }: Repository, id: ObjectId): Promise<boolean> {
    return (await this.parts.objects.info(store, id)) !== undefined;
  }
}
