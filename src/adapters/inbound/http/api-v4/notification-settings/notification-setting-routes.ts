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
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { EventChoices, NotificationEvent } from '../../../../../domain/notifications/notification-event.js';
import type { Involvement } from '../../../../../domain/notifications/notification-policy.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import type { Actor } from '../../../../../application/shared/actor.js';
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

const TAG = 'Notification settings';
const SINCE = '8.12';
const PATH = '/notification_settings';
const LEVEL_HELP = 'disabled, participating, watch, global, mention or custom';
/** Longer than any address may be, so that what is too long is refused as what it is: none of the caller's. */
const LONGEST_ADDRESS = 1_000;

/** How the caller is taken to be involved when he asks what he would get. */
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

const switches = (events: readonly NotificationEvent[]) =>
  Object.fromEntries(events.map((event) => [event, Type.Optional(Type.Boolean())])) as Record<
    NotificationEvent,
    TOptional<TBoolean>
  >;

export const createNotificationSettingRoutes = (parts: NotificationSettingRoutesParts): readonly Route[] => {
  const { access, notificationSettings, notificationSettingReader, effectiveNotifications } = parts;
  const { events } = notificationSettings;
  const level = Type.Optional(text(LONGEST_ADDRESS, LEVEL_HELP));
  const SettingSchema = settingSchema(events);
  const GlobalSchema = globalSettingSchema(events);

  /** The level and the switches that were given; everything else of the parameters is left out. */
  const readCommand = ({ level: asked, ...given }: EventChoices & { readonly level?: string }) => ({
    ...(asked === undefined ? {} : { level: asked }),
    events: Object.fromEntries(
      events.filter((event) => given[event] !== undefined).map((event) => [event, given[event]]),
    ) as EventChoices,
  });

  const getGlobal = route({
    method: 'get',
    path: PATH,
    operationId: 'getNotificationSettings',
    summary: 'Your global notification settings',
    description: '`events` is there where the level is `custom`.',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({}),
    responses: { 200: GlobalSchema },
    handle: async ({ actor }) => ({
      body: {
        ...presentSetting(await notificationSettings.show(actor.id, { kind: 'global' })),
        notification_email: await notificationSettingReader.notificationEmail(actor.id),
      },
    }),
  });

  const putGlobal = route({
    method: 'put',
    path: PATH,
    operationId: 'editNotificationSettings',
    summary: 'Change your global notification settings',
    description: 'Events may be switched at any level; they count, and are shown, at `custom`.',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({
      level,
      notification_email: Type.Optional(text(LONGEST_ADDRESS, 'One of your confirmed addresses')),
      ...switches(events),
    }),
    responses: { 200: GlobalSchema },
    handle: async ({ actor, parameters: { notification_email: address, ...given } }) => {
      const command = { ...readCommand(given), ...(address === undefined ? {} : { address }) };
      const setting = await notificationSettings.changeGlobal(actor.id, command);
      return {
        body: {
          ...presentSetting(setting),
          notification_email: await notificationSettingReader.notificationEmail(actor.id),
        },
      };
    },
  });

  const effectiveParameters = {
    event: oneOf(events),
    involvement: oneOf(INVOLVEMENTS, {
      default: 'participating',
      description:
        'How you would be involved: `participating` (author, assignee or commenter, say), `mentioned` in what is written, ' +
        '`subscribed` to or `unsubscribed` from the issue, or `none`',
    }),
  };
  const effectiveWords = {
    tag: TAG,
    description: 'Which of your settings decides, whether you would be mailed, and the reason in one word.',
    access: 'user',
    responses: { 200: EffectiveSchema },
  } as const;

  const getGlobalEffective = route({
    ...effectiveWords,
    method: 'get',
    path: `${PATH}/effective`,
    operationId: 'getEffectiveNotification',
    summary: 'Whether you would be mailed about an event where no group or project has a setting of its own',
    parameters: parameters(effectiveParameters),
    handle: async ({ actor, parameters: { event, involvement } }) => ({
      body: presentEffective(
        event,
        involvement,
        await effectiveNotifications.ask(actor.id, {}, event, INVOLVED[involvement]),
      ),
    }),
  });

  const routesOf = (kind: 'group' | 'project'): readonly Route[] => {
    const Kind = kind === 'group' ? 'Group' : 'Project';
    const id = pathId(`Number, or URL-encoded path of the ${kind}`);
    const base = `/${kind}s/:id${PATH}`;
    const guard = async ({ actor, path }: { readonly actor: Actor; readonly path: PathParameters }): Promise<Asked> => {
      if (kind === 'group') {
        const { group } = await access.group(actor, path['id'], 'read_group');
        return { place: { kind: 'group', id: group.id }, asked: { namespaceId: group.id } };
      }
      const { project } = await access.project(actor, path['id'], 'read_project');
      return { place: { kind: 'project', id: project.id }, asked: { project, namespaceId: project.namespace.id } };
    };

    return [
      route({
        method: 'get',
        path: base,
        operationId: `get${Kind}NotificationSettings`,
        summary: `Your notification settings for a ${kind} that you may see`,
        tag: TAG,
        since: SINCE,
        access: 'user',
        parameters: parameters({ id }),
        responses: { 200: SettingSchema },
        guard,
        handle: async ({ actor, subject }) => ({
          body: presentSetting(await notificationSettings.show(actor.id, subject.place)),
        }),
      }),
      route({
        method: 'put',
        path: base,
        operationId: `edit${Kind}NotificationSettings`,
        summary: `Change your notification settings for a ${kind} that you may see`,
        tag: TAG,
        since: SINCE,
        access: 'user',
        parameters: parameters({ id, level, ...switches(events) }),
        responses: { 200: SettingSchema },
        guard,
        handle: async ({ actor, subject, parameters: { id: _id, ...given } }) => {
          const setting = await notificationSettings.change(actor.id, subject.place, readCommand(given));
          return { body: presentSetting(setting) };
        },
      }),
      route({
        ...effectiveWords,
        method: 'get',
        path: `${base}/effective`,
        operationId: `getEffective${Kind}Notification`,
        summary: `Whether you would be mailed about an event in a ${kind}`,
        parameters: parameters({ id, ...effectiveParameters }),
        guard,
        handle: async ({ actor, subject, parameters: { event, involvement } }) => ({
          body: presentEffective(
            event,
            involvement,
            await effectiveNotifications.ask(actor.id, subject.asked, event, INVOLVED[involvement]),
          ),
        }),
      }),
    ];
  };

  return [getGlobal, putGlobal, getGlobalEffective, ...routesOf('group'), ...routesOf('project')];
};
