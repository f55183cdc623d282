import { HeadMoved } from '../../../../../application/review/approvals.js';
import type { MergeCommand } from '../../../../../application/review/merge-changes.js';
import { retitled } from '../../../../../domain/review/merge-request.js';
import { Conflict, Forbidden, NotPossible, Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import { committerOf, permitSource } from '../../api-v4/merge-requests/merging-routes.js';
import { given } from '../../kit/given.js';
import { field } from '../form-fields.js';
import { refusalOf, textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { tickTask } from '../tasks.js';
import { ATTACHMENTS_LABEL } from '../uploads/attached-files.js';
import { hindranceOf } from './merge-box.js';
import { showMergeRequest } from './merge-request-page.js';
import {
  asItIs,
  findMergeRequest,
  findMergeRequestToChange,
  MERGE_REQUEST,
  type FoundToChange,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';

type Parts = MergeRequestPagesParts;

/** Does it, and says what was done. */
type Act = (parts: Parts, context: PageContext, found: FoundToChange) => Promise<string>;

/** Runs what a form asks for, and shows the page again with the reason where it is refused. */
export const orShowAgain = async (parts: Parts, context: PageContext, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined || context.response.headersSent) throw error;
    const { status, ...said } = refusal;
    context.response.status(status);
    await showMergeRequest(parts, context, {
      fieldIds: { note: 'body' },
      fieldLabels: { note: 'The comment', ...ATTACHMENTS_LABEL },
      ...said,
    });
  }
};

const OTHER_COMMITS = 'Other commits are there now than those that you saw. Look at the changes once more.';

/** What clients are told in words that they know, people are told in theirs. @param mayNot why, where clients are told to sign in. */
export const inWords = async <Result>(mayNot: string, work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Unauthenticated) throw new Forbidden(mayNot);
    throw error instanceof HeadMoved ? new Conflict(OTHER_COMMITS) : error;
  }
};

const changeState: Act = async ({ mergeRequests }, { browser, request }, found) => {
  const stateEvent = field(request, 'state_event') === 'close' ? 'close' : 'reopen';
  await mergeRequests.edit(actorOf(browser), found, { stateEvent });
  return `Merge request !${found.mergeRequest.iid} ${stateEvent === 'close' ? 'closed' : 'reopened'}.`;
};

const changeDraft: Act = async ({ mergeRequests }, { browser, request }, found) => {
  const draft = field(request, 'draft') === 'true';
  await mergeRequests.edit(actorOf(browser), found, { title: retitled(found.mergeRequest.title, draft) });
  return draft ? 'Marked as a draft.' : 'Marked as ready.';
};

export const MAY_NOT_APPROVE =
  'You can’t approve this merge request: you opened it, you have approved it already, or you are below Developer.';

const changeApproval: Act = async ({ approvals }, { browser, request }, found) => {
  const actor = actorOf(browser);
  if (field(request, 'approved') === 'true') {
    const sha = field(request, 'sha') || undefined;
    await inWords(MAY_NOT_APPROVE, approvals.approve(actor, found, sha));
    return 'Approved.';
  }
  await approvals.unapprove(actor, found);
  return 'Your approval is taken back.';
};

const MAY_NOT_MERGE = 'You may not merge into that branch.';

const commandIn = (context: PageContext): MergeCommand =>
  given({
    message: textField(context, 'message').trim() || undefined,
    squashMessage: textField(context, 'squash_message').trim() || undefined,
    squash: field(context.request, 'squash') === 'true',
    removeSourceBranch: field(context.request, 'remove_source_branch') === 'true',
    sha: field(context.request, 'sha') || undefined,
  });

const merge: Act = async (parts, context, found) => {
  const { mergeRequest } = found;
  const committer = await committerOf(parts, actorOf(context.browser));
  const waiting = field(context.request, 'when') === 'pipeline_succeeds';
  const begin = async (): Promise<string> => {
    const command = commandIn(context);
    const outcome = await (waiting
      ? parts.automaticMerges.begin(committer, found, command)
      : parts.mergeChanges.execute(committer, found, command));
    if (outcome.outcome === 'merged') return `Merged into ${mergeRequest.targetBranch}.`;
    if (outcome.outcome === 'waits') return 'It is merged once its pipeline succeeds.';
    const { why, todo } = hindranceOf(outcome.reason, await asItIs(parts, await parts.mergeRequests.again(found)));
    throw new NotPossible(`Not merged. ${why} ${todo}`);
  };
  return inWords(MAY_NOT_MERGE, begin());
};

const cancelMerge: Act = async ({ automaticMerges }, { browser }, found) => {
  const waited = await inWords(MAY_NOT_MERGE, automaticMerges.cancel(actorOf(browser), found));
  return waited ? 'It is not merged by itself any more.' : 'Nothing was to be merged by itself.';
};

const MAY_NOT_PUSH = 'You may not push to the source branch.';

const rebase: Act = async (parts, { browser }, found) => {
  const actor = actorOf(browser);
  const permitted = await permitSource(parts, actor, found, MAY_NOT_PUSH);
  await parts.rebaseBranches.execute(await committerOf(parts, actor), found, permitted);
  const { mergeError, sourceBranch, targetBranch } = await asItIs(parts, await parts.mergeRequests.again(found));
  if (mergeError !== null) throw new NotPossible(mergeError);
  return `${sourceBranch} stands upon ${targetBranch} now.`;
};

const ACTS: Readonly<Record<string, Act>> = {
  state: changeState,
  draft: changeDraft,
  approval: changeApproval,
  merge,
  cancel_merge: cancelMerge,
  rebase,
};

/** What is done to a merge request with one press. */
export const addMergeRequestActs = (pages: Pages, parts: Parts): void => {
  for (const [name, act] of Object.entries(ACTS))
    pages.post(`${MERGE_REQUEST}/${name}`, 'signed_in', async (context) => {
      const found = await findMergeRequestToChange(parts, context);
      await orShowAgain(parts, context, async () => {
        tell(context.response, context.browser, await act(parts, context, found));
        context.response.redirect(303, found.address);
      });
    });

  pages.post(`${MERGE_REQUEST}/tasks`, 'signed_in', async (context) => {
    const found = await findMergeRequestToChange(parts, context);
    await tickTask(context, {
      text: found.mergeRequest.description,
      to: `${found.address}#description`,
      save: (description, seenDescription) =>
        parts.mergeRequests.edit(actorOf(context.browser), found, { description, seenDescription }),
    });
  });

  pages.post(`${MERGE_REQUEST}/subscription`, 'signed_in', async (context) => {
    const { mergeRequest, address } = await findMergeRequest(parts, context);
    const subscribed = field(context.request, 'subscribed') === 'true';
    const concerned = { ...mergeRequest, assignees: [...mergeRequest.assignees, ...mergeRequest.reviewers] };
    await parts.subscriptions.change(actorOf(context.browser), concerned, subscribed);
    const words = subscribed ? 'You follow this merge request.' : 'You no longer follow this merge request.';
    tell(context.response, context.browser, words);
    context.response.redirect(303, address);
  });

  // Somebody who signs in again, or reloads what a form led to, comes this way.
  for (const form of [...Object.keys(ACTS), 'tasks', 'subscription'])
    pages.get(`${MERGE_REQUEST}/${form}`, 'anyone', async (context) => {
      const { address } = await findMergeRequest(parts, context);
      context.response.redirect(303, address);
    });
};
