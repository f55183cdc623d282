import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { MarkupWorker, type MarkdownPlace, type MarkupTask, type ProsePlace } from './markup-worker.js';

/** More is shown as it was written. */
export const MARKUP_BYTES = 512 * 1024;
const HIGHLIGHT_LINES = 5_000;
const KEPT_CHARACTERS = 16 * 1024 * 1024;
/** What took too long may have met a machine that was busy. */
const IN_VAIN_MS = 600_000;
const MOST_IN_VAIN = 10_000;

type Made = readonly string[] | string;

const sizeOf = (made: Made): number =>
  64 + (typeof made === 'string' ? made.length : made.reduce((sum, { length }) => sum + length + 16, 0));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Texts are made HTML of by turns of those whose they are. */
export const projectOwner = (id: ProjectId): string => `project ${id}`;

/** HTML of texts: what was made once is kept for a while, and so is that nothing could be made in time. */
export class Markup {
  readonly #kept = new LRUCache<string, Made>({ maxSize: KEPT_CHARACTERS, sizeCalculation: sizeOf });
  readonly #inVain = new LRUCache<string, true>({ maxSize: MOST_IN_VAIN, sizeCalculation: () => 1, ttl: IN_VAIN_MS });
  readonly #making = new Map<string, Promise<Made | undefined>>();

  constructor(private readonly worker = new MarkupWorker()) {}

  /**
   * Lines of HTML, as many as the text has; undefined where it is to be shown as it was written.
   * @param owner here and below: whose text it is. See `MarkupWorker`.
   */
  async highlight(
    owner: string,
    id: ObjectId,
    name: string,
    lines: readonly string[],
  ): Promise<readonly string[] | undefined> {
    const text = lines.join('\n');
    if (text.length > MARKUP_BYTES || lines.length > HIGHLIGHT_LINES) return undefined;
    const made = await this.#once(owner, `${id} ${name}`, { kind: 'code', name, text });
    return Array.isArray(made) && made.length === lines.length ? (made as readonly string[]) : undefined;
  }

  /** HTML; undefined where it is to be shown as it was written. */
  async markdown(owner: string, id: ObjectId, text: string, place: MarkdownPlace): Promise<string | undefined> {
    if (text.length > MARKUP_BYTES) return undefined;
    return asText(await this.#once(owner, id, { kind: 'markdown', text, ...place }));
  }

  /** HTML of a text that lies nowhere: its links stay as they are. `commonmark` has no tables and no other extensions. */
  async loose(owner: string, text: string, kind: 'loose' | 'commonmark'): Promise<string | undefined> {
    return asText(await this.#once(owner, hashOf(text), { kind, text }));
  }

  /** HTML of what people write about a project; undefined where it is to be shown as it was written. */
  async prose(owner: string, text: string, place: ProsePlace): Promise<string | undefined> {
    return asText(await this.#once(owner, hashOf(text), { kind: 'prose', text, ...place }));
  }

  close(): void {
    this.worker.close();
  }

  /** What is asked for while it is worked on waits for the same answer. */
  #once(owner: string, id: string, task: MarkupTask): Promise<Made | undefined> {
    const { kind, text: _, ...place } = task;
    const text = `${kind} ${id}`;
    const key = `${text} ${hashOf(JSON.stringify(place))}`;
    const known = this.#kept.get(key);
    // Where it stands makes no text quicker.
    if (known !== undefined || this.#inVain.has(text)) return Promise.resolve(known);
    const own = `${owner} ${key}`;
    const making =
      this.#making.get(own) ?? this.#make(owner, task, { text, key }).finally(() => this.#making.delete(own));
    this.#making.set(own, making);
    return making;
  }

  async #make(owner: string, task: MarkupTask, { text, key }: { readonly text: string; readonly key: string }) {
    const tried = await this.worker.make(task, owner);
    const made = tried?.made as Made | undefined;
    if (made !== undefined) this.#kept.set(key, made);
    else if (tried !== undefined) this.#inVain.set(text, true);
    return made;
  }
}

const asText = (made: Made | undefined): string | undefined => (typeof made === 'string' ? made : undefined);
