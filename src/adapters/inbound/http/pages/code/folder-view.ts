import type { CodePlace } from '../../../../../application/repositories/locate-code.js';
import type { TreeEntry } from '../../../../../domain/repositories/object-format.js';
import type { CodeAddresses } from './code-addresses.js';
import type { CodePagesParts } from './code-pages-parts.js';
import { isBinary, textOf } from './code-text.js';
import { inTime } from './in-time.js';
import type { LastCommit } from './last-commits.js';
import { MARKUP_BYTES } from './markup.js';
import type { RenderFile } from '../project-markdown.js';

export const ENTRIES_OF_PAGE = 200;
const WAIT_FOR_COMMITS_MS = 1_500;
const FOLDER = '40000';
const FILES = new Set<string>(['100644', '100755', '120000']);
const KINDS: Readonly<Record<string, string>> = { [FOLDER]: 'folder', '120000': 'link', '160000': 'submodule' };

export interface ShownEntry {
  readonly name: string;
  readonly kind: string;
  /** Absent where no page can show it. */
  readonly address: string | undefined;
  readonly last: LastCommit | undefined;
}

export interface ShownReadme {
  readonly name: string;
  readonly address: string;
  readonly html: string | undefined;
  readonly text: string;
}

export interface ShownFolder {
  readonly entries: readonly ShownEntry[];
  readonly count: number;
  readonly hasNext: boolean;
  /** Whether the last commits were not found in time. */
  readonly waiting: boolean;
  readonly readme: ShownReadme | undefined;
}

type PlaceOfFolder = CodePlace & { readonly addresses: CodeAddresses };

/** Undefined for a name that is no text: no address can say it. */
const nameOf = ({ name }: TreeEntry): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    return undefined;
  }
};

/** A page of the entries of a folder, with what is known of them, and its README. */
export class FolderView {
  constructor(private readonly parts: CodePagesParts) {}

  /** @param render makes HTML of its README. */
  async show(
    place: PlaceOfFolder,
    entries: readonly TreeEntry[],
    page: number,
    render: RenderFile,
  ): Promise<ShownFolder> {
    // They come in the order of their names: folders go first.
    const sorted = [...entries.filter(({ mode }) => mode === FOLDER), ...entries.filter(({ mode }) => mode !== FOLDER)];
    const shown = sorted.slice((page - 1) * ENTRIES_OF_PAGE, page * ENTRIES_OF_PAGE);
    const [last, readme] = await Promise.all([
      this.#lastCommits(place, shown, page),
      page === 1 ? this.#readme(place, entries, render) : undefined,
    ]);
    return {
      entries: shown.map((entry) => this.#show(place, entry, last)),
      count: entries.length,
      hasNext: page * ENTRIES_OF_PAGE < entries.length,
      waiting: last === undefined,
      readme,
    };
  }

  #show(
    { path, ref, addresses }: PlaceOfFolder,
    entry: TreeEntry,
    last: ReadonlyMap<string, LastCommit> | undefined,
  ): ShownEntry {
    const name = nameOf(entry);
    const kind = KINDS[entry.mode] ?? 'file';
    if (name === undefined) return { name: textOf(entry.name), kind, address: undefined, last: undefined };
    const whole = path === '' ? name : `${path}/${name}`;
    const view = entry.mode === FOLDER ? 'tree' : 'blob';
    const address = kind === 'submodule' ? undefined : addresses.of(view, ref.name, whole);
    return { name, kind, address, last: last?.get(name) };
  }

  #lastCommits({ repository, commit, path }: CodePlace, entries: readonly TreeEntry[], page: number) {
    const names = entries.flatMap((entry) => nameOf(entry) ?? []);
    const finding = this.parts.lastCommits.of(repository.store, { commit: commit.id, folder: path, names, page });
    return inTime(finding, WAIT_FOR_COMMITS_MS);
  }

  async #readme(
    place: PlaceOfFolder,
    entries: readonly TreeEntry[],
    render: RenderFile,
  ): Promise<ShownReadme | undefined> {
    const found = chooseReadme(entries);
    if (found === undefined) return undefined;
    const { repository, path, ref, addresses } = place;
    const { objects } = this.parts;
    const info = await objects.info(repository.store, found.entry.id);
    if (info?.type !== 'blob' || info.size > MARKUP_BYTES) return undefined;
    const content = (await objects.read(repository.store, found.entry.id))?.content;
    if (content === undefined || isBinary(content)) return undefined;
    const text = textOf(content);
    const links = { blobs: addresses.of('blob', ref.name), raws: addresses.of('raw', ref.name), folder: path };
    const html = isMarkdown(found.name) ? await render({ id: found.entry.id, text, links }) : undefined;
    const whole = path === '' ? found.name : `${path}/${found.name}`;
    return { name: found.name, address: addresses.of('blob', ref.name, whole), html, text };
  }
}

export const isMarkdown = (name: string): boolean => /\.(?:md|markdown|mdown|mkd)$/i.test(name);

const README = /^readme(?:\.[a-z]+)?$/i;
const LONGEST_README = 32;

/** One in Markdown comes before others. */
const chooseReadme = (entries: readonly TreeEntry[]) => {
  const found = entries.flatMap((entry) => {
    if (!FILES.has(entry.mode) || entry.mode === '120000' || entry.name.length > LONGEST_README) return [];
    // `r`, in either case: most names of a folder need no more of a look.
    if (entry.name[0] !== 82 && entry.name[0] !== 114) return [];
    const name = nameOf(entry) ?? '';
    return README.test(name) ? [{ entry, name }] : [];
  });
  return found.find(({ name }) => isMarkdown(name)) ?? found[0];
};
