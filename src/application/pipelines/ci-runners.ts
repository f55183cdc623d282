import {
  checkRunner,
  type CiRunner,
  type RunnerAbout,
  type RunnerFields,
  type RunnerType,
} from '../../domain/pipelines/ci-runner.js';
import { Forbidden, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { GroupId, ProjectId } from '../../domain/shared/identifiers.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { CiRepositories, CiRunnerReader } from './ports/ci-job-ports.js';

/** A runner as its maker sees it once: the secret is not stored. */
export type CreatedRunner = CiRunner & { readonly secret: string };

/** Whose runner it is: that of every project, or of a project or group that somebody looks after. */
export type RunnerPlace = 'instance' | Permitted<'manage_runners'> | Permitted<'manage_group_runners'>;

interface Parts {
  readonly unitOfWork: UnitOfWork<Pick<CiRepositories, 'ciRunners'>>;
  readonly reader: CiRunnerReader;
  readonly secrecy: { readonly secrets: SecretSource; readonly digester: SecretDigester };
  readonly clock: Clock;
}

/** By its beginning clients know what a token is for. */
const PREFIX = 'glrt-';
const MOST_RUNNERS = 10_000;
/** Otherwise one could take the place of all. */
const MOST_OF_PROJECT = 100;
const MOST_OF_GROUP = 100;
const MOST_PROJECTS = 1_000;
/** When a runner was heard of last is kept to the minute. */
const CONTACT_MS = 60_000;

/** The programs that run jobs: who may take which. */
export class CiRunners {
  constructor(private readonly parts: Parts) {}

  /** @throws Invalid naming every problem; NotPossible for one too many. */
  async create(actor: UserActor, place: RunnerPlace, fields: RunnerFields): Promise<CreatedRunner> {
    checkRunner(fields);
    const { secret, tokenDigest } = this.#newToken();
    const createdAt = this.parts.clock.now();
    const runner = await this.parts.unitOfWork.execute(async ({ ciRunners }) => {
      if ((await ciRunners.count(MOST_RUNNERS)) >= MOST_RUNNERS)
        throw new NotPossible(`There are at most ${MOST_RUNNERS} runners.`);
      await requireRoomIn(ciRunners, place);
      const { projects, ...ofPlace } = takenIn(place);
      return ciRunners.add({ ...fields, ...ofPlace, tokenDigest, createdBy: actor.id, createdAt }, projects);
    });
    return { ...runner, secret };
  }

  /** @throws Invalid; NotFound. */
  async change(id: number, changes: Partial<RunnerFields>): Promise<CiRunner> {
    return this.#whileTaken(id, async (runner, { ciRunners }) => {
      const fields = { ...runner, ...changes };
      checkRunner(fields);
      return ciRunners.save(id, fields);
    });
  }

  /** Jobs that it runs go on until nothing is heard of them. @throws NotFound. */
  async remove(id: number): Promise<void> {
    await this.#whileTaken(id, (_runner, { ciRunners }) => ciRunners.remove(id));
  }

  /** What it was known by before is no good any more. @throws NotFound. */
  async resetToken(id: number): Promise<string> {
    const { secret, tokenDigest } = this.#newToken();
    await this.#whileTaken(id, (_runner, { ciRunners }) => ciRunners.setToken(id, tokenDigest));
    return secret;
  }

  /** Lets it take the jobs of one more project. @throws NotFound; Forbidden for one that is locked, or of a group or the installation. */
  async enable(id: number, { project }: Permitted<'manage_runners'>): Promise<CiRunner> {
    return this.#whileTaken(id, async (runner, { ciRunners }) => {
      if (runner.type === 'instance_type') throw new Forbidden('Runner is shared');
      if (runner.type === 'group_type') throw new Forbidden('Runner is a group runner');
      if (runner.locked) throw new Forbidden('Runner is locked');
      if ((await ciRunners.projectsOf(id)).length >= MOST_PROJECTS)
        throw new NotPossible(`A runner has at most ${MOST_PROJECTS} projects.`);
      await requireRoom(ciRunners, project.id);
      await ciRunners.enable(id, project.id);
      return runner;
    });
  }

  /** @throws NotFound; Forbidden where it would be left with none. */
  async disable(id: number, projectId: ProjectId): Promise<void> {
    await this.#whileTaken(id, async (_runner, { ciRunners }) => {
      const projects = await ciRunners.projectsOf(id);
      if (!projects.includes(projectId)) throw new NotFound('Runner');
      if (projects.length === 1)
        throw new Forbidden('Only one project associated with the runner. Please remove the runner instead');
      await ciRunners.disable(id, projectId);
    });
  }

  /** A project has it no longer; without its last project the runner itself goes. @throws NotFound. */
  async leave(id: number, projectId: ProjectId): Promise<void> {
    await this.#whileTaken(id, async (_runner, { ciRunners }) => {
      if (!(await ciRunners.disable(id, projectId))) throw new NotFound('Runner');
      if ((await ciRunners.projectsOf(id)).length === 0) await ciRunners.remove(id);
    });
  }

  /** The runner of a token. @throws Forbidden. */
  async recognize(token: string): Promise<CiRunner> {
    const runner = await this.parts.reader.findByToken(this.parts.secrecy.digester.digest(token));
    if (runner === undefined) throw new Forbidden();
    return runner;
  }

  /** It was heard of. @param about what it tells of itself, if it does. */
  async heardOf(runner: CiRunner, about: RunnerAbout | undefined, address: string | null): Promise<void> {
    const at = this.parts.clock.now();
    const known = runner.contactedAt !== null && at.getTime() - runner.contactedAt.getTime() < CONTACT_MS;
    if (known) return;
    await this.parts.unitOfWork.execute(({ ciRunners }) =>
      ciRunners.contacted(runner.id, at, about ?? runner.about, address),
    );
  }

  #newToken() {
    const secret = PREFIX + this.parts.secrecy.secrets.token();
    return { secret, tokenDigest: this.parts.secrecy.digester.digest(secret) };
  }

  #whileTaken<Result>(
    id: number,
    work: (runner: CiRunner, repositories: Pick<CiRepositories, 'ciRunners'>) => Promise<Result>,
  ): Promise<Result> {
    return this.parts.unitOfWork.execute(async (repositories) => {
      const runner = await repositories.ciRunners.take(id);
      if (runner === undefined) throw new NotFound('Runner');
      return work(runner, repositories);
    });
  }
}

