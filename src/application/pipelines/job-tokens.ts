import { codeRefOf } from '../../domain/pipelines/pipeline.js';
import { leastLevel } from '../../domain/repositories/protected-ref.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { UserActor } from '../shared/actor.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { Protections } from './operations/ref-rights.js';
import type { CiJobReader } from './ports/ci-job-ports.js';

interface Parts {
  readonly reader: Pick<CiJobReader, 'find' | 'findByToken'>;
  readonly protections: Protections;
  readonly digester: SecretDigester;
  /** Whether somebody may read the code of a project now. */
  readonly mayRead: (userId: UserId, projectId: ProjectId) => Promise<boolean>;
  /** Undefined for who may not sign in any more. */
  readonly actorOf: (userId: UserId) => Promise<UserActor | undefined>;
}

/** A job as a client of git: it stands for nobody, and changes nothing. */
export interface JobMachine {
  /** Its access level in a project; 0 where it isn't let in. */
  readonly levelIn: (project: { readonly id: ProjectId }) => Promise<number>;
  readonly pusher: null;
  /** What it is told that pushes. */
  readonly mayNotPush: string;
}

/** Which job asks, for whom, and where. */
export interface JobReaderOf {
  readonly jobId: number;
  readonly actor: UserActor;
  readonly projectId: ProjectId;
  /** The level of those who may have it say anything, since they may push to its branch, or make its tag: it does no more than they may. */
  readonly level: number;
}

interface RunningJob extends Pick<JobReaderOf, 'projectId'> {
  readonly id: number;
  readonly userId: UserId;
}

/** What the tokens of jobs open, while they run: the code, the files of jobs and the releases of their own project. */
export class JobTokens {
  constructor(private readonly parts: Parts) {}

  /** In whose name a job asks for what belongs to its project. Undefined for a token of no job, or of one that doesn't run. */
  async readerBy(secret: string): Promise<JobReaderOf | undefined> {
    const job = await this.#running(secret);
    return job && this.readerOf(job);
  }

  /** The same of a job that needs no token, since it runs nowhere. Undefined where whoever it is for may not sign in any more. */
  async readerOf(job: RunningJob): Promise<JobReaderOf | undefined> {
    const actor = await this.parts.actorOf(job.userId);
    if (actor === undefined) return undefined;
    const { id: jobId, projectId } = job;
    const level = await this.#levelOf(job);
    return { jobId, projectId, level, actor: { ...actor, admin: actor.admin && level > ACCESS_LEVEL.owner } };
  }

  async #levelOf({ id, projectId }: RunningJob): Promise<number> {
    const { reader, protections } = this.parts;
    const pipeline = (await reader.find(projectId, id))?.pipeline;
    if (pipeline === undefined) return ACCESS_LEVEL.none;
    const { ref, tag } = codeRefOf(pipeline);
    const rules = tag
      ? (await protections.tagsOf(projectId)).map(({ name, createLevel }) => [name, createLevel] as const)
      : (await protections.branchesOf(projectId)).map(({ name, pushLevel }) => [name, pushLevel] as const);
    return leastLevel(ref, rules);
  }

  /** The same as a client of git. */
  async recognize(secret: string): Promise<JobMachine | undefined> {
    const job = await this.#running(secret);
    if (job === undefined) return undefined;
    const { projectId, userId } = job;
    return {
      pusher: null,
      mayNotPush: 'You are not allowed to push code to this project.',
      levelIn: async ({ id }) =>
        id === projectId && (await this.parts.mayRead(userId, id)) ? ACCESS_LEVEL.reporter : ACCESS_LEVEL.none,
    };
  }

  async #running(secret: string): Promise<RunningJob | undefined> {
    const job = await this.parts.reader.findByToken(this.parts.digester.digest(secret));
    if (job?.status !== 'running' || job.userId === null) return undefined;
    return { id: job.id, projectId: job.projectId, userId: job.userId };
  }
}
