import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import type { SubjectReader } from '../collaboration/ports/subject-ports.js';
import type { SubscriptionRepository } from '../collaboration/ports/subscription-ports.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { DEFAULT_PLACE_SETTING } from '../../domain/notifications/notification-setting.js';
import type { NotificationSettingRepository } from './ports/notification-setting-ports.js';
import type { UnsubscribeLinks, UnsubscribeTarget } from './unsubscribe-links.js';

interface Needs {
  readonly users: UserRepository;
  readonly subjects: SubjectReader;
  readonly subscriptions: SubscriptionRepository;
  readonly notificationSettings: NotificationSettingRepository;
}

/** Ends mail by a link that came with one, without signing in (RFC 8058). */
export class Unsubscribe {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly links: UnsubscribeLinks,
    private readonly projectIsThere: (id: ProjectId) => Promise<boolean>,
    private readonly clock: Clock,
  ) {}

  /** What a link would end; undefined when it is not ours. */
  look(token: string): UnsubscribeTarget | undefined {
    return this.links.read(token);
  }

  /** The same however often it is asked for. Undefined when the link is not ours. */
  async execute(token: string): Promise<UnsubscribeTarget | undefined> {
    const target = this.links.read(token);
    if (target === undefined || !(await this.projectIsThere(target.projectId))) return target;
    await this.unitOfWork.execute((repositories) => this.#end(repositories, target));
    return target;
  }

  async #end(repositories: Needs, { userId, projectId, subjectId }: UnsubscribeTarget): Promise<void> {
    const { users, subjects, subscriptions, notificationSettings } = repositories;
    const now = this.clock.now();
    if ((await users.find(userId)) === undefined) return;
    if (subjectId !== undefined) {
      if ((await subjects.find(subjectId)) !== undefined) await subscriptions.save(subjectId, userId, false, now);
      return;
    }
    const place = { kind: 'project', id: projectId } as const;
    const before = await notificationSettings.take(userId, place, DEFAULT_PLACE_SETTING, now);
    await notificationSettings.save(userId, place, { ...before, level: 'disabled' }, now);
  }
}
