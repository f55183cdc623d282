import type { ActivityEventWithAuthor, Standing } from '../../../../application/activity/ports/activity-reader.js';
import type { Action, Push, Target, TargetType } from '../../../../domain/activity/activity-event.js';
import { addressOfNote } from './comments/comment-page.js';

/** An entry of a feed as people say it: "opened issue *Leak (#1)* in *ada/engine*". */
export interface ActivitySentence {
  readonly at: Date;
  readonly does: string;
  /** What it is about, with its page where it has one; absent where it is about the project. */
  readonly about: { readonly text: string; readonly href: string | undefined } | undefined;
  /** What stands between that and the project. */
  readonly joint: string;
  readonly projectPath: string;
  readonly quote: string | undefined;
}

const QUOTE_LENGTH = 280;

const NOUNS: Readonly<Record<TargetType, string>> = {
  issue: 'issue',
  milestone: 'milestone',
  merge_request: 'merge request',
  note: 'comment',
  project: 'project',
  snippet: 'snippet',
  user: 'user',
};

const NOTEABLE_NOUNS = { Issue: 'issue', MergeRequest: 'merge request', Snippet: 'snippet', Commit: 'commit' } as const;

const VERBS: Readonly<Record<Exclude<Action, 'pushed' | 'joined' | 'left' | 'expired'>, string>> = {
  approved: 'approved',
  created: 'opened',
  updated: 'updated',
  closed: 'closed',
  reopened: 'reopened',
  commented: 'commented on',
  merged: 'merged',
  destroyed: 'removed',
};

const SIGNS: Readonly<Partial<Record<TargetType, string>>> = { issue: '#', milestone: '%', merge_request: '!' };

const cut = (text: string): string => (text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH)}…` : text);

const ofPush = ({ action, refType, ref, commitCount }: Push): string => {
  if (action === 'created') return `pushed new ${refType} ${ref}`;
  if (action === 'removed') return `removed ${refType} ${ref}`;
  return `pushed ${commitCount} ${commitCount === 1 ? 'commit' : 'commits'} to ${refType} ${ref}`;
};

const SHORT = 8;

/** The commit that a branch was left at, for those who read the code. What a tag names need be no commit. */
const aboutPush = ({ projectId, projectPath }: ActivityEventWithAuthor, push: Push, standing: Standing) => {
  const { commitTo, commitTitle, refType } = push;
  if (commitTo === null || refType !== 'branch' || !standing.code.has(projectId)) return undefined;
  return { text: commitTitle ?? commitTo.slice(0, SHORT), href: `/${projectPath}/-/commit/${commitTo}` };
};

const ofMembership = (action: Action): string => {
  if (action === 'joined') return 'joined';
  return action === 'left' ? 'left' : 'reached the end of the membership of';
};

interface Named {
  readonly type: TargetType;
  readonly id: number | null;
  readonly iid: number | null;
}

/** The page of what is still there for the viewer. */
const pageOf = (projectPath: string, { type, id, iid }: Named, standing: Standing): string | undefined => {
  if (id === null || iid === null || (type !== 'issue' && type !== 'milestone' && type !== 'merge_request'))
    return undefined;
  return standing[`${type}s`].has(id) ? `/${projectPath}/-/${type}s/${iid}` : undefined;
};

const named = (title: string | null, type: TargetType, iid: number | null): string => {
  const number = iid === null ? undefined : `${SIGNS[type] ?? '#'}${iid}`;
  if (title === null) return number ?? NOUNS[type];
  return number === undefined ? title : `${title} (${number})`;
};

const ofTarget = (
  event: ActivityEventWithAuthor,
  target: Target,
  standing: Standing,
): Pick<ActivitySentence, 'does' | 'about'> => {
  const { action, comment, projectPath } = event;
  const verb = VERBS[action as keyof typeof VERBS];
  if (comment !== null) {
    const type = comment.noteableType === 'Issue' ? 'issue' : 'merge_request';
    const text = named(target.title, type, comment.noteableIid);
    const noteable = { type, id: comment.noteableId, iid: comment.noteableIid } as const;
    const hasPage = comment.noteableType === 'Issue' || comment.noteableType === 'MergeRequest';
    const page = hasPage ? pageOf(projectPath, noteable, standing) : undefined;
    const href = page === undefined ? undefined : addressOfNote(page, target.id);
    return { does: `${verb} ${NOTEABLE_NOUNS[comment.noteableType]}`, about: { text, href } };
  }
  const text = named(target.title, target.type, target.iid);
  const href = action === 'destroyed' ? undefined : pageOf(projectPath, target, standing);
  return { does: `${verb} ${NOUNS[target.type]}`, about: { text, href } };
};

/** Says what an entry tells. What was removed since has no page any more, so it is named without a link. */
export const sentenceOf = (event: ActivityEventWithAuthor, standing: Standing): ActivitySentence =>
  event.withheld === true
    ? {
        ...{ at: event.createdAt, does: 'did something', about: undefined, joint: 'in' },
        ...{ projectPath: event.projectPath, quote: undefined },
      }
    : told(event, standing);

const told = (event: ActivityEventWithAuthor, standing: Standing): ActivitySentence => {
  const { action, target, push, comment, createdAt: at, projectPath } = event;
  const common = { at, projectPath, quote: comment === null ? undefined : cut(comment.body) };
  if (action === 'pushed') {
    const about = push === null ? undefined : aboutPush(event, push, standing);
    return { ...common, does: push === null ? 'pushed' : ofPush(push) + (about ? ':' : ''), about, joint: 'in' };
  }
  if (action === 'joined' || action === 'left' || action === 'expired')
    return { ...common, does: ofMembership(action), about: undefined, joint: '' };
  if (target === null || target.type === 'project')
    return { ...common, does: action === 'created' ? 'created' : VERBS[action], about: undefined, joint: '' };
  return { ...common, ...ofTarget(event, target, standing), joint: 'in' };
};
