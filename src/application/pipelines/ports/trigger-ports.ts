import type { User } from '../../../domain/identity/user.js';
import type { PipelineTrigger } from '../../../domain/pipelines/pipeline-trigger.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

/** A token as it is stored: to be found by, and to be shown to its owner. */
export interface StoredToken {
  readonly tokenDigest: string;
  readonly sealedToken: string;
}

export type NewTrigger = Pick<PipelineTrigger, 'projectId' | 'description' | 'ownerId' | 'createdAt'> & StoredToken;

export interface TriggerRepository {
  /** How many a project has. Whoever else asks waits until the transaction ends. */
  holdAndCount(projectId: ProjectId): Promise<number>;
  /** Answers its id. */
  add(trigger: NewTrigger): Promise<number>;
  /** False where the project has no such trigger. */
  describe(projectId: ProjectId, id: number, description: string, at: Date): Promise<boolean>;
  /** False likewise. */
  remove(projectId: ProjectId, id: number): Promise<boolean>;
  used(id: number, at: Date): Promise<void>;
}

export interface TriggerRepositories {
  readonly pipelineTriggers: TriggerRepository;
}

export interface TriggerDetails extends PipelineTrigger, Pick<StoredToken, 'sealedToken'> {
  readonly owner: Pick<User, 'id' | 'username' | 'name' | 'state'> | null;
}

export interface TriggerReader {
  list(projectId: ProjectId, page: PageRequest): Promise<Page<TriggerDetails>>;
  find(projectId: ProjectId, id: number): Promise<TriggerDetails | undefined>;
  findByToken(tokenDigest: string): Promise<PipelineTrigger | undefined>;
}
