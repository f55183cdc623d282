import type { FreezeFields, FreezePeriod } from '../../../domain/pipelines/freeze-period.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export interface FreezePeriodRepository {
  /** How many a project has. Whoever else asks, or changes one, waits until the transaction ends. */
  holdAndCount(projectId: ProjectId): Promise<number>;
  find(projectId: ProjectId, id: number): Promise<FreezePeriod | undefined>;
  /** Answers its id. */
  add(projectId: ProjectId, fields: FreezeFields, at: Date): Promise<number>;
  change(id: number, fields: FreezeFields, at: Date): Promise<void>;
  /** False where the project has no such period. */
  remove(projectId: ProjectId, id: number): Promise<boolean>;
}

export interface FreezePeriodRepositories {
  readonly freezePeriods: FreezePeriodRepository;
}

export interface FreezePeriodReader {
  list(projectId: ProjectId, page: PageRequest): Promise<Page<FreezePeriod>>;
  all(projectId: ProjectId): Promise<readonly FreezePeriod[]>;
  find(projectId: ProjectId, id: number): Promise<FreezePeriod | undefined>;
}
