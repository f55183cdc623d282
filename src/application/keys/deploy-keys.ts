import { checkKey, checkTitle, type CheckedKey, type KeyFields } from '../../domain/keys/new-key.js';
import type { DeployKey } from '../../domain/keys/ssh-key.js';
import { Forbidden, Invalid, NotFound, Unprocessable } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { EnabledKey, KeyFingerprints, KeyReader, KeyRepository } from './ports/key-ports.js';

interface Needs {
  readonly keys: KeyRepository;
}

export interface DeployKeyChanges {
  readonly title?: string;
  readonly canPush?: boolean;
}

/** Knows whose projects are whose: a port of the workspace. */
export interface ManagedProjects {
  /** Whether the caller may say which keys a project has. */
  managesKeysOf(actor: UserActor, projectId: ProjectId): Promise<boolean>;
  /** Projects of which the caller says that, those with the latest activity first; so many. */
  whoseKeysAreManagedBy(actor: UserActor, limit: number): Promise<readonly Pick<Project, 'id' | 'fullPath'>[]>;
}

/** A key that a project was given, and whether it was new, known from elsewhere, or there already. */
export interface GivenKey {
  readonly key: EnabledKey;
  readonly was: 'new' | 'elsewhere' | 'here';
}

/** A key that a project may enable. */
export interface OfferedKey {
  readonly key: DeployKey;
  /** The path of a project that has it, and whose keys the caller manages; absent for a public key. */
  readonly projectPath?: string;
}

/** Projects of a key that are asked about, to see whether its maintainer is the caller. */
const MOST_ASKED = 100;
/** More than people look after. */
const MOST_KEYS = 1_000;
/** Keys that a project is offered; others are given to it by their text. */
const MOST_OFFERED = 100;
/** Keys that one step takes of a project that is being removed. */
const FORGOTTEN_AT_ONCE = 100;

