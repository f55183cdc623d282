import { LRUCache } from 'lru-cache';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import type { Ref, Repository } from '../../../../../application/repositories/ports/repository-repositories.js';
import { branchRef, tagRef } from '../../../../../domain/repositories/ref-name.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import type { Pages } from '../page.js';
import { projectPagePath, shortName } from './code-addresses.js';
import { CodePage } from './code-page.js';
import type { CodePagesParts } from './code-pages-parts.js';
import { bodyOf } from './commit-words.js';
import { inTime } from './in-time.js';
import { pageNumber, queryText } from './query.js';

const REFS_OF_PAGE = 20;
const WAIT_FOR_DISTANCE_MS = 1_500;
const PAIRS_KEPT = 10_000;

type Distance = Promise<{ readonly ahead: number; readonly behind: number }>;

/** Branches and tags. */
export const addRefPages = (pages: Pages, parts: CodePagesParts): void => {
  const page = new CodePage(parts);
  const { refReader, objects, history, locate } = parts;
  /** Of two commits, which never change. */
  const distances = new LRUCache<string, Distance>({ max: PAIRS_KEPT });

  const list = (repository: Repository | undefined, kind: 'branch' | 'tag', search: string, request: PageRequest) =>
    repository === undefined
      ? { items: [], hasNext: false }
      : refReader.list({ repositoryId: repository.id, kind, search, orderBy: 'updated', sort: 'desc', page: request });

  const distanceOf = (store: string, main: Commit, target: string): Distance => {
    const key = `${store} ${main.id} ${target}`;
    const known = distances.get(key) ?? history.distance(store, target, main.id);
    distances.set(key, known);
    known.catch(() => distances.delete(key));
    return known;
  };

  pages.get(projectPagePath('branches'), 'anyone', async (context) => {
    const open = await page.open(context);
    const repository = await locate.repository(open.permitted);
    const search = queryText(context, 'search');
    const request = { page: pageNumber(context), perPage: REFS_OF_PAGE };
    const [found, main] = await Promise.all([
      list(repository, 'branch', search, request),
      locate.defaultVersion(open.permitted),
    ]);
    const store = repository?.store ?? '';
    const branches = await Promise.all(
      found.items.map(async (ref) => ({
        name: shortName(ref.name),
        main: ref.name === branchRef(open.permitted.project.defaultBranch ?? ''),
        commit: await objects.commit(store, ref.target),
        distance: main && (await inTime(distanceOf(store, main.commit, ref.target), WAIT_FOR_DISTANCE_MS)),
      })),
    );
    await page.show(
      context,
      'code-branches',
      { ...open, ...main },
      {
        title: `Branches of ${open.permitted.project.name}`,
        tab: 'branches',
        branches,
        search,
        page: found,
        request,
      },
    );
  });

  pages.get(projectPagePath('tags'), 'anyone', async (context) => {
    const open = await page.open(context);
    const repository = await locate.repository(open.permitted);
    const search = queryText(context, 'search');
    const request = { page: pageNumber(context), perPage: REFS_OF_PAGE };
    const [found, main] = await Promise.all([
      list(repository, 'tag', search, request),
      locate.defaultVersion(open.permitted),
    ]);
    const taken = repository === undefined ? new Set<string>() : await branchesNamedAlike(repository, found.items);
    const tags = await Promise.all(found.items.map((ref) => showTag(repository?.store ?? '', ref, taken)));
    await page.show(
      context,
      'code-tags',
      { ...open, ...main },
      {
        title: `Tags of ${open.permitted.project.name}`,
        tab: 'tags',
        tags,
        search,
        page: found,
        request,
      },
    );
  });

  const branchesNamedAlike = async ({ id }: Repository, tags: readonly Ref[]): Promise<ReadonlySet<string>> => {
    const names = tags.map(({ name }) => branchRef(shortName(name)));
    return new Set((await refReader.findRefs(id, names)).map(({ name }) => shortName(name)));
  };

  const showTag = async (store: string, { name, target, peeled }: Ref, taken: ReadonlySet<string>) => {
    const [commit, tag] = await Promise.all([
      objects.commit(store, target),
      peeled === null ? undefined : objects.tag(store, target),
    ]);
    const short = shortName(name);
    return {
      name: short,
      // A branch comes before a tag of the same name.
      ref: taken.has(short) ? tagRef(short) : short,
      commit,
      message: tag === undefined ? '' : [tag.message.trim().split('\n', 1)[0], bodyOf(tag.message)].join('\n').trim(),
    };
  };
};
