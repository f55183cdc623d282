import type { Label } from '../../domain/planning/label.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { GroupId } from '../../domain/shared/identifiers.js';
import { userIdOf, type Actor, type UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { requireLabel } from './labels.js';
import type { GroupLabelRepository } from './ports/group-labels.js';
import type { LabelSubscriptionReader, LabelSubscriptionRepository } from './ports/label-subscriptions.js';
import type { LabelRepository } from './ports/planning-repositories.js';

interface Needs {
  readonly labels: LabelRepository;
  readonly groupLabels: GroupLabelRepository;
  readonly labelSubscriptions: LabelSubscriptionRepository;
}

/** Who is told of issues and merge requests that get a label: whoever asks to be. */
export class LabelSubscriptions {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: LabelSubscriptionReader,
    private readonly clock: Clock,
  ) {}

  /** Visitors are not. */
  async isSubscribed(actor: Actor, { id }: Pick<Label, 'id'>): Promise<boolean> {
    const userId = userIdOf(actor);
    return userId !== null && (await this.reader.isSubscribed(id, userId));
  }

  /**
   * Of one of a group whatever gets it in any project is told.
   *
   * @returns false when it is so already. @throws NotFound "Label" for one that has just been removed.
   */
  async change(
    { id: userId }: Pick<UserActor, 'id'>,
    { project }: Permitted<'read_labels' | 'manage_labels'>,
    { id }: Pick<Label, 'id'>,
    subscribed: boolean,
  ): Promise<boolean> {
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ labels, labelSubscriptions }) => {
      await requireLabel(labels, project.id, id);
      return subscribed ? labelSubscriptions.add(id, userId, at) : labelSubscriptions.remove(id, userId);
    });
  }

  /** The same of a label of a group, or of one above it. */
  async changeInGroup(
    { id: userId }: Pick<UserActor, 'id'>,
    { groupId, id }: { readonly groupId: GroupId; readonly id: Label['id'] },
    subscribed: boolean,
  ): Promise<boolean> {
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ groupLabels, labelSubscriptions }) => {
      if ((await groupLabels.find(groupId, { id })) === undefined) throw new NotFound('Label');
      return subscribed ? labelSubscriptions.add(id, userId, at) : labelSubscriptions.remove(id, userId);
    });
  }
}
