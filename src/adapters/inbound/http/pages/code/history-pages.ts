import type { CodeVersion } from '../../../../../application/repositories/locate-code.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { codePath, projectPagePath } from './code-addresses.js';
import { CodePage, crumbsOf, type OpenCode } from './code-page.js';
import type { CodePagesParts } from './code-pages-parts.js';
import { DIFF_LIMITS, diffOptions, orTooLarge, showDiff } from './diff-view.js';
import { newestPipelines } from './newest-pipelines.js';
import { pageNumber, queryText } from './query.js';

const COMMITS_OF_PAGE = 30;
const COMMITS_OF_COMPARISON = 100;
const COMPARISON = new RegExp(`^/(?<path>.+?)/-/compare/(?<from>.+?)\\.\\.\\.(?<to>.+?)/?$`);

/** What was done. */
export const addCommitPages = (pages: Pages, parts: CodePagesParts): void => {
  const page = new CodePage(parts);
  const { history, objects } = parts;

  pages.get(codePath('commits'), 'anyone', async (context) => {
    const place = await page.openPlace(context);
    const { repository, commit, path, permitted } = place;
    const number = pageNumber(context);
    const commits = await history.log(repository.store, {
      tips: [commit.id],
      path,
      skip: (number - 1) * COMMITS_OF_PAGE,
      limit: COMMITS_OF_PAGE + 1,
    });
    // No commit ever touched such a path: it was never there.
    if (commits.length === 0) throw new NotFound('Commits');
    const shown = commits.slice(0, COMMITS_OF_PAGE);
    const pipelines = await newestPipelines(parts, permitted, shown);
    const there = path === '' ? undefined : await objects.entryAt(repository.store, commit.id, path);
    await page.show(context, 'code-commits', place, {
      title: path === '' ? `Commits of ${permitted.project.name}` : `History of ${path} · ${permitted.project.name}`,
      tab: 'commits',
      view: 'commits',
      path,
      crumbs: there === undefined ? [] : crumbsOf(place, path, there.mode === '40000' ? 'tree' : 'blob'),
      commits: shown,
      pipelines,
      page: { hasNext: commits.length > COMMITS_OF_PAGE },
      request: { page: number, perPage: COMMITS_OF_PAGE },
    });
  });
};

/** What lies between two versions. */
export const addComparePages = (pages: Pages, parts: CodePagesParts): void => {
  const page = new CodePage(parts);
  const { history, locate } = parts;

  pages.get(projectPagePath('compare'), 'anyone', async (context) => {
    const open = await page.open(context);
    const [from, to] = [queryText(context, 'from'), queryText(context, 'to')];
    if (from !== '' && to !== '') return context.response.redirect(303, open.addresses.compare(from, to));
    const main = await locate.defaultVersion(open.permitted);
    await page.show(context, 'code-compare', { ...open, ...main }, compareWords(open, from, to));
  });

  pages.get(COMPARISON, 'anyone', async (context) => {
    const open = await page.open(context);
    const [from, to] = [nameIn(context, 'from'), nameIn(context, 'to')];
    const [base, head] = await Promise.all([locate.version(open.permitted, from), locate.version(open.permitted, to)]);
    const main = await locate.defaultVersion(open.permitted);
    const words = compareWords(open, from, to);
    if (base === undefined || head === undefined) {
      const missing = base === undefined ? from : to;
      context.response.status(404);
      return page.show(
        context,
        'code-compare',
        { ...open, ...main },
        {
          ...words,
          problem: `There is no branch, tag or commit ${missing}.`,
        },
      );
    }
    const comparison = await compare(context, base, head);
    await page.show(
      context,
      'code-compare',
      { ...open, ...main },
      { ...words, ...comparison, proposes: proposes(open, base, head) },
    );
  });

  const compare = async (context: PageContext, base: CodeVersion, head: CodeVersion) => {
    const { store } = head.repository;
    const options = diffOptions(context);
    const common = await history.mergeBase(store, [base.commit.id, head.commit.id]);
    const [commits, diff] = await Promise.all([
      history.log(store, { tips: [head.commit.id], not: [base.commit.id], limit: COMMITS_OF_COMPARISON + 1 }),
      orTooLarge(
        history.diff(store, common ?? base.commit.id, head.commit.id, {
          ...DIFF_LIMITS,
          ignoreWhitespace: options.ignoreWhitespace,
        }),
      ),
    ]);
    return {
      commits: commits.slice(0, COMMITS_OF_COMPARISON),
      moreCommits: commits.length > COMMITS_OF_COMPARISON,
      diff: showDiff(context, diff, options),
      options,
      sides: { from: common ?? base.commit.id, to: head.commit.id },
    };
  };
};

/** Whether one of two versions can be proposed to be merged into the other. */
const proposes = ({ mayPush }: OpenCode, { ref: base }: CodeVersion, { ref: head }: CodeVersion): boolean =>
  mayPush && base.kind === 'branch' && head.kind === 'branch' && base.name !== head.name;

const nameIn = ({ request }: PageContext, name: string): string => String(request.params[name]).slice(0, 255);

const compareWords = ({ permitted }: OpenCode, from: string, to: string) => ({
  title:
    from === '' || to === '' ? `Compare · ${permitted.project.name}` : `${from} and ${to} · ${permitted.project.name}`,
  tab: 'compare' as const,
  from: from === '' ? (permitted.project.defaultBranch ?? '') : from,
  to,
});
