import { NotFound, Overloaded } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Secrecy } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { StoreKeeper } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { Repository, RepositoryRepository } from './ports/repository-repositories.js';

const COPIED_WITHIN_SECONDS = 5;

/** The repository of a project, made when something is first to be written into it. */
export class OpenRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly repositories: RepositoryRepository }>,
    private readonly reader: RefReader,
    private readonly keeper: StoreKeeper,
    private readonly secrecy: Secrecy,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound "Project" when it is gone; Unavailable when git or the folder is out of reach; Overloaded for a project whose code is on its way. */
  async execute(projectId: ProjectId): Promise<Repository> {
    await this.keeper.ready();
    // What is pushed before the code of the source is there would stand in its way.
    if (await this.reader.isBeingCopied(projectId)) throw new Overloaded(COPIED_WITHIN_SECONDS);
    const repository = (await this.reader.findRepository(projectId)) ?? (await this.#add(projectId));
    // The folder follows the row: whoever dies in between leaves a row, and the next one makes the folder.
    await this.keeper.create(repository.store);
    return repository;
  }

  async #add(projectId: ProjectId): Promise<Repository> {
    const { secrets, digester } = this.secrecy;
    // Random: two databases may share a folder, and a restored one may give out an id again.
    const store = digester.digest(secrets.token());
    const at = this.clock.now();
    const added = await this.unitOfWork.execute(({ repositories }) => repositories.open(projectId, store, at));
    if (added === undefined) throw new NotFound('Project');
    return added;
  }
}
