import { maySeeIssue } from '../../domain/planning/issue.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { decideAccess } from '../../domain/workspace/workspace-policy.js';
import { mentionedNames } from '../../domain/notifications/mentions.js';
import {
  decideAlertNotification,
  decideNotification,
  type Involvement,
  type NotificationDecision,
} from '../../domain/notifications/notification-policy.js';
import { effectiveSetting } from '../../domain/notifications/notification-setting.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Audience, Person, Subject } from './ports/audience-ports.js';
import type { Cause, CauseKind } from './ports/cause-ports.js';

/** Who is named where: in what was just written, and in all of the issue. */
export interface Named {
  readonly now: ReadonlySet<UserId>;
  readonly before: ReadonlySet<UserId>;
}

const SEARCHED_TEXTS = 200;
const MAX_NAMES = 200;

/** Finds out who is named in an issue and its comments. */
export const findNamed = async (audience: Audience, cause: Cause, { issue, note }: Subject): Promise<Named> => {
  if (issue === null) return { now: new Set(), before: new Set() };
  const written = cause.kind === 'new_issue' ? issue.description : cause.kind === 'new_note' ? (note?.body ?? '') : '';
  const texts = await audience.textsWithNames(cause, SEARCHED_TEXTS);
  const names = [...new Set(texts.flatMap(mentionedNames))].slice(0, MAX_NAMES);
  return {
    now: new Set(await audience.idsOfNames(mentionedNames(written))),
    before: new Set(await audience.idsOfNames(names)),
  };
};

/** People who are concerned beyond those that the audience finds by itself. */
export const alsoConcerned = ({ details }: Cause, { now, before }: Named): readonly UserId[] => [
  ...new Set([...now, ...before, ...(details.added ?? []), ...(details.removed ?? [])]),
];

/** Whether somebody may read what a mail would tell him, as things stand now. */
export const mayRead = (person: Person, cause: Cause, { project, issue }: Subject): boolean => {
  if (!person.active) return false;
  if (isOfAlert(cause.kind)) return person.level >= ACCESS_LEVEL.maintainer;
  const asker = { signedIn: true, admin: person.admin };
  if (decideAccess(asker, project.visibility, person.level, ACCESS_LEVEL.guest) !== 'granted') return false;
  if (issue === null || person.admin) return true;
  const assigned = issue.assignees.some(({ id }) => id === person.id);
  return maySeeIssue(issue, { userId: person.id, level: person.level, assigned });
};

/** Whether somebody is mailed about a cause, and why, or why not. */
export const decideMail = (person: Person, cause: Cause, subject: Subject, named: Named): NotificationDecision => {
  const setting = effectiveSetting(person.settings);
  const { kind: event } = cause;
  if (isOfAlert(event)) return decideAlertNotification(setting.level, person.id === cause.actorId);
  return decideNotification({ event, involvement: involvementOf(person, cause, subject, named), setting });
};

type KindOfAlert = 'alert_opened' | 'alert_resolved';

const isOfAlert = (kind: CauseKind): kind is KindOfAlert => kind === 'alert_opened' || kind === 'alert_resolved';

const involvementOf = (
  { id, commented, subscribed }: Person,
  { actorId, details }: Cause,
  { issue }: Subject,
  { now, before }: Named,
): ReadonlySet<Involvement> => {
  const ways: readonly (readonly [Involvement, boolean])[] = [
    ['actor', id === actorId],
    ['mentioned', now.has(id)],
    ['newly_assigned', details.added?.includes(id) ?? false],
    ['former_assignee', details.removed?.includes(id) ?? false],
    ['assignee', issue?.assignees.some((assignee) => assignee.id === id) ?? false],
    ['author', issue?.authorId === id],
    ['commenter', commented],
    ['mentioned_before', before.has(id)],
    ['subscriber', subscribed === true],
    ['unsubscribed', subscribed === false],
  ];
  return new Set(ways.filter(([, holds]) => holds).map(([involvement]) => involvement));
};