/** What is kept of whose jobs a runner takes. */
const takenIn = (
  place: RunnerPlace,
): { readonly type: RunnerType; readonly groupId: GroupId | null; readonly projects: readonly ProjectId[] } => {
  if (place === 'instance') return { type: 'instance_type', groupId: null, projects: [] };
  if ('group' in place) return { type: 'group_type', groupId: place.group.id, projects: [] };
  return { type: 'project_type', groupId: null, projects: [place.project.id] };
};

/** @throws NotPossible. */
const requireRoomIn = async (ciRunners: CiRepositories['ciRunners'], place: RunnerPlace): Promise<void> => {
  if (place === 'instance') return;
  if ('project' in place) return requireRoom(ciRunners, place.project.id);
  if ((await ciRunners.countOfGroup(place.group.id, MOST_OF_GROUP)) >= MOST_OF_GROUP)
    throw new NotPossible(`A group has at most ${MOST_OF_GROUP} runners.`);
};

/** @throws NotPossible. */
const requireRoom = async (ciRunners: CiRepositories['ciRunners'], projectId: ProjectId): Promise<void> => {
  if ((await ciRunners.countOf(projectId, MOST_OF_PROJECT)) >= MOST_OF_PROJECT)
    throw new NotPossible(`A project has at most ${MOST_OF_PROJECT} runners.`);
};
