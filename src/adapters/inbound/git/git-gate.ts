import type { Permitted, PermittedNamespace } from '../../../application/shared/permitted.js';
import { ANONYMOUS, type Actor, type UserActor } from '../../../application/shared/actor.js';
import type { Projects } from '../../../application/workspace/projects.js';
import type { FormerPaths } from '../../../application/workspace/ports/former-paths.js';
import type { WorkspaceReader } from '../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../application/workspace/workspace-access.js';
import type { RefChanger } from '../../../domain/repositories/protected-ref.js';
import { ACCESS_LEVEL } from '../../../domain/shared/access-level.js';
import { Archived, Forbidden, Invalid, NotFound } from '../../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../../domain/shared/problem-collector.js';
import type { Project } from '../../../domain/workspace/namespace.js';
import { checkWorkspacePath } from '../../../domain/workspace/naming.js';
import type { Machine } from '../../../application/keys/machines.js';
import { isUnknown, type GitCaller } from './git-caller.js';
import { accessDenied, GitRefusal, ProjectMoved, projectNotFound } from './git-refusal.js';

export interface GitGateParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly projects: Projects;
  readonly formerPaths: FormerPaths;
  /** The branches of a project that somebody was invited to push to. */
  readonly invitedTo: (actor: UserActor, project: Project) => Promise<ReadonlySet<string>>;
}

/** A project that a push would make. */
export interface ProjectToCome {
  readonly namespace: PermittedNamespace;
  readonly path: string;
  readonly creator: UserActor;
}

/** A project that somebody may push to. */
export interface PushedProject {
  readonly permitted: Permitted<'push_code'>;
  /** In whose name. */
  readonly userId: UserId;
  readonly rights: RefChanger;
  readonly viewer: Actor;
}

export type PushTarget = (
  | { readonly kind: 'there'; readonly pushed: PushedProject }
  | { readonly kind: 'to_come'; readonly project: ProjectToCome }
) & {
  /** The same as it is now: a push is long on its way. @throws GitRefusal. */
  readonly again: () => Promise<PushTarget>;
};

const MAY_NOT_READ = 'You are not allowed to download code from this project.';
const ARCHIVED = "You can't push code to an archived project.";
const MAY_NOT_PUSH = 'You are not allowed to push code to this project.';

/** Who may fetch from and push to which project: what they are told otherwise tells them nothing of what they can't see. */
export class GitGate {
  constructor(private readonly parts: GitGateParts) {}

  /** @throws GitRefusal. */
  async reading(caller: GitCaller, path: string): Promise<Permitted<'read_code'>> {
    try {
      return await this.#readable(caller, path);
    } catch (error) {
      if (error instanceof NotFound) await this.#refuseMoved(caller, path);
      // Somebody unknown learns nothing, not even that there is nothing.
      if (isUnknown(caller) && (error instanceof NotFound || error instanceof Forbidden)) throw accessDenied();
      if (error instanceof NotFound) throw await this.#notFound(path);
      throw error instanceof Forbidden ? new GitRefusal(403, MAY_NOT_READ) : error;
    }
  }

  /** The same of a project that they have begun to read, wherever it is by now. @throws GitRefusal. */
  async readingOn(caller: GitCaller, id: ProjectId): Promise<Permitted<'read_code'>> {
    try {
      return await this.#readable(caller, String(id));
    } catch (error) {
      if (error instanceof NotFound) throw projectNotFound();
      throw error instanceof Forbidden ? new GitRefusal(403, MAY_NOT_READ) : error;
    }
  }

