/** What an issue is to another, as it is told of the first. */
export const ISSUE_LINK_TYPES = ['relates_to', 'blocks', 'is_blocked_by'] as const;
export type IssueLinkType = (typeof ISSUE_LINK_TYPES)[number];

/** A link as it is kept: the source is what blocks, where one of the two does. */
export interface IssueLink {
  readonly sourceId: number;
  readonly targetId: number;
  readonly type: Exclude<IssueLinkType, 'is_blocked_by'>;
}

export const linkOf = (from: number, to: number, type: IssueLinkType): IssueLink =>
  type === 'is_blocked_by' ? { sourceId: to, targetId: from, type: 'blocks' } : { sourceId: from, targetId: to, type };

/** What a link says of one of its issues. */
export const seenFrom = (issueId: number, { sourceId, type }: IssueLink): IssueLinkType =>
  type === 'blocks' && sourceId !== issueId ? 'is_blocked_by' : type;
