import { identifierIn, type GroupId, type NamespaceId, type ProjectId } from '../../domain/shared/identifiers.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import type { Group, Project } from '../../domain/workspace/namespace.js';
import {
  decideAccess,
  decideInProject,
  GROUP_PERMISSIONS,
  isPossibleIn,
  type AccessDecision,
  type Asker,
  type GroupPermission,
  type ProjectPermission,
} from '../../domain/workspace/workspace-policy.js';
import { Archived, Forbidden, NotFound, SwitchedOff } from '../../domain/shared/domain-error.js';
import { ANONYMOUS, isAdmin, type Actor } from '../shared/actor.js';
import type { PermittedGroup, PermittedNamespace, PermittedProject } from '../shared/permitted.js';
import { together } from '../shared/together.js';
import type { Clock } from '../shared/ports/clock.js';
import type { ProjectLevels, Viewer, WorkspaceReader } from './ports/workspace-readers.js';
import { viewerOf } from './operations/viewer-of.js';

/** What is open to a machine that stands for nobody: one with a deploy key, or a deploy token. */
export interface LevelsOfMachine {
  /** Its access level in a project; 0 where it isn't let in. */
  levelIn(project: Project): Promise<number>;
}

const NO_LEVELS: ProjectLevels = { directLevel: ACCESS_LEVEL.none, groupLevel: ACCESS_LEVEL.none };

/** Who may do what where. What the caller may not see does not exist for them. */
export class WorkspaceAccess {
  constructor(
    private readonly reader: WorkspaceReader,
    private readonly clock: Clock,
  ) {}

  viewer(actor: Actor): Viewer {
    return viewerOf(actor, this.clock);
  }

  /**
   * @param id the number, or the full path with at least one slash.
   * @throws NotFound "Project"; Forbidden; Archived and SwitchedOff, which are some, where nobody may do it: the project is archived, or
   * has no such feature.
   */
  async project<P extends ProjectPermission>(
    actor: Actor,
    id: string | undefined,
    permission: P,
  ): Promise<PermittedProject<P>> {
    const [project, levels] = await together([
      this.#findProject(id ?? ''),
      this.#findLevels(this.viewer(actor), id ?? ''),
    ]);
    if (project === undefined) throw new NotFound('Project');
    return this.#permit(actor, { project, ...levels }, permission);
  }

  /**
   * Another permission in a project that somebody was let into, as things stood when they were: nothing is read again.
   * @throws as `project`.
   */
  also<P extends ProjectPermission>(
    actor: Actor,
    { project, directLevel, groupLevel }: PermittedProject<ProjectPermission>,
    permission: P,
  ): PermittedProject<P> {
    return this.#permit(actor, { project, directLevel, groupLevel }, permission);
  }

  /** The same where they may; undefined where they may not. */
  alsoWhere<P extends ProjectPermission>(
    actor: Actor,
    permitted: PermittedProject<ProjectPermission>,
    permission: P,
  ): PermittedProject<P> | undefined {
    const { project, directLevel, groupLevel } = permitted;
    const level = Math.max(directLevel, groupLevel);
    const may = decideInProject(askerOf(actor), project, level, permission) === 'granted';
    return may && isPossibleIn(project, permission) ? this.also(actor, permitted, permission) : undefined;
  }

  /**
   * A project for somebody who may read its code, and was invited to push to some branches: their level is what it is.
   * @throws as `project`; Forbidden for who wasn't.
   */
  async invitedProject(
    actor: Actor,
    id: string,
    isInvited: (project: Project) => Promise<boolean>,
  ): Promise<PermittedProject<'push_code'>> {
    const readable = await this.project(actor, id, 'read_code');
    if (!(await isInvited(readable.project))) throw new Forbidden();
    if (!isPossibleIn(readable.project, 'push_code')) throw new Archived();
    const { project, level, directLevel, groupLevel } = readable;
    // eslint-disable-next-line no-restricted-syntax -- decided above
    return { project, level, directLevel, groupLevel } as PermittedProject<'push_code'>;
  }

