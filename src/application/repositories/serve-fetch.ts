import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Permitted } from '../shared/permitted.js';
import type { FetchCounts } from './fetch-counts.js';
import type { ByteStream, PackSender, ProtocolVersion, StoreKeeper, StoreName } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { ProjectRefs } from './project-refs.js';

/** Sends what a clone or fetch asks for. */
export class ServeFetch {
  constructor(
    private readonly reader: RefReader,
    private readonly projectRefs: Pick<ProjectRefs, 'catchUp'>,
    private readonly keeper: StoreKeeper,
    private readonly packs: PackSender,
    private readonly counts: Pick<FetchCounts, 'note'>,
  ) {}

  /**
   * Undefined for a project that nothing was pushed to: there is nothing to fetch.
   * @throws Unavailable, Overloaded.
   */
  async execute(
    { project }: Permitted<'read_code'>,
    version: ProtocolVersion,
    request: ByteStream,
  ): Promise<ByteStream | undefined> {
    const store = await this.#storeOf(project.id);
    if (store === undefined) return undefined;
    return this.packs.send(store, version, request, () => this.counts.note(project.id));
  }

  /** The same for a client that stays for a whole conversation of version 0 or 1, as over SSH. */
  async converse({ project }: Permitted<'read_code'>, request: ByteStream): Promise<ByteStream | undefined> {
    const store = await this.#storeOf(project.id);
    if (store === undefined) return undefined;
    return this.packs.converse(store, request, () => this.counts.note(project.id));
  }

  async #storeOf(projectId: ProjectId): Promise<StoreName | undefined> {
    const repository = await this.reader.findRepository(projectId);
    if (repository === undefined) return undefined;
    await this.keeper.ready();
    // What a client wants it names by ids; branches that it has enough at, and tags that lead to what it gets, git looks up in the files.
    await this.projectRefs.catchUp(repository);
    return repository.store;
  }
}
