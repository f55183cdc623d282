import { TooLarge } from '../../../../../application/repositories/ports/object-stores.js';
import { held } from '../../../../../domain/repositories/held-objects.js';
import { isFile } from '../../../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { missingFrom, type OpenPlace } from './code-page.js';
import { projectOwner } from './markup.js';
import type { CodePagesParts } from './code-pages-parts.js';
import { pictureType } from '../../picture-type.js';
import type { RenderFile } from '../project-markdown.js';
import { isBinary, linesOf, textOf } from './code-text.js';
import { isMarkdown } from './folder-view.js';

/** As many lines as a page shows; all of them are in the raw answer. */
const MOST_LINES = 10_000;
const SVG_BYTES = 100_000;

interface Blob {
  readonly id: ObjectId;
  readonly mode: string;
  readonly size: number;
  /** Undefined for one that is too large to be shown. */
  readonly content: Uint8Array | undefined;
}

export type ShownFile =
  | { readonly kind: 'text'; readonly lines: readonly Line[]; readonly cut: boolean; readonly picture?: string }
  | { readonly kind: 'markdown'; readonly html: string }
  | { readonly kind: 'picture' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'binary' | 'too_large' };

/** A line is HTML where it was highlighted, else text. */
export interface Line {
  readonly html?: string;
  readonly text?: string;
}

/** What a file looks like on its page. */
export class FileView {
  constructor(private readonly parts: CodePagesParts) {}

  /** @throws NotFound for what is no file. */
  async read(place: OpenPlace): Promise<Blob> {
    const { repository, commit, path } = place;
    const { objects } = this.parts;
    const entry = await objects.entryAt(repository.store, commit.id, path);
    if (entry === undefined || !isFile(entry)) throw missingFrom(place, 'File');
    const info = held(await objects.info(repository.store, entry.id), entry.id);
    if (info.type !== 'blob') throw new NotFound('File');
    const { id, mode } = entry;
    try {
      const content = (await objects.read(repository.store, id))?.content;
      return { id, mode, size: info.size, content };
    } catch (error) {
      if (error instanceof TooLarge) return { id, mode, size: info.size, content: undefined };
      throw error;
    }
  }

  /** @param render makes HTML of Markdown; without it that is shown as it was written. */
  async show(place: OpenPlace, { id, mode, content }: Blob, render: RenderFile | undefined): Promise<ShownFile> {
    if (content === undefined) return { kind: 'too_large' };
    if (mode === '120000') return { kind: 'link', target: textOf(content) };
    if (pictureType(content) !== undefined) return { kind: 'picture' };
    if (isBinary(content)) return { kind: 'binary' };
    const name = place.path.slice(place.path.lastIndexOf('/') + 1);
    const text = textOf(content);
    const html = isMarkdown(name) ? await render?.({ id, text, links: linksOf(place) }) : undefined;
    if (html !== undefined) return { kind: 'markdown', html };
    const lines = linesOf(text);
    const made = await this.parts.markup.highlight(projectOwner(place.repository.projectId), id, name, lines);
    return {
      kind: 'text',
      lines: lines.slice(0, MOST_LINES).map((line, index) => (made ? { html: made[index] ?? '' } : { text: line })),
      cut: lines.length > MOST_LINES,
      ...(isVectorPicture(name, content) ? { picture: dataAddress(content) } : {}),
    };
  }
}

const linksOf = ({ addresses, ref, path }: OpenPlace) => ({
  blobs: addresses.of('blob', ref.name),
  raws: addresses.of('raw', ref.name),
  folder: path.split('/').slice(0, -1).join('/'),
});

const isVectorPicture = (name: string, content: Uint8Array): boolean =>
  /\.svg$/i.test(name) && content.length <= SVG_BYTES;

/** As a picture it runs no script and loads nothing, whatever it holds. */
const dataAddress = (content: Uint8Array): string =>
  `data:image/svg+xml;base64,${Buffer.from(content).toString('base64')}`;
