import { LRUCache } from 'lru-cache';
import { annotationOf } from '../../../../../application/repositories/browse/revisions.js';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import type { Ref, Repository } from '../../../../../application/repositories/ports/repository-repositories.js';
import { together } from '../../../../../application/shared/together.js';
import { MAINTAINERS, matchesPattern, type ProtectedBranch } from '../../../../../domain/repositories/protected-ref.js';
import { branchRef, tagRef } from '../../../../../domain/repositories/ref-name.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { field } from '../form-fields.js';
import { tell } from '../frame/notice.js';
import { showQuestion } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { cutAt } from '../page-texts.js';
import { CodeAddresses, projectPagePath, shortName } from './code-addresses.js';
import { CodePage, type OpenCode } from './code-page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import { bodyOf } from './commit-words.js';
import { addMergedBranchesPage } from './merged-branches-page.js';
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
  readonly problem?: string;
}

const NOUNS = { branches: 'branch', tags: 'tag' } as const;
const VERBS = { made: 'created', removed: 'deleted' } as const;

const sentence = (kind: keyof typeof NOUNS, name: string, done: keyof typeof VERBS): string =>
  `${kind === 'branches' ? 'Branch' : 'Tag'} “${name}” ${VERBS[done]}.`;

/** Whether a button to remove it is of use: the default branch stays, and protected ones are for Maintainers. */
const mayRemove = ({ mayPush, permitted }: OpenCode, rules: readonly ProtectedBranch[], name: string): boolean =>
  mayPush &&
  name !== permitted.project.defaultBranch &&
  (permitted.level >= MAINTAINERS || !rules.some((rule) => matchesPattern(name, rule.name)));

const NOTHING: Page<never> = { items: [], hasNext: false };

/** What the form for a branch begins with: an issue leads here with a name, and a refused form shows what was typed. */
const branchToBe = (context: PageContext) => {
  const { request } = context;
  if (request.method !== 'POST') return { name: queryText(context, 'name'), from: '' };
  const from = field(request, 'from');
  return { name: from === '' ? '' : field(request, 'name'), from };
};

class RefPages {
  readonly #page: CodePage;
  /** Of two commits, which never change. */
  readonly #distances = new LRUCache<string, Distance>({ maxSize: PAIRS_KEPT, sizeCalculation: () => 1 });

  constructor(private readonly parts: CodeWritingPagesParts) {
    this.#page = new CodePage(parts);
  }

