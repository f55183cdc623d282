import type { Push } from '../../domain/activity/activity-event.js';
import type { PushedRef, PushEvent } from '../shared/domain-events.js';
import type { NewActivityEvent } from './ports/activity-repository.js';

/** More refs of one kind that the same happened to are one entry. */
const MOST_SINGLE = 3;
const MOST_TITLE = 70;

const actionOf = ({ from, to }: PushedRef): Push['action'] => {
  if (to === null) return 'removed';
  return from === null ? 'created' : 'pushed';
};

const shorten = (title: string): string =>
  title.trim().length > MOST_TITLE ? `${title.trim().slice(0, MOST_TITLE - 3)}...` : title.trim();

const single = (ref: PushedRef): Push => ({
  commitCount: ref.commitCount,
  action: actionOf(ref),
  refType: ref.kind,
  commitFrom: ref.from,
  commitTo: ref.to,
  ref: ref.name,
  commitTitle: ref.commitTitle === null ? null : shorten(ref.commitTitle),
});

const bulk = ([first, ...others]: readonly [PushedRef, ...PushedRef[]]): Push => ({
  ...single(first),
  commitCount: 0,
  commitFrom: null,
  commitTo: null,
  ref: '',
  refCount: others.length + 1,
  commitTitle: null,
});

/** What the feed tells of a push: an entry a ref, or one of many refs. */
export const entriesOfPush = ({ projectId, refs, by, at }: PushEvent): readonly NewActivityEvent[] => {
  const groups = new Map<string, [PushedRef, ...PushedRef[]]>();
  for (const ref of refs) {
    const key = `${ref.kind} ${actionOf(ref)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [ref]);
    else group.push(ref);
  }
  const pushes = [...groups.values()].flatMap((group) =>
    group.length > MOST_SINGLE ? [bulk(group)] : group.map(single),
  );
  const rest = { target: null, comment: null, confidential: false, tellsOfCode: true, subjectId: null };
  return pushes.map((push) => ({ ...rest, projectId, authorId: by, action: 'pushed', push, createdAt: at }));
};
