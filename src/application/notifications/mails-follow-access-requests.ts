import { effectiveSetting } from '../../domain/notifications/notification-setting.js';
import { ACCESS_LEVEL_NAMES, type AccessLevel } from '../../domain/shared/access-level.js';
import { GROUP_PERMISSIONS, PROJECT_PERMISSIONS } from '../../domain/workspace/workspace-policy.js';
import type { AccessRequestEvent, DomainEvent, SetFollower } from '../shared/domain-events.js';
import type { AccessTemplate, MailQueue } from '../shared/ports/mail-queue.js';
import { mailExpiry } from './mail-lifetime.js';
import type { RequestPeople, RequestPerson } from './ports/request-people.js';

interface Needs {
  readonly requestPeople: RequestPeople;
  readonly mailQueue: MailQueue;
}

/** Hundreds may decide in a large group; that somebody asks is no news for all of them. */
const MOST_TOLD = 10;
/** Of so many those are looked for who are told. */
const MOST_LOOKED_AT = 100;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const isOfRequest = (event: DomainEvent): event is AccessRequestEvent =>
  event.kind === 'access_requested' || event.kind === 'access_granted' || event.kind === 'access_denied';

/** Who may decide is told that somebody asks for access, and who asked is told what came of it. */
export const mailsFollowAccessRequests: SetFollower<Needs> = {
  follow: async (events, repositories) => {
    for (const event of events.filter(isOfRequest)) await tell(event, repositories);
  },
};

const tell = async (event: AccessRequestEvent, repositories: Needs): Promise<void> => {
  if (event.kind === 'access_requested' && event.again) return;
  const { requestPeople } = repositories;
  const path = await requestPeople.pathOf(event.place);
  // It may have been hidden, and called otherwise, since they asked: then they are told nothing.
  const requester = await requestPeople.find(event.place, event.requesterId, dayOf(event.at));
  if (path === undefined || requester === undefined) return;
  const words = { kind: event.place.kind, path, requester: `${requester.name} (@${requester.username})` };
  const role = event.kind === 'access_granted' ? ACCESS_LEVEL_NAMES[event.accessLevel as AccessLevel] : '';
  const told = event.kind === 'access_requested' ? await decidersOf(event, requestPeople) : [requester];
  for (const person of told.filter(wantsToKnow).slice(0, MOST_TOLD))
    await enqueue(repositories, person, { template: event.kind, content: { ...words, role }, at: event.at });
};

const decidersOf = ({ place, at }: AccessRequestEvent, people: RequestPeople): Promise<readonly RequestPerson[]> => {
  const level =
    place.kind === 'project' ? PROJECT_PERMISSIONS.manage_project_members : GROUP_PERMISSIONS.manage_group_members;
  return people.deciders(place, { level, today: dayOf(at), limit: MOST_LOOKED_AT });
};

/** Whatever else they chose, but for nothing at all; as of alerts. */
const wantsToKnow = ({ settings, address }: RequestPerson): boolean =>
  address !== null && effectiveSetting(settings).level !== 'disabled';

const enqueue = async (
  { mailQueue }: Needs,
  { name, address }: RequestPerson,
  mail: {
    readonly template: AccessTemplate;
    readonly content: Readonly<Record<string, string>>;
    readonly at: Date;
  },
): Promise<void> => {
  const { template, content, at } = mail;
  await mailQueue.enqueue({
    ...{ recipient: address ?? '', template, content: { ...content, name } },
    ...{ createdAt: at, expiresAt: mailExpiry(at) },
  });
};
