import {
  eventsOfTier,
  isSwitchedOn,
  type EventChoices,
  type NotificationEvent,
} from '../../domain/notifications/notification-event.js';
import { isNotificationLevel, type NotificationLevel } from '../../domain/notifications/notification-level.js';
import {
  DEFAULT_GLOBAL_SETTING,
  DEFAULT_PLACE_SETTING,
  type NotificationSetting,
} from '../../domain/notifications/notification-setting.js';
import { emailKey } from '../../domain/identity/user.js';
import { Invalid, UnknownValue } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { EmailRepository } from '../identity/ports/user-repository.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type {
  NotificationSettingReader,
  NotificationSettingRepository,
  SettingPlace,
} from './ports/notification-setting-ports.js';

export interface ChangeNotificationsCommand {
  readonly level?: string;
  /** Those that were given. */
  readonly events: EventChoices;
}

/** A setting as people see it: every event of the tier, switched on or off. */
export interface ShownSetting {
  readonly level: NotificationLevel;
  readonly events: Readonly<Partial<Record<NotificationEvent, boolean>>>;
}

interface Needs {
  readonly notificationSettings: NotificationSettingRepository;
  readonly emails: EmailRepository;
}

/** What people want to be mailed about ("Notification settings"). */
export class NotificationSettings {
  /** The events of the installation's tier, in the order in which they are shown. */
  readonly events: readonly NotificationEvent[];

  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: NotificationSettingReader,
    private readonly clock: Clock,
    topTier: boolean,
  ) {
    this.events = eventsOfTier(topTier);
  }

  async show(userId: UserId, place: SettingPlace): Promise<ShownSetting> {
    return this.#shown((await this.reader.find(userId, place)) ?? defaultOf(place));
  }

  /** @throws UnknownValue for what is no level. */
  async change(userId: UserId, place: SettingPlace, command: ChangeNotificationsCommand): Promise<ShownSetting> {
    if (!changesAnything(command)) return this.show(userId, place);
    const level = readLevel(command.level);
    return this.unitOfWork.execute(({ notificationSettings }) =>
      this.#save(notificationSettings, userId, place, level, command.events),
    );
  }

  /**
   * Level, events and address at once, or none of them.
   * @param address one of their confirmed ones; case does not count.
   * @throws UnknownValue for what is no level; Invalid at `notification_email`.
   */
  async changeGlobal(
    userId: UserId,
    command: ChangeNotificationsCommand & { readonly address?: string },
  ): Promise<ShownSetting> {
    const { address } = command;
    if (address === undefined) return this.change(userId, { kind: 'global' }, command);
    const level = readLevel(command.level);
    return this.unitOfWork.execute(async ({ notificationSettings, emails }) => {
      const email = (await emails.ofUser(userId)).find(
        (own) => own.confirmedAt !== null && emailKey(own.address) === emailKey(address),
      );
      if (email === undefined) throw new Invalid({ notification_email: ['is not an email you own'] });
      const shown = await this.#save(notificationSettings, userId, { kind: 'global' }, level, command.events);
      await notificationSettings.chooseEmail(userId, email.id);
      return shown;
    });
  }

  async #save(
    settings: NotificationSettingRepository,
    userId: UserId,
    place: SettingPlace,
    level: NotificationLevel | undefined,
    events: EventChoices,
  ): Promise<ShownSetting> {
    const now = this.clock.now();
    const before = await settings.take(userId, place, defaultOf(place), now);
    const after = { level: level ?? before.level, events: { ...before.events, ...events } };
    await settings.save(userId, place, after, now);
    return this.#shown(after);
  }

  #shown({ level, events }: NotificationSetting): ShownSetting {
    return { level, events: Object.fromEntries(this.events.map((event) => [event, isSwitchedOn(events, event)])) };
  }
}

const defaultOf = ({ kind }: SettingPlace): NotificationSetting =>
  kind === 'global' ? DEFAULT_GLOBAL_SETTING : DEFAULT_PLACE_SETTING;

const changesAnything = ({ level, events }: ChangeNotificationsCommand): boolean =>
  level !== undefined || Object.keys(events).length > 0;

const readLevel = (level: string | undefined): NotificationLevel | undefined => {
  if (level === undefined || isNotificationLevel(level)) return level;
  throw new UnknownValue(`'${level}' is not a valid level`);
};
