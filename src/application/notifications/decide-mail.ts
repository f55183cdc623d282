import { mentionedNames } from '../../domain/collaboration/mentions.js';
import { addressedNames } from '../../domain/collaboration/todo.js';
import { isAmongReaders } from '../../domain/collaboration/readers.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import {
  decideInProject,
  SUBJECT_PERMISSIONS,
  type ProjectPermission,
} from '../../domain/workspace/workspace-policy.js';
import {
  decideAlertNotification,
  decideLabelNotification,
  decideMentionNotification,
  decideNotification,
  type Involvement,
  type NotificationDecision,
} from '../../domain/notifications/notification-policy.js';
import { effectiveSetting } from '../../domain/notifications/notification-setting.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Audience, Person, Topic } from './ports/audience-ports.js';
import { isOfAlert, isOfLabelling, isOfMention, isOfPipeline, isOpening, type Cause } from './ports/cause-ports.js';

/** Who is named where: in what was just written, and in all that was said of the subject. */
export interface Named {
  readonly now: ReadonlySet<UserId>;
  readonly before: ReadonlySet<UserId>;
  /** Those of `now` that the text begins with. */
  readonly addressed: ReadonlySet<UserId>;
}

const SEARCHED_TEXTS = 200;
const MAX_NAMES = 200;

/** Finds out who is named in a subject and its comments. */
export const findNamed = async (audience: Audience, cause: Cause, topic: Topic): Promise<Named> => {
  const { subject } = topic;
  if (subject === null) return { now: new Set(), before: new Set(), addressed: new Set() };
  const written = writtenIn(cause, topic);
  const texts = [subject.description, ...(await audience.commentsWithNames(cause, SEARCHED_TEXTS))];
  const before = [...new Set(texts.flatMap(mentionedNames))].slice(0, MAX_NAMES);
  const [now, addressed] = [namesTold(cause, written), addressedNames(written)];
  const ids = await audience.idsOfNames([...new Set([...now, ...before, ...addressed])]);
  const idsOf = (names: readonly string[]) => new Set(names.flatMap((name) => ids.get(name) ?? []));
  return { now: idsOf(now), before: idsOf(before), addressed: idsOf(addressed) };
};

/** What was just written, as it stands now. */
const writtenIn = ({ kind, noteId }: Cause, { subject, note }: Topic): string => {
  const isOfDescription = isOpening(kind) || (isOfMention(kind) && noteId === null);
  if (isOfDescription) return subject?.description ?? '';
  return kind === 'new_note' || isOfMention(kind) ? (note?.body ?? '') : '';
};

/** Of a text that was changed, those whom it did not name before. */
const namesTold = ({ details: { mentioned } }: Cause, written: string): readonly string[] => {
  const names = mentionedNames(written);
  return mentioned === undefined ? names : names.filter((name) => mentioned.includes(name));
};

/** People who are concerned beyond those that the audience finds by itself. */
export const alsoConcerned = ({ kind, details }: Cause, { now, before }: Named): readonly UserId[] =>
  isOfMention(kind)
    ? [...now]
    : [...new Set([...now, ...before, ...(details.added ?? []), ...(details.removed ?? [])])];

/** Whether somebody may read what a mail would tell them, as things stand now. */
export const mayRead = (person: Person, cause: Cause, { project, subject }: Topic): boolean => {
  if (!person.active) return false;
  if (isOfAlert(cause.kind)) return person.level >= ACCESS_LEVEL.maintainer;
  const asker = { signedIn: true, admin: person.admin };
  if (decideInProject(asker, project, person.level, permissionToRead(cause, subject)) !== 'granted') return false;
  return subject === null || isAmongReaders(subject.readers, person);
};

const permissionToRead = ({ kind }: Cause, subject: Topic['subject']): ProjectPermission => {
  if (isOfPipeline(kind)) return 'read_pipelines';
  return subject === null ? 'read_project' : SUBJECT_PERMISSIONS[subject.kind].read;
};

/** Whether somebody is mailed about a cause, and why, or why not. */
export const decideMail = (person: Person, cause: Cause, topic: Topic, named: Named): NotificationDecision => {
  const setting = effectiveSetting(person.settings);
  const { kind: event } = cause;
  if (isOfAlert(event)) return decideAlertNotification(setting.level, person.id === cause.actorId);
  // Of the members those alone whose work it checks: others chose to watch.
  if (isOfPipeline(event) && setting.level === 'participating' && !person.checked)
    return { outcome: 'not_mailed', reason: 'not_participating' };
  const involvement = involvementOf(person, cause, topic, named);
  if (isOfMention(event)) return decideMentionNotification(involvement, setting);
  return isOfLabelling(event)
    ? decideLabelNotification(involvement)
    : decideNotification({ event, involvement, setting });
};

const involvementOf = (
  { id, commented, subscribed, subscribedToLabel }: Person,
  { actorId, details }: Cause,
  { subject }: Topic,
  { now, before }: Named,
): ReadonlySet<Involvement> => {
  const ways: readonly (readonly [Involvement, boolean])[] = [
    ['actor', id === actorId],
    ['mentioned', now.has(id)],
    ['newly_assigned', details.added?.includes(id) ?? false],
    ['former_assignee', details.removed?.includes(id) ?? false],
    ['assignee', subject?.assignees.some((assignee) => assignee.id === id) ?? false],
    ['author', subject?.authorId === id],
    ['commenter', commented],
    ['mentioned_before', before.has(id)],
    ['subscriber', subscribed === true],
    ['label_subscriber', subscribedToLabel],
    ['unsubscribed', subscribed === false],
  ];
  return new Set(ways.filter(([, holds]) => holds).map(([involvement]) => involvement));
};
