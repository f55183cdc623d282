import type { Permitted } from '../shared/permitted.js';
import { advertisedTo, REFS_OF_MERGE_REQUESTS } from './advertise-refs.js';
import type { Revisions } from './browse/revisions.js';
import type { ByteStream, StoreKeeper, StoreSnapshots } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';

const isTold = (permitted: Permitted<'read_code'>, name: string): boolean =>
  !advertisedTo(permitted).hidesMergeRequests || !name.startsWith(REFS_OF_MERGE_REQUESTS);

/** Where the code of a project lies, and all of it as one file: for who looks after the installation. */
export class Snapshots {
  constructor(
    private readonly revisions: Revisions,
    private readonly refs: RefReader,
    private readonly keeper: Pick<StoreKeeper, 'placeOf'>,
    private readonly stores: StoreSnapshots,
  ) {}

  /** A bare repository as a tar archive, as it is at one moment. @throws Unavailable. */
  async take(permitted: Permitted<'read_code'>): Promise<ByteStream> {
    const repository = await this.revisions.repositoryOf(permitted);
    const refs: { name: string; target: string }[] = [];
    // Before the objects: what refs lead to stays for longer than this takes.
    if (repository !== undefined)
      for await (const batch of this.refs.advertised(repository.id))
        for (const { name, target } of batch) if (isTold(permitted, name)) refs.push({ name, target });
    return this.stores.snapshot(repository?.store, { branch: permitted.project.defaultBranch, refs });
  }

  /** Below the folder of all repositories; null where nothing was pushed yet. */
  async placeOf({ project }: Permitted<'read_code'>): Promise<string | null> {
    const repository = await this.refs.findRepository(project.id);
    return repository === undefined ? null : this.keeper.placeOf(repository.store);
  }
}
