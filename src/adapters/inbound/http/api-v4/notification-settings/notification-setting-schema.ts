import { Type } from '@sinclair/typebox';
import type { ShownSetting } from '../../../../../application/notifications/notification-settings.js';
import type { EffectiveNotification } from '../../../../../application/notifications/effective-notification.js';
import type { NotificationEvent } from '../../../../../domain/notifications/notification-event.js';
import { NOTIFICATION_LEVELS } from '../../../../../domain/notifications/notification-level.js';
import { component } from '../../openapi/component.js';
import { nullable, oneOf } from '../../validation/parameters.js';

const LEVEL = oneOf(NOTIFICATION_LEVELS);

const settingProperties = (events: readonly NotificationEvent[]) => ({
  level: LEVEL,
  events: Type.Optional(
    Type.Object(Object.fromEntries(events.map((event) => [event, Type.Boolean()])), {
      description: 'Where the level is `custom`',
      additionalProperties: false,
    }),
  ),
});

export const settingSchema = (events: readonly NotificationEvent[]) =>
  component('schemas/NotificationSetting', Type.Object(settingProperties(events), { additionalProperties: false }));

export const globalSettingSchema = (events: readonly NotificationEvent[]) =>
  component(
    'schemas/GlobalNotificationSetting',
    Type.Object(
      { ...settingProperties(events), notification_email: nullable(Type.String()) },
      { additionalProperties: false },
    ),
  );

export const presentSetting = ({ level, events }: ShownSetting) => ({
  level,
  ...(level === 'custom' ? { events } : {}),
});

export const EffectiveSchema = component(
  'schemas/EffectiveNotification',
  Type.Object({
    event: Type.String(),
    involvement: Type.String(),
    level: Type.String({ description: 'The level that counts' }),
    decided_by: Type.Object({
      kind: oneOf(['global', 'group', 'project']),
      id: nullable(Type.Integer()),
      full_path: nullable(Type.String()),
    }),
    notified: Type.Boolean(),
    reason: Type.String({ description: 'Why, or why not' }),
  }),
);

export const presentEffective = (
  event: string,
  involvement: string,
  { level, decidedBy, decision }: EffectiveNotification,
) => ({
  event,
  involvement,
  level,
  decided_by: { kind: decidedBy.kind, id: decidedBy.id, full_path: decidedBy.fullPath },
  notified: decision.outcome === 'mailed',
  reason: decision.reason,
});