/** Keys that open projects to machines. One is in any number of projects, and gone once it is in none. */
export class DeployKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: KeyReader,
    private readonly managed: ManagedProjects,
    private readonly fingerprints: KeyFingerprints,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives a project a key. One that it has stays as it is; one that the caller can reach elsewhere is enabled here.
   * @throws Invalid; Unprocessable for one key too many.
   */
  async add(
    actor: UserActor,
    { project }: Permitted<'manage_deploy_keys'>,
    fields: KeyFields & { readonly canPush: boolean },
  ): Promise<GivenKey> {
    const now = this.clock.now();
    const checked = checkKey(fields, now);
    const there = await this.reader.findByFingerprint({ sha256: this.fingerprints.of(checked.key.blob).sha256 });
    const known = there !== undefined && !('userId' in there) ? there : undefined;
    const here = known && (await this.reader.findInProject(project.id, known.id));
    if (here !== undefined) return { key: here, was: 'here' };
    const mayEnable = known !== undefined && (await this.#reaches(actor, known));
    return this.unitOfWork.execute(async ({ keys }) => {
      await requireRoom(keys, project.id);
      const reached = mayEnable ? await keys.takeDeployKey(known.id) : undefined;
      const key = reached ?? (await keys.addDeployKey(this.#newKey(actor, checked, false)));
      await keys.enable(key.id, project.id, fields.canPush, now);
      return { key: { ...key, canPush: fields.canPush }, was: reached === undefined ? 'new' : 'elsewhere' };
    });
  }

  /** A key that every project may enable. @throws Invalid; Forbidden for who doesn't administer the installation. */
  async addPublic(actor: UserActor, fields: KeyFields): Promise<DeployKey> {
    if (!actor.admin) throw new Forbidden();
    const key = this.#newKey(actor, checkKey(fields, this.clock.now()), true);
    return this.unitOfWork.execute(({ keys }) => keys.addDeployKey(key));
  }

  /** What the caller may enable in a project: keys of other projects of theirs, and public ones. */
  async offered(actor: UserActor, { project }: Permitted<'manage_deploy_keys'>): Promise<readonly OfferedKey[]> {
    const managed = await this.managed.whoseKeysAreManagedBy(actor, MOST_ASKED);
    const projectIds = managed.map(({ id }) => id);
    const keys = await this.reader.listForOthers({ projectIds, except: project.id, limit: MOST_OFFERED });
    const own = keys.filter(({ isPublic }) => !isPublic).map(({ id }) => id);
    const enabled = await this.reader.projectsOf(own, MOST_OFFERED * MOST_ASKED);
    return keys.map((key) => {
      const idsOfProjects = enabled.get(key.id)?.map(({ projectId }) => projectId) ?? [];
      const found = managed.find(({ id }) => idsOfProjects.includes(id));
      return { key, ...(found === undefined ? {} : { projectPath: found.fullPath }) };
    });
  }

  /** @throws NotFound "Deploy Key" for one that the caller can't reach; Unprocessable for one key too many. */
  async enable(actor: UserActor, { project }: Permitted<'manage_deploy_keys'>, id: number): Promise<DeployKey> {
    const known = await this.reader.findDeployKey(id);
    if (known === undefined || !(await this.#reaches(actor, known))) throw new NotFound('Deploy Key');
    return this.unitOfWork.execute(async ({ keys }) => {
      await requireRoom(keys, project.id, id);
      const key = await keys.takeDeployKey(id);
      if (key === undefined) throw new NotFound('Deploy Key');
      await keys.enable(id, project.id, false, this.clock.now());
      return key;
    });
  }

  /** @throws Invalid; Forbidden to rename a key that every project may enable. */
  async edit(
    actor: UserActor,
    { project }: Permitted<'manage_deploy_keys'>,
    { id, isPublic }: Pick<DeployKey, 'id' | 'isPublic'>,
    { title, canPush }: DeployKeyChanges,
  ): Promise<void> {
    if (title === undefined && canPush === undefined) throw new Invalid({ base: ['title or can_push must be given'] });
    if (title !== undefined) {
      if (isPublic && !actor.admin) throw new Forbidden('Only administrators rename a public deploy key');
      const problems = new ProblemCollector();
      checkTitle(problems, title);
      problems.refuse();
    }
    await this.unitOfWork.execute(async ({ keys }) => {
      if (title !== undefined) await keys.rename(id, title);
      if (canPush !== undefined) await keys.setCanPush(id, project.id, canPush, this.clock.now());
    });
  }

  /** @throws NotFound "Deploy Key" when the project has none such. */
  async remove({ project }: Permitted<'manage_deploy_keys'>, id: number): Promise<void> {
    await this.unitOfWork.execute(async ({ keys }) => {
      const key = await keys.takeDeployKey(id);
      if (key === undefined || !(await keys.disable(id, project.id))) throw new NotFound('Deploy Key');
      await dropUnused(keys, key);
    });
  }

  #newKey(actor: UserActor, { title, key, expiresAt }: CheckedKey, isPublic: boolean) {
    const fingerprints = this.fingerprints.of(key.blob);
    const publicKey = `${key.type} ${key.base64}`;
    return { title, publicKey, ...fingerprints, creatorId: actor.id, isPublic, expiresAt, createdAt: this.clock.now() };
  }

  /** Public, or in a project whose keys the caller manages. */
  async #reaches(actor: UserActor, { id, isPublic }: DeployKey): Promise<boolean> {
    if (isPublic || actor.admin) return true;
    const projects = (await this.reader.projectsOf([id], MOST_ASKED)).get(id) ?? [];
    for (const { projectId } of projects) if (await this.managed.managesKeysOf(actor, projectId)) return true;
    return false;
  }
}

/** To be called before a key is locked. @param keyId of one that the project may have already. */
const requireRoom = async (keys: KeyRepository, projectId: ProjectId, keyId?: number): Promise<void> => {
  const ids = await keys.holdIdsOfProject(projectId, MOST_KEYS);
  if (ids.length >= MOST_KEYS && !ids.some((id) => id === keyId))
    throw new Unprocessable(`A project has at most ${MOST_KEYS} deploy keys`);
};

/** To be called with the key locked: it may not be enabled elsewhere meanwhile. */
const dropUnused = async (keys: KeyRepository, { id, isPublic }: DeployKey): Promise<void> => {
  if (!isPublic && !(await keys.isEnabledAnywhere(id))) await keys.remove(id);
};

/** The deploy keys of a project that is being removed. */
export const forgetDeployKeys: ForgetProject<Needs> = async ({ keys }, projectId) => {
  const ids = await keys.idsOfProject(projectId, FORGOTTEN_AT_ONCE);
  for (const id of ids) {
    const key = await keys.takeDeployKey(id);
    await keys.disable(id, projectId);
    if (key !== undefined) await dropUnused(keys, key);
  }
  return ids.length === FORGOTTEN_AT_ONCE ? 'more' : 'done';
};
