import { together } from '../../../../../application/shared/together.js';
import type { MergeRequestDetails, Version } from '../../../../../application/review/ports/merge-request-ports.js';
import { storeOf } from '../../api-v4/merge-requests/merge-request-parts.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { COMMIT_WORDS } from '../code/commit-words.js';
import { DIFF_LIMITS, diffOptions, orTooLarge, showDiff, type DiffOptions } from '../code/diff-view.js';
import { newestPipelines } from '../code/newest-pipelines.js';
import { textField } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest, queryText } from '../page-request.js';
import { lineThreadsOf } from './line-threads.js';
import { frameOf, rightsOf, titleOf } from './merge-request-page.js';
import {
  asItIs,
  findMergeRequest,
  MERGE_REQUEST,
  type FoundMergeRequest,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';
import { pendingReviewOf } from './pending-review.js';

/** As many versions can be chosen. */
const MOST_VERSIONS = 50;

interface Opened {
  readonly found: FoundMergeRequest;
  readonly mergeRequest: MergeRequestDetails;
  /** The newest first. */
  readonly versions: readonly Version[];
}

const openCode = async (parts: MergeRequestPagesParts, context: PageContext): Promise<Opened> => {
  const found = await findMergeRequest(parts, context);
  const mergeRequest = await asItIs(parts, found);
  return { found, mergeRequest, versions: await parts.mergeRequestReader.versions(mergeRequest.id) };
};

/** The commits of a merge request, and what they change. */
export const addMergeRequestCodePages = (pages: Pages, parts: MergeRequestPagesParts): void => {
  const { history } = parts;

  pages.get(`${MERGE_REQUEST}/commits`, 'anyone', async (context) => {
    const { found, mergeRequest, versions } = await openCode(parts, context);
    const [version] = versions;
    const request = pageRequest(context);
    const { page, perPage } = request;
    const commits =
      version === undefined
        ? []
        : await history.log(await storeOf(parts, found), {
            tips: [version.head],
            not: [version.start],
            skip: (page - 1) * perPage,
            limit: perPage + 1,
          });
    const shown = commits.slice(0, perPage);
    await sendProjectPage(context, found.place, 'merge-request-commits', {
      ...(await frameOf(parts, context, found, mergeRequest)),
      title: `Commits of ${titleOf(mergeRequest)}`,
      part: 'commits',
      words: COMMIT_WORDS,
      commits: shown,
      pipelines: await newestPipelines(parts, found.place, shown),
      page: { hasNext: commits.length > perPage },
      request,
    });
  });

  pages.get(`${MERGE_REQUEST}/diffs`, 'anyone', (context) => showChanges(parts, context));
};

/** What a merge request changes, with what is said of its lines. @param extra what a form that was refused has to say. */
export const showChanges = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  extra: object = {},
): Promise<void> => {
  const { found, mergeRequest, versions } = await openCode(parts, context);
  const wanted = queryText(context, 'version');
  const version = wanted === '' ? versions[0] : orNotFound(versions.find(({ id }) => String(id) === wanted));
  const options = diffOptions(context);
  const [frame, rights, changes, pending, review] = await together([
    frameOf(parts, context, found, mergeRequest),
    rightsOf(parts, context, found, mergeRequest),
    version === undefined ? Promise.resolve(undefined) : changesOf(parts, context, found, { ...version, options }),
    pendingReviewOf(parts, context, found, version),
    // Without blanks, lines would stand where the whole diff doesn't show them.
    version === undefined || options.ignoreWhitespace
      ? Promise.resolve(undefined)
      : lineThreadsOf(parts, context, found, { mergeRequest, version }),
  ]);
  await sendProjectPage(context, found.place, 'merge-request-changes', {
    ...frame,
    title: `Changes of ${titleOf(mergeRequest)}`,
    ...rights,
    part: 'changes',
    versions: versions.slice(0, MOST_VERSIONS).map((each, index) => ({ ...each, number: versions.length - index })),
    shown: version,
    kept: wanted === '' ? {} : { version: wanted },
    options,
    whole: parts.urls.api(`/projects/${mergeRequest.projectId}/merge_requests/${mergeRequest.iid}`),
    body: textField(context, 'body'),
    ...changes,
    pending,
    ...review,
    ...extra,
  });
};

const changesOf = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  found: FoundMergeRequest,
  { base, head, options }: Version & { readonly options: DiffOptions },
) => {
  const limits = { ...DIFF_LIMITS, ignoreWhitespace: options.ignoreWhitespace };
  const diff = await orTooLarge(parts.history.diff(await storeOf(parts, found), base, head, limits));
  return { diff: showDiff(context, diff, options), sides: { from: base, to: head } };
};
