import { LRUCache } from 'lru-cache';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import type { Ref, Repository } from '../../../../../application/repositories/ports/repository-repositories.js';
import { MAINTAINERS, matchesPattern, type ProtectedBranch } from '../../../../../domain/repositories/protected-ref.js';
import { branchRef, tagRef } from '../../../../../domain/repositories/ref-name.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { cutAt } from '../page-texts.js';
import { CodeAddresses, projectPagePath, shortName } from './code-addresses.js';
import { CodePage, type OpenCode } from './code-page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import { bodyOf } from './commit-words.js';
import { openForWriting, refusalOf, type Writers } from './writing.js';
import { inTime } from './in-time.js';
import { pageNumber, queryText } from './query.js';

const REFS_OF_PAGE = 20;
const WAIT_FOR_DISTANCE_MS = 1_500;
const LONGEST_MESSAGE = 10_000;
const PAIRS_KEPT = 10_000;

type Distance = Promise<{ readonly ahead: number; readonly behind: number }>;

/** What a page says of the form that led to it. */
interface Told {
  readonly notice?: string;
  readonly problem?: string;
}

const NOTICES: Readonly<Record<string, string>> = { made: 'Created.', removed: 'Removed.' };

const noticeIn = (context: PageContext): Told => {
  const done = queryText(context, 'done');
  return Object.hasOwn(NOTICES, done) ? { notice: NOTICES[done] ?? '' } : {};
};

/** Whether a button to remove it is of use: the default branch stays, and protected ones are for Maintainers. */
const mayRemove = ({ mayPush, permitted }: OpenCode, rules: readonly ProtectedBranch[], name: string): boolean =>
  mayPush &&
  name !== permitted.project.defaultBranch &&
  (permitted.level >= MAINTAINERS || !rules.some((rule) => matchesPattern(name, rule.name)));

/** Branches and tags. */
export const addRefPages = (pages: Pages, parts: CodeWritingPagesParts): void => {
  const page = new CodePage(parts);
  const { refReader, objects, history, locate } = parts;
  /** Of two commits, which never change. */
  const distances = new LRUCache<string, Distance>({ maxSize: PAIRS_KEPT, sizeCalculation: () => 1 });

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

  const showBranches = async (context: PageContext, told: Told = {}): Promise<void> => {
    const open = await page.open(context);
    const rules = open.mayPush ? await parts.protections.branchesOf(open.permitted.project.id) : [];
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
        removable: mayRemove(open, rules, shortName(ref.name)),
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
        ...told,
      },
    );
  };
  pages.get(projectPagePath('branches'), 'anyone', (context) => showBranches(context, noticeIn(context)));

  const showTags = async (context: PageContext, told: Told = {}): Promise<void> => {
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
        mayRemove: open.mayPush && open.permitted.level >= MAINTAINERS,
        search,
        page: found,
        request,
        ...told,
      },
    );
  };
  pages.get(projectPagePath('tags'), 'anyone', (context) => showTags(context, noticeIn(context)));

  /** A form that changes a ref, shown again with the reason where it can't be. */
  const change = (
    kind: 'branches' | 'tags',
    done: 'made' | 'removed',
    act: (context: PageContext, writers: Writers) => Promise<void>,
  ): void => {
    const show = kind === 'branches' ? showBranches : showTags;
    pages.post(projectPagePath(`${kind}/${done === 'made' ? 'new' : 'remove'}`), 'signed_in', async (context) => {
      const writers = await openForWriting(parts, context);
      try {
        await act(context, writers);
      } catch (error) {
        const { status, problem } = refusalOf(error);
        context.response.status(status);
        return show(context, { problem });
      }
      const { fullPath } = writers.permitted.project;
      context.response.redirect(303, `${new CodeAddresses(fullPath).page(kind)}?done=${done}`);
    });
  };
  const { changeRefs } = parts;
  change('branches', 'made', ({ request }, { permitted, writer }) =>
    changeRefs.createBranch(permitted, writer, field(request, 'name').trim(), field(request, 'from').trim()),
  );
  change('branches', 'removed', ({ request }, { permitted, writer }) =>
    changeRefs.removeBranch(permitted, writer, field(request, 'name')),
  );
  change('tags', 'made', ({ request }, { permitted, writer }) =>
    changeRefs.createTag(permitted, writer, field(request, 'name').trim(), {
      target: field(request, 'from').trim(),
      message: cutAt(field(request, 'message'), LONGEST_MESSAGE),
    }),
  );
  change('tags', 'removed', ({ request }, { permitted, writer }) =>
    changeRefs.removeTag(permitted, writer, field(request, 'name')),
  );

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
