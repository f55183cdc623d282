import type { LogQuery, ObjectReader } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { stepsDown, type StagedReader } from './staged-reading.js';

/** Whether one commit has another in its history, by `<one> <other>`. */
interface KnownHistories {
  get(key: string): boolean | undefined;
  set(key: string, leadsThere: boolean): unknown;
}

/** Most pushes bring a few commits in a row: which they are is told by their parents, without a child of git. */
export class CommitsInARow {
  constructor(
    private readonly objects: ObjectReader,
    private readonly known: KnownHistories,
  ) {}

  /**
   * Of a question for what a commit has beyond one or two others, and nothing else, the answer where it is a few commits in a row. Undefined
   * for any other, which git answers.
   */
  async since(store: string, query: LogQuery): Promise<readonly ObjectId[] | undefined> {
    const { tips, not = [], limit, ...others } = query;
    const [tip] = tips;
    if (tip === undefined || tips.length > 1 || not.length > 2) return undefined;
    if (limit < 1 || Object.keys(others).length > 0) return undefined;
    for (const base of not) {
      const steps = await stepsDown(this.#readerOf(store), tip, base);
      if (steps === undefined) continue;
      const other = not.find((each) => each !== base);
      if (other === undefined) return steps;
      // Then the other has none of these, and none of what the next push adds to them.
      if (!(await this.#leadsTo(store, base, other))) continue;
      this.known.set(`${tip} ${other}`, true);
      return steps;
    }
    return undefined;
  }

  /** False says nothing. */
  async #leadsTo(store: string, from: ObjectId, to: ObjectId): Promise<boolean> {
    const known = this.known.get(`${from} ${to}`);
    return known ?? (await stepsDown(this.#readerOf(store), from, to)) !== undefined;
  }

  #readerOf(store: string): StagedReader {
    return {
      info: (id: ObjectId) => this.objects.info(store, id),
      contents: (id: ObjectId) => this.objects.read(store, id),
    };
  }
}
