import { together } from '../../../../../application/shared/together.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { pipelinesOfMergeRequest, whereItRuns } from '../../api-v4/merge-requests/merge-request-pipelines.js';
import { CodeAddresses } from '../code/code-addresses.js';
import { refusalOf } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { frameOf, titleOf } from './merge-request-page.js';
import { asItIs, findMergeRequest, MERGE_REQUEST, type MergeRequestPagesParts } from './merge-request-pages-parts.js';

const ADDRESS = `${MERGE_REQUEST}/pipelines`;

/** The pipelines of a merge request, and the button that runs one more. */
export const addMergeRequestPipelinePages = (pages: Pages, parts: MergeRequestPagesParts): void => {
  pages.get(ADDRESS, 'anyone', (context) => showPipelines(parts, context));

  pages.post(ADDRESS, 'signed_in', async (context) => {
    const { mergeRequest, place: target, address } = await findMergeRequest(parts, context);
    const actor = actorOf(context.browser);
    parts.access.also(actor, target, 'open_merge_requests');
    const place = await whereItRuns(parts, actor, mergeRequest);
    if (place === undefined) throw new Forbidden();
    try {
      const { iid } = await parts.createMergeRequestPipelines.create(actor, place, mergeRequest.id);
      tell(context.response, context.browser, `Pipeline #${iid} is made.`);
      context.response.redirect(303, `${address}/pipelines`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const { status, ...said } = refusal;
      context.response.status(status);
      await showPipelines(parts, context, { fieldLabels: { base: '' }, ...said });
    }
  });
};

const showPipelines = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  extra: object = {},
): Promise<void> => {
  const found = await findMergeRequest(parts, context);
  const mergeRequest = await asItIs(parts, found);
  const { user } = context.browser;
  const request = pageRequest(context);
  const [frame, pipelines, place] = await together([
    frameOf(parts, context, found, mergeRequest),
    pipelinesOfMergeRequest(parts, actorFor(context.browser), mergeRequest, request),
    user === undefined ? Promise.resolve(undefined) : whereItRuns(parts, actorFor(context.browser), mergeRequest),
  ]);
  await sendProjectPage(context, found.place, 'merge-request-pipelines', {
    ...frame,
    title: `Pipelines of ${titleOf(mergeRequest)}`,
    part: 'pipelines',
    pipelines: pipelines.items.map(({ pipeline, path }) => ({ pipeline, at: new CodeAddresses(path) })),
    mayRun: place !== undefined && mergeRequest.state === 'opened' && !found.place.project.archived,
    page: pipelines,
    request,
    ...extra,
  });
};
