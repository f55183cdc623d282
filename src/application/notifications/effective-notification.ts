import type { NotificationEvent } from '../../domain/notifications/notification-event.js';
import { decideNotification, type Involvement } from '../../domain/notifications/notification-policy.js';
import type { NotificationDecision } from '../../domain/notifications/notification-policy.js';
import { effectiveSetting, type EffectiveSetting } from '../../domain/notifications/notification-setting.js';
import type { NamespaceId, ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { NotificationSettingReader } from './ports/notification-setting-ports.js';

/** The place that is asked about: a project with the namespace that holds it, a group, or neither. */
export interface AskedPlace {
  readonly project?: { readonly id: ProjectId; readonly fullPath: string };
  readonly namespaceId?: NamespaceId;
}

/** Where the setting that counted was made. */
export interface DecidingPlace {
  readonly kind: 'global' | 'group' | 'project';
  readonly id: number | null;
  readonly fullPath: string | null;
}

export interface EffectiveNotification {
  readonly level: EffectiveSetting['level'];
  readonly decidedBy: DecidingPlace;
  readonly decision: NotificationDecision;
}

/** What somebody would be mailed, and which of their settings decides. */
export class EffectiveNotifications {
  constructor(private readonly reader: NotificationSettingReader) {}

  async ask(
    userId: UserId,
    { project, namespaceId }: AskedPlace,
    event: NotificationEvent,
    involvement: ReadonlySet<Involvement>,
  ): Promise<EffectiveNotification> {
    const ofProject = project && (await this.reader.find(userId, { kind: 'project', id: project.id }));
    const groups = namespaceId === undefined ? [] : await this.reader.groupSettings(userId, namespaceId);
    const global = await this.reader.find(userId, { kind: 'global' });
    const setting = effectiveSetting({
      groups,
      ...(ofProject === undefined ? {} : { project: ofProject }),
      ...(global === undefined ? {} : { global }),
    });
    return {
      level: setting.level,
      decidedBy: decidingPlace(setting.decidedBy, project, groups),
      decision: decideNotification({ event, involvement, setting }),
    };
  }
}

const decidingPlace = (
  decidedBy: EffectiveSetting['decidedBy'],
  project: AskedPlace['project'],
  groups: Awaited<ReturnType<NotificationSettingReader['groupSettings']>>,
): DecidingPlace => {
  const { kind } = decidedBy;
  if (kind === 'project') return { kind, id: project?.id ?? null, fullPath: project?.fullPath ?? null };
  const group = kind === 'group' ? groups.find(({ groupId }) => groupId === decidedBy.groupId) : undefined;
  return { kind, id: group?.groupId ?? null, fullPath: group?.fullPath ?? null };
};