  /**
   * A project for a machine: what it opens, and what is open to everybody.
   * @param id the number, or the full path.
   * @throws as `project`.
   */
  async projectForMachine<P extends 'read_code' | 'push_code' | 'read_packages' | 'write_packages'>(
    machine: LevelsOfMachine,
    id: string,
    permission: P,
  ): Promise<PermittedProject<P>> {
    const project = await this.#findProject(id);
    if (project === undefined) throw new NotFound('Project');
    const level = await machine.levelIn(project);
    requireGranted(decideInProject(askerOf(ANONYMOUS), project, level, permission), 'Project');
    if (!isPossibleIn(project, permission)) throw new Archived();
    // eslint-disable-next-line no-restricted-syntax -- decided above
    return { project, directLevel: level, groupLevel: 0, level } as PermittedProject<P>;
  }

  /**
   * @param id the number, or the full path.
   * @throws NotFound "Group", Forbidden.
   */
  async group<P extends GroupPermission>(
    actor: Actor,
    id: string | undefined,
    permission: P,
  ): Promise<PermittedGroup<P>> {
    const group = await this.#findGroup(id ?? '');
    if (group === undefined) throw new NotFound('Group');
    const viewer = this.viewer(actor);
    const level = viewer.userId === null ? 0 : await this.reader.namespaceLevel(viewer, group.id);
    requireGranted(decideAccess(askerOf(actor), group.visibility, level, GROUP_PERMISSIONS[permission]), 'Group');
    // eslint-disable-next-line no-restricted-syntax -- decided above
    return { group, level: viewer.admin ? ACCESS_LEVEL.owner : level } as PermittedGroup<P>;
  }

  /**
   * Where somebody may create projects: their own namespace, or a group.
   * @throws NotFound "Namespace", Forbidden.
   */
  async namespaceForProjects(actor: Actor, id: NamespaceId): Promise<PermittedNamespace> {
    const namespace = await this.reader.findNamespace(id);
    if (namespace === undefined) throw new NotFound('Namespace');
    const level = await this.reader.namespaceLevel(this.viewer(actor), id);
    const needed = GROUP_PERMISSIONS.create_projects;
    requireGranted(decideAccess(askerOf(actor), namespace.visibility, level, needed), 'Namespace');
    // eslint-disable-next-line no-restricted-syntax -- decided above
    return namespace as typeof namespace & PermittedNamespace;
  }

  #permit<P extends ProjectPermission>(
    actor: Actor,
    reached: Pick<PermittedProject<P>, 'project' | 'directLevel' | 'groupLevel'>,
    permission: P,
  ): PermittedProject<P> {
    const { project, directLevel, groupLevel } = reached;
    const level = Math.max(directLevel, groupLevel);
    requireGranted(decideInProject(askerOf(actor), project, level, permission), 'Project');
    if (!isPossibleIn(project, permission)) throw new Archived();
    // eslint-disable-next-line no-restricted-syntax -- decided above
    return { ...reached, level: isAdmin(actor) ? ACCESS_LEVEL.owner : level } as PermittedProject<P>;
  }

  #findProject(id: string): Promise<Project | undefined> {
    const number = identifierIn<ProjectId>(id);
    if (number !== undefined) return this.reader.findProject(number);
    return id.includes('/') ? this.reader.findProjectByPath(id) : Promise.resolve(undefined);
  }

  /** Asked for beside the project itself, before it is known whether there is one. */
  #findLevels(viewer: Viewer, id: string): Promise<ProjectLevels> {
    const number = identifierIn<ProjectId>(id);
    if (number !== undefined) return this.reader.levelsInProject(viewer, number);
    return id.includes('/') ? this.reader.levelsInProjectByPath(viewer, id) : Promise.resolve(NO_LEVELS);
  }

  #findGroup(id: string): Promise<Group | undefined> {
    const number = identifierIn<GroupId>(id);
    return number === undefined ? this.reader.findGroupByPath(id) : this.reader.findGroup(number);
  }
}

const askerOf = (actor: Actor): Asker => ({ signedIn: actor.kind === 'user', admin: isAdmin(actor) });

const requireGranted = (decision: AccessDecision, subject: string): void => {
  if (decision === 'invisible') throw new NotFound(subject);
  if (decision === 'switched_off') throw new SwitchedOff();
  if (decision === 'insufficient_access_level') throw new Forbidden();
};
