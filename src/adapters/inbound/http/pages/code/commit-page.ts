import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { actorFor } from '../page-request.js';
import type { PageContext } from '../page-context.js';
import { allowLiveScript } from '../page-headers.js';
import type { Pages } from '../page.js';
import { CodePage } from './code-page.js';
import type { CodePagesParts } from './code-pages-parts.js';
import { commentsOn, type CommitCommentParts } from './commit-comments.js';
import { bodyOf, titleOf } from './commit-words.js';
import { DIFF_LIMITS, diffOptions, orTooLarge, showDiff } from './diff-view.js';
import { newestChecks } from './newest-checks.js';

const COMMIT = new RegExp(`^/(?<path>.+?)/-/commit/(?<sha>[0-9a-f]{7,40})/?$`);

export type CommitPageParts = CodePagesParts & CommitCommentParts;

/** One commit: what it changes, and what is said of it. */
export const addCommitPage = (pages: Pages, parts: CommitPageParts): void => {
  pages.get(COMMIT, 'anyone', (context) => showCommit(parts, context));
};

/** @param extra what a form that was refused has to say. */
export const showCommit = async (parts: CommitPageParts, context: PageContext, extra: object = {}): Promise<void> => {
  const page = new CodePage(parts);
  const open = await page.open(context);
  const { permitted } = open;
  const version = await parts.locate.version(permitted, String(context.request.params['sha']));
  if (version === undefined) throw new NotFound('Commit');
  const { commit, repository } = version;
  const options = diffOptions(context);
  const limits = { ...DIFF_LIMITS, ignoreWhitespace: options.ignoreWhitespace };
  const shown = await orTooLarge(parts.history.diff(repository.store, commit.parents[0] ?? null, commit.id, limits));
  const diff = showDiff(context, shown, options);
  // Where there are files, it is allowed for their sake.
  if (diff.files.length === 0) allowLiveScript(context.response);
  const { message } = commit;
  const texts = [titleOf(message), bodyOf(message)];
  const [heading, text = []] = await parts.markdown.linkAll(texts, actorFor(context.browser), permitted);
  await page.show(
    context,
    'code-commit',
    { ...open, ...version },
    {
      title: `${titleOf(message)} (${commit.id.slice(0, 8)}) · ${permitted.project.name}`,
      tab: 'commits',
      view: 'tree',
      path: '',
      heading,
      text,
      ...(await newestChecks(parts, permitted, commit)),
      diff,
      copies: true,
      options,
      sides: { from: commit.parents[0], to: commit.id },
      address: open.addresses.commit(commit.id),
      ...(await commentsOn(parts, context, permitted, { commit, diff, options })),
      ...extra,
    },
  );
};
