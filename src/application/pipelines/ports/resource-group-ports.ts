import type { ProcessMode, ResourceGroup, SharingJob } from '../../../domain/pipelines/resource-group.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

/** What jobs of projects share, whose pipelines are held. */
export interface ResourceGroupRepository {
  /** Makes those of these that the project doesn't have. */
  ensure(projectId: ProjectId, keys: readonly string[], at: Date): Promise<void>;
  /** In which order the jobs of these get them; of each that jobs of the project have named. */
  modesOf(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, ProcessMode>>;
  /** False where the project has none of this name. */
  setMode(projectId: ProjectId, key: string, mode: ProcessMode, at: Date): Promise<boolean>;
  /** Jobs that come to these by themselves, of pipelines that go on, and don't wait for them yet. */
  comingTo(projectId: ProjectId, keys: readonly string[]): Promise<readonly SharingJob[]>;
}

export interface ResourceGroupReader {
  list(projectId: ProjectId, page: PageRequest): Promise<Page<ResourceGroup>>;
  find(projectId: ProjectId, key: string): Promise<ResourceGroup | undefined>;
  /** The ids of jobs that wait for it or, where there is an order, come to it; in that order. */
  upcoming(projectId: ProjectId, group: ResourceGroup, page: PageRequest): Promise<Page<number>>;
}
