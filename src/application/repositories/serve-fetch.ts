import type { Permitted } from '../shared/permitted.js';
import type { ByteStream, PackSender, ProtocolVersion, StoreKeeper } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';

/** Sends what a clone or fetch asks for. */
export class ServeFetch {
  constructor(
    private readonly reader: RefReader,
    private readonly keeper: StoreKeeper,
    private readonly packs: PackSender,
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
    const repository = await this.reader.findRepository(project.id);
    if (repository === undefined) return undefined;
    await this.keeper.ready();
    return this.packs.send(repository.store, version, request);
  }
}