  /** @throws GitRefusal. */
  async pushing(caller: GitCaller, path: string): Promise<PushTarget> {
    const againAt = (place: string) => async () => this.pushing(await caller.again(), place);
    // A project that is there may move meanwhile.
    const there = (pushed: PushedProject): PushTarget => ({
      ...{ kind: 'there', pushed },
      again: againAt(String(pushed.permitted.project.id)),
    });
    if ('machine' in caller) return there(await this.#machinePushing(caller, path));
    const { actor, mayWrite } = caller;
    if (actor.kind === 'anonymous') throw accessDenied();
    const { access } = this.parts;
    try {
      if (mayWrite) return there(await this.#personPushing(actor, path));
      await access.project(actor, path, 'read_project');
      throw new GitRefusal(403, MAY_NOT_PUSH);
    } catch (error) {
      if (error instanceof Archived) throw new GitRefusal(403, ARCHIVED);
      if (error instanceof Forbidden) throw new GitRefusal(403, MAY_NOT_PUSH);
      if (!(error instanceof NotFound)) throw error;
      await this.#refuseMoved(caller, path);
      if (!mayWrite) throw projectNotFound();
      return { kind: 'to_come', project: await this.#toCome(actor, path), again: againAt(path) };
    }
  }

  /** The branch that is checked out where nothing is chosen, as it is now. */
  async defaultBranchOf(projectId: ProjectId): Promise<string | null> {
    return (await this.parts.reader.findProject(projectId))?.defaultBranch ?? null;
  }

  /** Makes the private project of a first push. @throws GitRefusal 422. */
  async create({ namespace, path, creator }: ProjectToCome): Promise<void> {
    const command = { description: null, visibility: 'private', defaultBranch: null } as const;
    try {
      await this.parts.projects.create(namespace, {
        ...command,
        path,
        mergeWhenPipelineSucceeds: false,
        creatorId: creator.id,
      });
    } catch (error) {
      throw error instanceof Invalid ? couldNotCreate(error) : error;
    }
  }

  async #readable(caller: GitCaller, path: string): Promise<Permitted<'read_code'>> {
    const { access } = this.parts;
    if ('machine' in caller) return access.projectForMachine(caller.machine, path, 'read_code');
    const permitted = await access.project(caller.actor, path, 'read_code');
    if (!caller.mayRead) throw new GitRefusal(403, MAY_NOT_READ);
    return permitted;
  }

  /** @throws ProjectMoved where what was at a path is elsewhere now, for who may read it there. */
  async #refuseMoved(caller: GitCaller, path: string): Promise<void> {
    const now = await this.parts.formerPaths.pathNow(path);
    if (now === undefined) return;
    try {
      await this.#readable(caller, now);
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden || error instanceof GitRefusal) return;
      throw error;
    }
    throw new ProjectMoved(path, now);
  }

  async #personPushing(actor: UserActor, path: string): Promise<PushedProject> {
    const { access } = this.parts;
    const { id: userId, admin } = actor;
    try {
      const permitted = await access.project(actor, path, 'push_code');
      return { permitted, userId, rights: { level: permitted.level, admin }, viewer: actor };
    } catch (error) {
      if (!(error instanceof Forbidden) || error instanceof Archived) throw error;
    }
    let invitedTo: ReadonlySet<string> = new Set();
    const permitted = await access.invitedProject(actor, path, async (project) => {
      invitedTo = await this.parts.invitedTo(actor, project);
      return invitedTo.size > 0;
    });
    return { permitted, userId, rights: { level: permitted.level, admin, invitedTo }, viewer: actor };
  }

  async #machinePushing(caller: GitCaller & { readonly machine: Machine }, path: string): Promise<PushedProject> {
    const { access } = this.parts;
    const { machine } = caller;
    try {
      // What it can't see isn't there.
      await access.projectForMachine(machine, path, 'read_code');
      const permitted = await access.projectForMachine(machine, path, 'push_code');
      if (machine.pusher === null) throw new Forbidden();
      const { id: userId, admin } = machine.pusher;
      const protectedLevel = (await machine.protectedLevelIn?.(permitted.project)) ?? ACCESS_LEVEL.none;
      return { permitted, userId, rights: { level: permitted.level, admin, protectedLevel }, viewer: ANONYMOUS };
    } catch (error) {
      if (error instanceof Archived) throw new GitRefusal(403, ARCHIVED);
      if (error instanceof NotFound) {
        await this.#refuseMoved(caller, path);
        throw projectNotFound();
      }
      throw error instanceof Forbidden ? new GitRefusal(403, machine.mayNotPush) : error;
    }
  }

  async #notFound(path: string): Promise<GitRefusal> {
    return (await this.#namespaceOf(path)) === undefined
      ? new GitRefusal(404, 'The namespace you were looking for could not be found.')
      : projectNotFound();
  }

  async #namespaceOf(path: string) {
    const slash = path.lastIndexOf('/');
    return slash < 1 ? undefined : this.parts.reader.findNamespaceByPath(path.slice(0, slash));
  }

  /** A project that is there, unseen, looks like one that can't be made; so does one that was there and is elsewhere now. */
  async #toCome(creator: UserActor, fullPath: string): Promise<ProjectToCome> {
    const { access, reader, formerPaths } = this.parts;
    const found = await this.#namespaceOf(fullPath);
    if (found === undefined) throw await this.#notFound(fullPath);
    let namespace: PermittedNamespace;
    try {
      namespace = await access.namespaceForProjects(creator, found.id);
    } catch (error) {
      throw error instanceof NotFound || error instanceof Forbidden ? projectNotFound() : error;
    }
    if ((await reader.findProjectByPath(fullPath)) !== undefined) throw projectNotFound();
    if ((await formerPaths.pathNow(fullPath)) !== undefined) throw projectNotFound();
    const path = fullPath.slice(fullPath.lastIndexOf('/') + 1);
    const problems = new ProblemCollector();
    checkWorkspacePath(problems, path);
    try {
      problems.refuse();
    } catch (error) {
      throw error instanceof Invalid ? couldNotCreate(error) : error;
    }
    return { namespace, path, creator };
  }
}

const couldNotCreate = ({ message }: Invalid): GitRefusal =>
  new GitRefusal(422, `Could not create project: ${message}`);
