import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Revision } from '../../../../../application/repositories/browse/revisions.js';
import type { ObjectInfo } from '../../../../../application/repositories/ports/object-stores.js';
import { held } from '../../../../../domain/repositories/held-objects.js';
import { isFile } from '../../../../../domain/repositories/object-format.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { exposing } from '../../middleware/api-headers.js';
import { readBlob } from './bytes.js';
import type { CodeRoutesParts } from './code-routes-parts.js';

/** Characters that are kept of files, whose names stand in several headers. */
const MOST_KEPT = 8 * 1_024 * 1_024;
const BESIDE_NAMES = 2_000;
const TIMES_NAMED = 6;

/** What is said of a file beside its content. */
interface FileFields {
  readonly file_name: string;
  readonly file_path: string;
  readonly size: number;
  readonly encoding: 'base64';
  readonly content_sha256: string;
  readonly ref: string;
  readonly blob_id: string;
  readonly commit_id: string;
  readonly last_commit_id: string;
  readonly execute_filemode: boolean;
}

interface DescribedFile {
  readonly store: string;
  readonly info: ObjectInfo;
  readonly fields: FileFields;
  /** The same as headers that begin with `X-Gitlab-`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A header holds Latin-1; anything else is written as in an address. */
const headerText = (value: unknown): string => {
  const plain = String(value);
  return /^[\u0020-\u007e]*$/.test(plain) ? plain : encodeURI(plain.toWellFormed());
};

/** `content_sha256` is `X-Gitlab-Content-Sha256`: stock clients read these names. */
const headersOf = (fields: FileFields): Record<string, string> => {
  const headers = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const parts = name.split('_').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
      return [`X-Gitlab-${parts.join('-')}`, headerText(value)];
    }),
  );
  return { ...headers, ...exposing(Object.keys(headers)) };
};

/** What is said of files, kept: as of a commit it never changes, and to find it takes longer than to read a small file. */
export class DescribedFiles {
  readonly #kept = new LRUCache<string, DescribedFile>({
    maxSize: MOST_KEPT,
    sizeCalculation: (_, key) => TIMES_NAMED * key.length + BESIDE_NAMES,
  });

  constructor(private readonly parts: Pick<CodeRoutesParts, 'objects' | 'history'>) {}

  /** @throws NotFound where the commit has no such file. */
  async of(revision: Revision, path: string): Promise<DescribedFile> {
    const key = [revision.store, revision.commit.id, revision.name, path].join('\0');
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const described = await this.#describe(revision, path);
    this.#kept.set(key, described);
    return described;
  }

  async #describe({ store, commit, name }: Revision, path: string): Promise<DescribedFile> {
    const { objects, history } = this.parts;
    const entry = await objects.entryAt(store, commit.tree, path);
    if (entry === undefined || !isFile(entry)) throw new NotFound('File');
    const info = held(await objects.info(store, entry.id), entry.id);
    if (info.type !== 'blob') throw new NotFound('File');
    const [last] = await history.walk(store, { tips: [commit.id], path, limit: 1 });
    const fields = {
      file_name: path.slice(path.lastIndexOf('/') + 1),
      file_path: path,
      size: info.size,
      encoding: 'base64',
      content_sha256: await this.#digestOf(store, info),
      ref: name,
      blob_id: info.id,
      commit_id: commit.id,
      last_commit_id: last ?? commit.id,
      execute_filemode: entry.mode === '100755',
    } as const;
    return { store, info, fields, headers: headersOf(fields) };
  }

  async #digestOf(store: string, info: ObjectInfo): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of await readBlob(this.parts.objects, store, info)) hash.update(chunk);
    return hash.digest('hex');
  }
}
