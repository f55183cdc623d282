import { isProcessMode, PROCESS_MODES, type ResourceGroup } from '../../domain/pipelines/resource-group.js';
import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { Page, PageRequest } from '../../domain/shared/page.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { giveResources, type JobNeeds } from './operations/go-on-with-pipeline.js';
import type { CiJobDetails, CiJobReader } from './ports/ci-job-ports.js';
import type { ResourceGroupReader } from './ports/resource-group-ports.js';

type Place = Permitted<'run_pipelines'>;

const NOUN = 'Resource Group';

/** What jobs share, for whoever runs pipelines: in which order they get it, and who is next. */
export class ResourceGroups {
  constructor(
    private readonly unitOfWork: UnitOfWork<JobNeeds>,
    private readonly reader: ResourceGroupReader,
    private readonly jobs: Pick<CiJobReader, 'some'>,
    private readonly clock: Clock,
  ) {}

  list({ project }: Place, page: PageRequest): Promise<Page<ResourceGroup>> {
    return this.reader.list(project.id, page);
  }

  /** @throws NotFound "Resource Group". */
  async find({ project }: Place, key: string): Promise<ResourceGroup> {
    const group = await this.reader.find(project.id, key);
    if (group === undefined) throw new NotFound(NOUN);
    return group;
  }

  /** Who is next by the new order gets it at once, if it is free. @throws NotFound "Resource Group"; Invalid at `process_mode`. */
  async setMode(place: Place, key: string, mode: string): Promise<ResourceGroup> {
    if (!isProcessMode(mode)) throw new Invalid({ process_mode: [`must be one of: ${PROCESS_MODES.join(', ')}`] });
    const { id: projectId } = place.project;
    await this.unitOfWork.execute(async (repositories) => {
      await repositories.pipelines.hold(projectId);
      const at = this.clock.now();
      if (!(await repositories.resourceGroups.setMode(projectId, key, mode, at))) throw new NotFound(NOUN);
      await giveResources(repositories, { projectId, shared: new Set([key]) }, at);
    });
    return this.find(place, key);
  }

  /** Jobs that are next. @throws NotFound "Resource Group". */
  async upcoming(place: Place, key: string, request: PageRequest): Promise<Page<CiJobDetails>> {
    const { id: projectId } = place.project;
    const page = await this.reader.upcoming(projectId, await this.find(place, key), request);
    const jobs = new Map((await this.jobs.some(projectId, page.items)).map((job) => [job.id, job]));
    return { ...page, items: page.items.flatMap((id) => jobs.get(id) ?? []) };
  }
}
