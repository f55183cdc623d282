import { Type, type TBoolean, type TOptional } from '@sinclair/typebox';
import type {
  AskedPlace,
  EffectiveNotifications,
} from '../../../../../application/notifications/effective-notification.js';
import type { NotificationSettings } from '../../../../../application/notifications/notification-settings.js';
import type {
  NotificationSettingReader,
  SettingPlace,
} from '../../../../../application/notifications/ports/notification-setting-ports.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { EventChoices, NotificationEvent } from '../../../../../domain/notifications/notification-event.js';
import type { Involvement } from '../../../../../domain/notifications/notification-policy.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Guard, GuardContext, Route } from '../../route.js';
import { oneOf, text } from '../../validation/parameters.js';
import {
  EffectiveSchema,
  globalSettingSchema,
  presentEffective,
  presentSetting,
  settingSchema,
} from './notification-setting-schema.js';

export interface NotificationSettingRoutesParts {
  readonly access: WorkspaceAccess;
  readonly notificationSettings: NotificationSettings;
  readonly notificationSettingReader: NotificationSettingReader;
  readonly effectiveNotifications: EffectiveNotifications;
}
type Parts = NotificationSettingRoutesParts;

const PATH = '/notification_settings';
const LEVEL_HELP = 'disabled, participating, watch, global, mention or custom';
/** Longer than any address may be, so that what is too long is refused as what it is: none of the caller's. */
const LONGEST_ADDRESS = 1_000;

/** How the caller is taken to be involved when they ask what they would get. */
const INVOLVEMENTS = ['participating', 'mentioned', 'subscribed', 'unsubscribed', 'none'] as const;
const INVOLVED: Readonly<Record<(typeof INVOLVEMENTS)[number], ReadonlySet<Involvement>>> = {
  participating: new Set(['commenter']),
  mentioned: new Set(['mentioned']),
  subscribed: new Set(['subscriber']),
  unsubscribed: new Set(['commenter', 'unsubscribed']),
  none: new Set(),
};

/** Where the settings of a request count, and what is asked about it. */
interface Asked {
  readonly place: SettingPlace;
  readonly asked: AskedPlace;
}

/** Groups and projects have their settings at like addresses. */
interface Place {
  readonly kind: 'group' | 'project';
  readonly name: 'Group' | 'Project';
  readonly id: typeof GROUP_ID;
  readonly find: Guard<Asked>;
}

interface PartsOfPlace extends Parts {
  readonly place: Place;
}

const settings = routesOf({ tag: 'Notification settings', since: '8.12' });
const effective = routesOf({ tag: 'Notification settings' });

const levelAndSwitches = (events: readonly NotificationEvent[]) => ({
  level: Type.Optional(text(LONGEST_ADDRESS, LEVEL_HELP)),
  ...(Object.fromEntries(events.map((event) => [event, Type.Optional(Type.Boolean())])) as Record<
    NotificationEvent,
    TOptional<TBoolean>
  >),
});

/** The level and the switches that were given; everything else of the parameters is left out. */
const commandIn = (
  events: readonly NotificationEvent[],
  { level, ...sent }: EventChoices & { readonly level?: string },
) => ({
  ...given({ level }),
  events: Object.fromEntries(
    events.filter((event) => sent[event] !== undefined).map((event) => [event, sent[event]]),
  ) as EventChoices,
});

type ShownSetting = Parameters<typeof presentSetting>[0];

const presentGlobal = async ({ notificationSettingReader }: Parts, { id }: UserActor, setting: ShownSetting) => ({
  ...presentSetting(setting),
  notification_email: await notificationSettingReader.notificationEmail(id),
});

export const getNotificationSettings = (parts: Parts) =>
  settings.get(PATH, 'getNotificationSettings', {
    summary: 'Your global notification settings',
    description: '`events` is there where the level is `custom`.',
    access: 'user',
    parameters: {},
    answer: globalSettingSchema(parts.notificationSettings.events),
    handle: async ({ actor }) =>
      presentGlobal(parts, actor, await parts.notificationSettings.show(actor.id, { kind: 'global' })),
  });

export const editNotificationSettings = (parts: Parts) => {
  const { notificationSettings } = parts;
  const { events } = notificationSettings;
  const { level, ...switches } = levelAndSwitches(events);
  return settings.put(PATH, 'editNotificationSettings', {
    summary: 'Change your global notification settings',
    description: 'Events may be switched at any level; they count, and are shown, at `custom`.',
    access: 'user',
    parameters: {
      level,
      notification_email: Type.Optional(text(LONGEST_ADDRESS, 'One of your confirmed addresses')),
      ...switches,
    },
    answer: globalSettingSchema(events),
    handle: async ({ actor, parameters: { notification_email: address, ...sent } }) => {
      const command = { ...commandIn(events, sent), ...given({ address }) };
      return presentGlobal(parts, actor, await notificationSettings.changeGlobal(actor.id, command));
    },
  });
};

