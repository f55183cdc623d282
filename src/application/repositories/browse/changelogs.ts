import { isVersion, tagBefore, writeChangelog } from '../../../domain/repositories/changelog.js';
import { tagRef } from '../../../domain/repositories/ref-name.js';
import type { HistoryReader, ObjectReader } from '../ports/object-stores.js';
import type { RefReader } from '../ports/ref-reader.js';
import type { PermittedCode, Revision, Revisions } from './revisions.js';

export interface ChangelogRequest {
  readonly version: string;
  /** Where it begins: what this leads to is no part of it. Absent is the tag of the release before. */
  readonly from?: string;
  /** Where it ends; absent is the default branch. */
  readonly to?: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly trailer: string;
}

/** Why there is no changelog, in words for whoever asked. */
export class NoChangelog extends Error {}

const MOST_COMMITS = 5_000;

interface Parts {
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
}

/** Makes release notes of the trailers of commits. */
export class Changelogs {
  constructor(private readonly parts: Parts) {}

  /** @throws NoChangelog. */
  async write(permitted: PermittedCode, request: ChangelogRequest): Promise<string> {
    const { history, objects } = this.parts;
    const { version, date, trailer } = request;
    if (!isVersion(version)) throw new NoChangelog(`The version ${version} is not a version such as 1.2.3`);
    const to = await this.#find(permitted, request.to);
    const from = await this.#find(permitted, request.from ?? (await this.#tagBefore(to, version)));
    const range = { tips: [to.commit.id], not: [from.commit.id] };
    const ids = await history.walk(to.store, { ...range, limit: MOST_COMMITS + 1 });
    if (ids.length > MOST_COMMITS)
      throw new NoChangelog(`There are more than ${MOST_COMMITS} commits since ${from.name}. Give a later \`from\``);
    const commits: { id: string; message: string }[] = [];
    for (const id of ids) {
      const commit = await objects.commit(to.store, id);
      if (commit !== undefined) commits.push({ id, message: commit.message });
    }
    return writeChangelog(commits, { version, date, trailer, projectPath: permitted.project.fullPath });
  }

  async #find(permitted: PermittedCode, name: string | undefined): Promise<Revision> {
    const found = await this.parts.revisions.find(permitted, name);
    if (found === undefined) throw new NoChangelog(`The commit ${name ?? 'of the default branch'} does not exist`);
    return found;
  }

  async #tagBefore({ repositoryId }: Revision, version: string): Promise<string> {
    const tags: string[] = [];
    const folder = tagRef('');
    for await (const batch of this.parts.refs.advertised(repositoryId, [folder]))
      tags.push(...batch.map(({ name }) => name.slice(folder.length)));
    const tag = tagBefore(version, tags);
    if (tag === undefined)
      throw new NoChangelog('The commit start range is unspecified, and no previous tag could be found to use instead');
    return tagRef(tag);
  }
}
