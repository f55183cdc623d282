import type { IssueDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { IssuePagesParts } from './issue-pages-parts.js';

/** The other end of a move. */
interface OtherIssue {
  readonly reference: string;
  readonly address: string;
}

/** Where an issue went, and where it came from; nothing of what is not for them to see. */
export interface Moves {
  readonly to: OtherIssue | undefined;
  readonly from: OtherIssue | undefined;
}

export const movesOf = async (parts: IssuePagesParts, actor: Actor, issue: IssueDetails): Promise<Moves> => {
  const { planningReader, access, issues } = parts;
  const fromId = await planningReader.movedFrom(issue.id);
  const ids = [issue.movedToId, fromId].filter((id) => id !== null && id !== undefined);
  if (ids.length === 0) return { to: undefined, from: undefined };
  const found = await planningReader.findIssues(ids, access.viewer(actor));
  const show = async (id: number | null | undefined): Promise<OtherIssue | undefined> => {
    const other = found.find((each) => each.id === id);
    if (other === undefined) return undefined;
    const place = await unlessRefused(access.project(actor, String(other.projectId), 'read_issues'));
    const seen = place && (await unlessRefused(issues.find(actor, place, other.iid)));
    if (place === undefined || seen === undefined) return undefined;
    const { fullPath } = place.project;
    return { reference: `${fullPath}#${other.iid}`, address: `/${fullPath}/-/issues/${other.iid}` };
  };
  return { to: await show(issue.movedToId), from: await show(fromId) };
};