const EFFECTIVE = {
  description: 'Which of your settings decides, whether you would be mailed, and the reason in one word.',
  access: 'user',
  answer: EffectiveSchema,
} as const;

const aboutEvent = (events: readonly NotificationEvent[]) => ({
  event: oneOf(events),
  involvement: oneOf(INVOLVEMENTS, {
    default: 'participating',
    description:
      'How you would be involved: `participating` (author, assignee or commenter, say), `mentioned` in what is written, ' +
      '`subscribed` to or `unsubscribed` from the issue, or `none`',
  }),
});

interface Question {
  readonly event: NotificationEvent;
  readonly involvement: (typeof INVOLVEMENTS)[number];
}

const answerTo = async (
  { effectiveNotifications }: Parts,
  { id }: UserActor,
  place: AskedPlace,
  { event, involvement }: Question,
) => {
  const found = await effectiveNotifications.ask(id, place, event, INVOLVED[involvement]);
  return presentEffective(event, involvement, found);
};

export const getEffectiveNotification = (parts: Parts) =>
  effective.get(`${PATH}/effective`, 'getEffectiveNotification', {
    ...EFFECTIVE,
    summary: 'Whether you would be mailed about an event where no group or project has a setting of its own',
    parameters: aboutEvent(parts.notificationSettings.events),
    handle: ({ actor, parameters: question }) => answerTo(parts, actor, {}, question),
  });

export const getSettingsOfPlace = ({ place, notificationSettings }: PartsOfPlace) =>
  settings.get(`/${place.kind}s/:id${PATH}`, `get${place.name}NotificationSettings`, {
    summary: `Your notification settings for a ${place.kind} that you may see`,
    access: 'user',
    parameters: { id: place.id },
    answer: settingSchema(notificationSettings.events),
    guard: place.find,
    handle: async ({ actor, subject }) => presentSetting(await notificationSettings.show(actor.id, subject.place)),
  });

export const editSettingsOfPlace = ({ place, notificationSettings }: PartsOfPlace) => {
  const { events } = notificationSettings;
  return settings.put(`/${place.kind}s/:id${PATH}`, `edit${place.name}NotificationSettings`, {
    summary: `Change your notification settings for a ${place.kind} that you may see`,
    access: 'user',
    parameters: { id: place.id, ...levelAndSwitches(events) },
    answer: settingSchema(events),
    guard: place.find,
    handle: async ({ actor, subject, parameters: { id: _id, ...sent } }) =>
      presentSetting(await notificationSettings.change(actor.id, subject.place, commandIn(events, sent))),
  });
};

export const getEffectiveInPlace = (parts: PartsOfPlace) =>
  effective.get(`/${parts.place.kind}s/:id${PATH}/effective`, `getEffective${parts.place.name}Notification`, {
    ...EFFECTIVE,
    summary: `Whether you would be mailed about an event in a ${parts.place.kind}`,
    parameters: { id: parts.place.id, ...aboutEvent(parts.notificationSettings.events) },
    guard: parts.place.find,
    handle: ({ actor, subject, parameters: question }) => answerTo(parts, actor, subject.asked, question),
  });

const placesOf = ({ access }: Parts): readonly Place[] => {
  const [readGroup, readProject] = [inGroup(access, 'read_group'), inProject(access, 'read_project')];
  const findGroup = async (context: GuardContext): Promise<Asked> => {
    const { group } = await readGroup.decide(context);
    return { place: { kind: 'group', id: group.id }, asked: { namespaceId: group.id } };
  };
  const findProject = async (context: GuardContext): Promise<Asked> => {
    const { project } = await readProject.decide(context);
    return { place: { kind: 'project', id: project.id }, asked: { project, namespaceId: project.namespace.id } };
  };
  return [
    { kind: 'group', name: 'Group', id: GROUP_ID, find: { decide: findGroup } },
    { kind: 'project', name: 'Project', id: PROJECT_ID, find: { decide: findProject } },
  ];
};

export const createNotificationSettingRoutes = (parts: Parts): readonly Route[] => [
  getNotificationSettings(parts),
  editNotificationSettings(parts),
  getEffectiveNotification(parts),
  ...placesOf(parts).flatMap((place) =>
    [getSettingsOfPlace, editSettingsOfPlace, getEffectiveInPlace].map((make) => make({ ...parts, place })),
  ),
];
