import {
  checkBadge,
  requireRoomForBadge,
  type Badge,
  type BadgeFields,
  type BadgePlace,
} from '../../domain/badges/badge.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { BadgeRepository } from './ports/badge-ports.js';

/** The project or group whose badges a caller may change. */
export type BadgeHolder = Permitted<'manage_badges'> | Permitted<'manage_group_badges'>;

interface Needs {
  readonly badges: BadgeRepository;
}

const placeOfBadges = (holder: BadgeHolder): BadgePlace =>
  'project' in holder ? { kind: 'project', id: holder.project.id } : { kind: 'group', id: holder.group.id };

/** The badges that people put on the pages of projects, one by one or for all below a group. */
export class Badges {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @throws Invalid; Unprocessable for one more than a place may have. */
  async add(holder: BadgeHolder, fields: BadgeFields): Promise<Badge> {
    checkBadge(fields);
    const place = placeOfBadges(holder);
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ badges }) => {
      requireRoomForBadge(place, await badges.holdCount(place));
      return badges.add(place, fields, at);
    });
  }

  /** @throws Invalid; NotFound "Badge" for one that is gone, or of another place. */
  async change(holder: BadgeHolder, badge: Badge, changes: Partial<BadgeFields>): Promise<Badge> {
    checkBadge({ ...badge, ...changes });
    const changed = await this.unitOfWork.execute(({ badges }) =>
      badges.update(placeOfBadges(holder), badge.id, changes),
    );
    if (changed === undefined) throw new NotFound('Badge');
    return changed;
  }

  /** @throws NotFound "Badge". */
  async remove(holder: BadgeHolder, { id }: Badge): Promise<void> {
    const removed = await this.unitOfWork.execute(({ badges }) => badges.remove(placeOfBadges(holder), id));
    if (!removed) throw new NotFound('Badge');
  }
}
