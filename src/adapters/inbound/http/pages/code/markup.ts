import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import { MarkupWorker, type MarkdownPlace, type ProsePlace } from './markup-worker.js';

/** More is shown as it was written. */
export const MARKUP_BYTES = 512 * 1024;
const HIGHLIGHT_LINES = 5_000;
const KEPT_CHARACTERS = 16 * 1024 * 1024;

type Made = readonly string[] | string | undefined;

const sizeOf = (made: readonly string[] | string): number =>
  64 + (typeof made === 'string' ? made.length : made.reduce((sum, { length }) => sum + length + 16, 0));

/** HTML made of blobs, which never change: what was made once is kept for a while. */
export class Markup {
  readonly #made = new LRUCache<string, readonly string[] | string>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: sizeOf,
  });

  constructor(private readonly worker = new MarkupWorker()) {}

  /** Lines of HTML, as many as the text has; undefined where it is to be shown as it was written. */
  async highlight(id: ObjectId, name: string, lines: readonly string[]): Promise<readonly string[] | undefined> {
    const text = lines.join('\n');
    if (text.length > MARKUP_BYTES || lines.length > HIGHLIGHT_LINES) return undefined;
    const made = await this.#keep(
      `${id} ${name}`,
      () => this.worker.make({ kind: 'code', name, text }) as Promise<Made>,
    );
    return Array.isArray(made) && made.length === lines.length ? (made as readonly string[]) : undefined;
  }

  /** HTML; undefined where it is to be shown as it was written. */
  async markdown(id: ObjectId, text: string, place: MarkdownPlace): Promise<string | undefined> {
    if (text.length > MARKUP_BYTES) return undefined;
    const key = `${id} ${place.blobs} ${place.folder}`;
    const made = await this.#keep(key, () => this.worker.make({ kind: 'markdown', text, ...place }) as Promise<Made>);
    return typeof made === 'string' ? made : undefined;
  }

  /** HTML of a text that lies nowhere: its links stay as they are. `commonmark` has no tables and no other extensions. */
  async loose(text: string, kind: 'loose' | 'commonmark'): Promise<string | undefined> {
    const made = await this.worker.make({ kind, text });
    return typeof made === 'string' ? made : undefined;
  }

  /** HTML of what people write about a project; undefined where it is to be shown as it was written. */
  async prose(text: string, place: ProsePlace): Promise<string | undefined> {
    const task = { kind: 'prose', text, ...place } as const;
    const key = createHash('sha256').update(JSON.stringify(task)).digest('base64');
    const made = await this.#keep(key, () => this.worker.make(task) as Promise<Made>);
    return typeof made === 'string' ? made : undefined;
  }

  close(): void {
    this.worker.close();
  }

  async #keep(key: string, make: () => Promise<Made>): Promise<Made> {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = await make();
    if (made !== undefined) this.#made.set(key, made);
    return made;
  }
}
