import type { IssueDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { seenFrom, type IssueLinkType } from '../../../../../domain/planning/issue-link.js';
import type { IssuePagesParts } from './issue-pages-parts.js';

/** What an issue is to the other one of a link. */
export const LINK_WORDS: Readonly<Record<IssueLinkType, string>> = {
  relates_to: 'relates to',
  blocks: 'blocks',
  is_blocked_by: 'is blocked by',
};

/** As many as a page shows; the API has them all. */
const SHOWN = { page: 1, perPage: 50, counted: false } as const;

/** Issues that an issue has to do with, those of them that the viewer sees, the first linked first. */
export const linkedIssues = async (parts: IssuePagesParts, actor: Actor, issue: IssueDetails) => {
  const viewer = parts.access.viewer(actor);
  const { items, hasNext } = await parts.issueLinkReader.list(issue.id, viewer, SHOWN);
  const otherOf = ({ sourceId, targetId }: (typeof items)[number]) => (sourceId === issue.id ? targetId : sourceId);
  const found = items.length === 0 ? [] : await parts.planningReader.findIssues(items.map(otherOf), viewer);
  const others = new Map(found.map((other) => [other.id, other]));
  const links = items.flatMap((link) => {
    const other = others.get(otherOf(link));
    if (other === undefined) return [];
    const { iid, projectPath, title, state } = other;
    const path = other.projectId === issue.projectId ? '' : projectPath;
    const address = `/${projectPath}/-/issues/${iid}`;
    return [
      { id: link.id, words: LINK_WORDS[seenFrom(issue.id, link)], reference: `${path}#${iid}`, address, title, state },
    ];
  });
  return { items: links, more: hasNext };
};
