import { readdir, readFile } from 'node:fs/promises';
import type { TemplateReader } from '../../../application/templates/ports/template-readers.js';
import type { Template, TemplateKind } from '../../../domain/templates/template.js';

const FILES = new URL('./files/', import.meta.url);

/** Where the templates of a kind are, and how their names end. */
const PLACES: Readonly<Record<TemplateKind, readonly [folder: string, ending: string]>> = {
  gitignores: ['gitignores', '.gitignore'],
  gitlab_ci_ymls: ['ci', '.yml'],
  dockerfiles: ['dockerfiles', '.Dockerfile'],
};

const folderOf = (kind: TemplateKind): URL => new URL(`${PLACES[kind][0]}/`, FILES);

/** Templates that come with the service, a file each. What is asked for is looked up among their names, and never a path. */
export class FileTemplates implements TemplateReader {
  readonly #keys = new Map<TemplateKind, Promise<readonly string[]>>();

  keys(kind: TemplateKind): Promise<readonly string[]> {
    const known = this.#keys.get(kind) ?? this.#readKeys(kind);
    this.#keys.set(kind, known);
    return known;
  }

  async find(kind: TemplateKind, key: string): Promise<Template | undefined> {
    if (!(await this.keys(kind)).includes(key)) return undefined;
    return { key, content: await readFile(new URL(encodeURIComponent(key + PLACES[kind][1]), folderOf(kind)), 'utf8') };
  }

  async #readKeys(kind: TemplateKind): Promise<readonly string[]> {
    const [, ending] = PLACES[kind];
    const names = (await readdir(folderOf(kind))).filter((name) => name.endsWith(ending));
    return names.map((name) => name.slice(0, -ending.length)).sort((one, other) => one.localeCompare(other, 'en'));
  }
}
