import type { LinkableIssue } from '../../../../../application/planning/issue-links.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { issueIn } from '../../../../../domain/collaboration/action-arguments.js';
import { ISSUE_LINK_TYPES } from '../../../../../domain/planning/issue-link.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import { field, pathNumber } from '../form-fields.js';
import { refusalOf } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { showIssue } from './issue-page.js';
import { findIssue, ISSUE, type FoundIssue, type IssuePagesParts } from './issue-pages-parts.js';

const LINKS = `${ISSUE}/links`;

type Found = FoundIssue & LinkableIssue;

const findLinkable = async (parts: IssuePagesParts, context: PageContext): Promise<Found> => {
  const found = await findIssue(parts, context);
  return { ...found, linking: parts.access.also(actorOf(context.browser), found.place, 'link_issues') };
};

/** What they may not see or link is not there. @throws Invalid at `reference`. */
const findOther = async (
  { access, issues }: IssuePagesParts,
  actor: UserActor,
  { place }: Found,
  reference: string,
): Promise<LinkableIssue> => {
  const named = issueIn(reference);
  if (named === undefined)
    throw new Invalid({ reference: ['is none: name it as #12, group/project#12 or its address'] });
  const find = async (): Promise<LinkableIssue> => {
    const other = await access.project(actor, named.project ?? place.project.fullPath, 'read_issues');
    const found = await issues.find(actor, other, named.iid);
    return { ...found, linking: access.also(actor, other, 'link_issues') };
  };
  const other = await unlessRefused(find());
  if (other === undefined) throw new Invalid({ reference: ['is none that you see and may link'] });
  return other;
};

/** Linking an issue with others, and taking that back. */
export const addIssueLinkPages = (pages: Pages, parts: IssuePagesParts): void => {
  pages.post(LINKS, 'signed_in', async (context) => {
    const found = await findLinkable(parts, context);
    const { request, response, browser } = context;
    const reference = field(request, 'reference').trim();
    const type = ISSUE_LINK_TYPES.find((each) => each === field(request, 'link_type')) ?? 'relates_to';
    try {
      await parts.issueLinks.add(found, await findOther(parts, actorOf(browser), found, reference), type);
      tell(response, browser, `Linked with ${reference}.`);
      response.redirect(303, `${found.address}#links`);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const { status, ...said } = refusal;
      response.status(status);
      const linking = { reference, type };
      await showIssue(parts, context, { ...said, linking, fieldLabels: { reference: 'the issue' } });
    }
  });

  pages.post(`${LINKS}/:link/remove`, 'signed_in', async (context) => {
    const found = await findLinkable(parts, context);
    const { request, response, browser } = context;
    const viewer = parts.access.viewer(actorOf(browser));
    const link = await parts.issueLinkReader.find(found.issue.id, pathNumber(request, 'link'), viewer);
    await parts.issueLinks.remove(found, orNotFound(link));
    tell(response, browser, 'The issues are no longer linked.');
    response.redirect(303, `${found.address}#links`);
  });
};
