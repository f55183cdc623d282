import { MAX_MILESTONES_OF_GROUP } from '../../domain/planning/milestone.js';
import { NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { GroupId } from '../../domain/shared/identifiers.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { NamespaceRepository } from '../workspace/ports/namespace-repository.js';
import { check, fieldsOf, type CreateMilestoneCommand, type EditMilestoneCommand } from './milestones.js';
import type { GroupMilestone, GroupMilestoneRepository, NewGroupMilestone } from './ports/group-milestones.js';
import type { MilestoneRepository } from './ports/planning-repositories.js';

interface Needs {
  readonly namespaces: NamespaceRepository;
  readonly milestones: MilestoneRepository;
  readonly groupMilestones: GroupMilestoneRepository;
}

type Manager = Permitted<'manage_group_milestones'>;

/** The milestones of a group, which issues and merge requests of all projects in it and below it can be planned for. */
export class GroupMilestones {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @returns its id. @throws Invalid naming every problem; NotPossible where there are enough; NotFound "Group". */
  async create({ group }: Manager, command: CreateMilestoneCommand): Promise<number> {
    const milestone = { ...fieldsOf(command), createdAt: this.clock.now() };
    return this.unitOfWork.execute(async ({ groupMilestones }) => {
      await hold(groupMilestones, group.id);
      return addTo(groupMilestones, group.id, milestone);
    });
  }

  /** @throws Invalid naming every problem; NotFound "Milestone". */
  async edit({ group }: Manager, id: number, { stateEvent, ...changes }: EditMilestoneCommand): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ groupMilestones }) => {
      const before = await take(groupMilestones, group.id, id);
      const state = stateEvent === undefined ? before.state : stateEvent === 'close' ? 'closed' : 'active';
      const milestone = { ...before, ...changes, state };
      check(milestone);
      await groupMilestones.update(group.id, milestone, at);
    });
  }

  /** What is planned for it stays, in all projects. @throws NotFound "Milestone". */
  async remove({ group }: Manager, id: number): Promise<void> {
    await this.unitOfWork.execute(async ({ groupMilestones }) => {
      await groupMilestones.holdMergeRequests(group.id, id);
      await take(groupMilestones, group.id, id);
      await groupMilestones.remove(id);
    });
  }

  /**
   * Makes a milestone of a project one of the group that the project is in, and with it those of that title of all projects there: what is
   * planned for any of them is planned for this one.
   *
   * @returns its id. @throws NotFound, Invalid where a group further up has one of that title, NotPossible.
   */
  async promote({ project }: Permitted<'manage_milestones'>, { group }: Manager, id: number): Promise<number> {
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ namespaces, milestones, groupMilestones }) => {
      // No project goes out of the group meanwhile: it would take the milestone along, which is not its own.
      await namespaces.takeTrees([group.id]);
      await hold(groupMilestones, group.id);
      const milestone = await milestones.take(project.id, id);
      // Somebody has removed it, or moved the project, since.
      if (milestone === undefined || !(await groupMilestones.holds(group.id, project.id)))
        throw new NotFound('Milestone');
      const { title, description, startDate, dueDate, state } = milestone;
      const promoted =
        (await groupMilestones.findTitled(group.id, title)) ??
        (await addTo(groupMilestones, group.id, { title, description, startDate, dueDate, state, createdAt: at }));
      await groupMilestones.takeOver(group.id, await take(groupMilestones, group.id, promoted), at);
      return promoted;
    });
  }
}

/** @throws NotFound. */
const hold = async (groupMilestones: GroupMilestoneRepository, groupId: GroupId): Promise<void> => {
  if (!(await groupMilestones.hold(groupId))) throw new NotFound('Group');
};

/** @throws NotFound for one that has just been removed, or belongs to another group. */
const take = async (
  groupMilestones: GroupMilestoneRepository,
  groupId: GroupId,
  id: number,
): Promise<GroupMilestone> => {
  const milestone = await groupMilestones.take(groupId, id);
  if (milestone === undefined) throw new NotFound('Milestone');
  return milestone;
};

/** @throws NotPossible, Invalid. */
const addTo = async (
  groupMilestones: GroupMilestoneRepository,
  groupId: GroupId,
  milestone: NewGroupMilestone,
): Promise<number> => {
  if ((await groupMilestones.countOf(groupId)) >= MAX_MILESTONES_OF_GROUP)
    throw new NotPossible(`A group has no more than ${MAX_MILESTONES_OF_GROUP} milestones.`);
  return groupMilestones.add(groupId, milestone);
};
