import { LanguageSizes } from '../../../domain/repositories/languages.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { HistoryReader } from '../ports/object-stores.js';
import type { PermittedCode, Revisions } from './revisions.js';

const TREES_KEPT = 500;
type Shares = Readonly<Record<string, number>>;

/** Which languages the code of a project is written in. */
export class Languages {
  /** By tree, which never changes; what was asked for first is forgotten first. */
  readonly #ofTree = new Map<ObjectId, Shares>();

  constructor(
    private readonly revisions: Revisions,
    private readonly history: HistoryReader,
  ) {}

  /** Of the default branch, in per cent. */
  async of(permitted: PermittedCode): Promise<Shares> {
    const revision = await this.revisions.find(permitted);
    if (revision === undefined) return {};
    const { tree } = revision.commit;
    const known = this.#ofTree.get(tree);
    if (known !== undefined) return known;
    const sizes = new LanguageSizes();
    for await (const files of this.history.fileSizes(revision.store, tree)) sizes.add(files);
    const shares = sizes.shares();
    const [oldest] = this.#ofTree.keys();
    if (this.#ofTree.size >= TREES_KEPT && oldest !== undefined) this.#ofTree.delete(oldest);
    this.#ofTree.set(tree, shares);
    return shares;
  }
}