  #list(
    repository: Repository | undefined,
    kind: 'branch' | 'tag',
    search: string,
    request: PageRequest,
  ): Promise<Page<Ref>> {
    return repository === undefined
      ? Promise.resolve(NOTHING)
      : this.parts.refReader.list({
          repositoryId: repository.id,
          kind,
          search,
          orderBy: 'updated',
          sort: 'desc',
          page: request,
        });
  }

  #distanceOf(store: string, main: Commit, target: string): Distance {
    const key = `${store} ${main.id} ${target}`;
    const known = this.#distances.get(key) ?? this.parts.history.distance(store, target, main.id);
    this.#distances.set(key, known);
    known.catch(() => this.#distances.delete(key));
    return known;
  }

  async showBranches(context: PageContext, told: Told = {}): Promise<void> {
    const open = await this.#page.open(context);
    const rules = await this.parts.protections.branchesOf(open.permitted.project.id);
    const repository = await this.parts.locate.repository(open.permitted);
    const search = queryText(context, 'search');
    const request = { page: pageNumber(context), perPage: REFS_OF_PAGE };
    const [found, main] = await Promise.all([
      this.#list(repository, 'branch', search, request),
      this.parts.locate.defaultVersion(open.permitted),
    ]);
    const store = repository?.store ?? '';
    const branches = await Promise.all(
      found.items.map(async (ref) => ({
        name: shortName(ref.name),
        removable: mayRemove(open, rules, shortName(ref.name)),
        protected: rules.some((rule) => matchesPattern(shortName(ref.name), rule.name)),
        main: ref.name === branchRef(open.permitted.project.defaultBranch ?? ''),
        commit: await this.parts.objects.commit(store, ref.target),
        distance: main && (await inTime(this.#distanceOf(store, main.commit, ref.target), WAIT_FOR_DISTANCE_MS)),
      })),
    );
    await this.#page.show(
      context,
      'code-branches',
      { ...open, ...main },
      {
        title: `Branches of ${open.permitted.project.name}`,
        tab: 'branches',
        branches,
        mayProtect: isOffered(open.permitted.project, open.permitted.level, 'manage_protected_refs'),
        typed: branchToBe(context),
        search,
        page: found,
        request,
        ...told,
      },
    );
  }

  async showTags(context: PageContext, told: Told = {}): Promise<void> {
    const open = await this.#page.open(context);
    const repository = await this.parts.locate.repository(open.permitted);
    const search = queryText(context, 'search');
    const request = { page: pageNumber(context), perPage: REFS_OF_PAGE };
    const [found, main] = await Promise.all([
      this.#list(repository, 'tag', search, request),
      this.parts.locate.defaultVersion(open.permitted),
    ]);
    const taken =
      repository === undefined ? new Set<string>() : await this.#branchesNamedAlike(repository, found.items);
    const names = found.items.map(({ name }) => shortName(name));
    const { project, level } = open.permitted;
    const shown = isOffered(project, level, 'read_releases') ? names : [];
    const released = await this.parts.releaseReader.ofTags(project.id, shown);
    const tags = await Promise.all(found.items.map((ref) => this.#showTag(repository?.store ?? '', ref, taken)));
    await this.#page.show(
      context,
      'code-tags',
      { ...open, ...main },
      {
        title: `Tags of ${open.permitted.project.name}`,
        tab: 'tags',
        tags: tags.map((tag) => ({ ...tag, released: released.has(tag.name) })),
        mayRemove: open.mayPush && open.permitted.level >= MAINTAINERS,
        search,
        page: found,
        request,
        ...told,
      },
    );
  }

  /** Asks before a branch or tag is removed; without its name there is nothing to ask. */
  async askFirst(context: PageContext, kind: 'branches' | 'tags'): Promise<void> {
    const name = queryText(context, 'name');
    const open = await this.#page.open(context);
    if (name === '' || !open.mayPush) return this.leadToList(context, kind);
    showQuestion(context, {
      title: `Delete the ${NOUNS[kind]} ${name}?`,
      consequences:
        kind === 'branches'
          ? ['Commits that no other branch or tag has are no longer to be found.']
          : ['Commits stay where a branch or another tag has them.'],
      button: `Delete ${NOUNS[kind]}`,
      cancel: open.addresses.page(kind),
      fields: { name },
      frame: await context.places.ofProject(context.browser, open.permitted, 'files'),
    });
  }

  async leadToList(context: PageContext, kind: 'branches' | 'tags'): Promise<void> {
    const { addresses } = await this.#page.open(context);
    const { search } = new URL(context.request.originalUrl, 'http://localhost');
    context.response.redirect(303, addresses.page(kind) + search);
  }

  async #branchesNamedAlike({ id }: Repository, tags: readonly Ref[]): Promise<ReadonlySet<string>> {
    const names = tags.map(({ name }) => branchRef(shortName(name)));
    return new Set((await this.parts.refReader.findRefs(id, names)).map(({ name }) => shortName(name)));
  }

  async #showTag(store: string, ref: Ref, taken: ReadonlySet<string>) {
    const { objects } = this.parts;
    const [commit, tag] = await together([objects.commit(store, ref.target), annotationOf(objects, store, ref)]);
    const short = shortName(ref.name);
    return {
      name: short,
      // A branch comes before a tag of the same name.
      ref: taken.has(short) ? tagRef(short) : short,
      commit,
      message: tag === undefined ? '' : [tag.message.trim().split('\n', 1)[0], bodyOf(tag.message)].join('\n').trim(),
    };
  }
}

/** Forms that change refs, shown again with the reason where they can't be. */
const addRefForms = (pages: Pages, parts: CodeWritingPagesParts, refs: RefPages): void => {
  const change = (
    kind: 'branches' | 'tags',
    done: 'made' | 'removed',
    act: (context: PageContext, writers: Writers) => Promise<void>,
  ): void => {
    const path = projectPagePath(`${kind}/${done === 'made' ? 'new' : 'remove'}`);
    // A refused form is shown at this address: searching, paging and signing in again lead here.
    pages.get(path, 'anyone', (context) =>
      done === 'removed' ? refs.askFirst(context, kind) : refs.leadToList(context, kind),
    );
    pages.post(path, 'signed_in', async (context) => {
      const writers = await openForWriting(parts, context);
      try {
        await act(context, writers);
      } catch (error) {
        const { status, problem } = refusalOf(error);
        context.response.status(status);
        return kind === 'branches' ? refs.showBranches(context, { problem }) : refs.showTags(context, { problem });
      }
      const addresses = new CodeAddresses(writers.permitted.project.fullPath);
      const name = field(context.request, 'name').trim();
      tell(context.response, context.browser, sentence(kind, name, done));
      const isBegun = kind === 'branches' && done === 'made';
      context.response.redirect(303, isBegun ? addresses.of('tree', name) : addresses.page(kind));
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
};

/** Branches and tags. */
export const addRefPages = (pages: Pages, parts: CodeWritingPagesParts): void => {
  const refs = new RefPages(parts);
  pages.get(projectPagePath('branches'), 'anyone', (context) => refs.showBranches(context));
  pages.get(projectPagePath('tags'), 'anyone', (context) => refs.showTags(context));
  addRefForms(pages, parts, refs);
  addMergedBranchesPage(pages, parts);
};
