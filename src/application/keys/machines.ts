import type { DeployToken } from '../../domain/keys/deploy-token.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { TokenOwner } from '../identity/ports/identity-readers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import type { KeyHolder, KeyReader } from './ports/key-ports.js';

/** A client of git that stands for nobody. */
export interface Machine {
  /** Its access level in a project; 0 where it isn't let in. */
  levelIn(project: Project): Promise<number>;
  /** As far as which level protected branches and tags are open to it; absent for one that can't push. */
  protectedLevelIn?(project: Project): Promise<number>;
  /** In whose name it pushes; null for one that can't. */
  readonly pusher: { readonly id: UserId; readonly admin: false } | null;
  /** What it is told that pushes where it may not. */
  readonly mayNotPush: string;
}

type DeployKeyHolder = Extract<KeyHolder, { kind: 'deploy' }>;

/** What deploy keys and deploy tokens open. */
export class Machines {
  constructor(
    private readonly keys: KeyReader,
    private readonly workspace: WorkspaceReader,
    private readonly clock: Clock,
  ) {}

  /** Reads the code of one project, or of all below a group. */
  ofToken(token: DeployToken): Machine {
    const level = token.scopes.includes('read_repository') ? ACCESS_LEVEL.reporter : ACCESS_LEVEL.none;
    return {
      pusher: null,
      mayNotPush: 'You are not allowed to push code to this project.',
      levelIn: (project) => this.#levelWhereReached(token, project, level),
    };
  }

  /** Reads their packages, and sends files of them: whoever may send may read. */
  packagesOfToken(token: DeployToken): Pick<Machine, 'levelIn'> {
    return { levelIn: (project) => this.#levelWhereReached(token, project, levelOfPackages(token)) };
  }

  async #levelWhereReached({ place }: DeployToken, project: Project, level: number): Promise<number> {
    if (level === ACCESS_LEVEL.none) return level;
    if (place.kind === 'project') return place.id === project.id ? level : ACCESS_LEVEL.none;
    const group = await this.workspace.findNamespace(place.id);
    const isBelow = group !== undefined && project.fullPath.startsWith(`${group.fullPath}/`);
    return isBelow ? level : ACCESS_LEVEL.none;
  }

  /**
   * Reads the code of its projects, and pushes where it may, in the name of who made it. Protected branches are open to it as far as they
   * are to that person.
   */
  ofKey({ key, creator }: DeployKeyHolder): Machine {
    const pusher = creator?.state === 'active' ? creator : null;
    return {
      pusher: pusher && { id: pusher.id, admin: false },
      mayNotPush: 'This deploy key does not have write access to this project.',
      levelIn: async (project) => {
        const enabled = await this.keys.findInProject(project.id, key.id);
        if (enabled === undefined) return ACCESS_LEVEL.none;
        return enabled.canPush && pusher !== null ? ACCESS_LEVEL.developer : ACCESS_LEVEL.reporter;
      },
      // Whoever made it may have left since.
      protectedLevelIn: async (project) => (pusher === null ? ACCESS_LEVEL.none : this.#levelOf(pusher, project)),
    };
  }

  async #levelOf({ id, admin }: TokenOwner, project: Project): Promise<number> {
    if (admin) return ACCESS_LEVEL.maintainer;
    const viewer = { userId: id, admin, today: this.clock.now().toISOString().slice(0, 10) };
    const { directLevel, groupLevel } = await this.workspace.levelsInProject(viewer, project.id);
    return Math.min(ACCESS_LEVEL.maintainer, Math.max(directLevel, groupLevel));
  }
}

const levelOfPackages = ({ scopes }: DeployToken): number => {
  if (scopes.includes('write_package_registry')) return ACCESS_LEVEL.developer;
  return scopes.includes('read_package_registry') ? ACCESS_LEVEL.reporter : ACCESS_LEVEL.none;
};
