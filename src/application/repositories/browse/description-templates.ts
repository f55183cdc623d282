import type { TreeEntry } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { TooLarge, type ObjectReader, type StoreName } from '../ports/object-stores.js';
import type { PermittedCode, Revision, Revisions } from './revisions.js';

/** What is described, as folders and addresses of the API call it. */
export const DESCRIBED_KINDS = ['issues', 'merge_requests'] as const;
export type DescribedKind = (typeof DESCRIBED_KINDS)[number];

/** Where their templates lie; what is in the first folder counts where both have one of a name. */
const FOLDERS: Readonly<Record<DescribedKind, readonly string[]>> = {
  issues: ['.platform/issue_templates', '.gitlab/issue_templates'],
  merge_requests: ['.platform/merge_request_templates', '.gitlab/merge_request_templates'],
};
const FILE = /^(.+)\.md$/i;
const MOST = 100;
/** Of the entries of a folder, which git orders by their names. */
const MOST_LOOKED_AT = 1_000;
const MOST_BYTES = 100_000;

export interface DescriptionTemplate {
  /** Of its file, without the ending. */
  readonly name: string;
  /** Undefined for one that is too long. */
  readonly read: () => Promise<string | undefined>;
}

/** Texts that descriptions of issues and merge requests begin with: Markdown files of the default branch. */
export class DescriptionTemplates {
  constructor(
    private readonly revisions: Revisions,
    private readonly objects: ObjectReader,
  ) {}

  /** In the order of their names, the first hundred. None while git is out of reach: one can write without them. */
  async of(permitted: PermittedCode, kind: DescribedKind): Promise<readonly DescriptionTemplate[]> {
    try {
      const main = await this.revisions.find(permitted);
      return main === undefined ? [] : await this.#in(main, kind);
    } catch (error) {
      if (error instanceof Unavailable) return [];
      throw error;
    }
  }

  async #in({ store, commit }: Revision, kind: DescribedKind): Promise<readonly DescriptionTemplate[]> {
    const files = new Map<string, ObjectId>();
    for (const folder of FOLDERS[kind])
      for (const { name: file, id } of await this.#files(store, commit.tree, folder)) {
        const [, name] = FILE.exec(Buffer.from(file).toString('utf8')) ?? [];
        if (name !== undefined && !files.has(name)) files.set(name, id);
      }
    return [...files]
      .sort(([one], [other]) => one.localeCompare(other, 'en'))
      .slice(0, MOST)
      .map(([name, id]) => ({ name, read: () => this.#text(store, id) }));
  }

  async #files(store: StoreName, root: ObjectId, path: string): Promise<readonly TreeEntry[]> {
    const folder = await this.objects.entryAt(store, root, path);
    if (folder?.mode !== '40000') return [];
    try {
      const entries = (await this.objects.tree(store, folder.id)) ?? [];
      return entries.slice(0, MOST_LOOKED_AT).filter(({ mode }) => mode === '100644' || mode === '100755');
    } catch (error) {
      if (error instanceof TooLarge) return [];
      throw error;
    }
  }

  async #text(store: StoreName, id: ObjectId): Promise<string | undefined> {
    try {
      const found = await this.objects.read(store, id, MOST_BYTES);
      return found && Buffer.from(found.content).toString('utf8').replaceAll('\r\n', '\n').replaceAll('\0', '');
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }
}
