import type { Knex } from 'knex';
import type {
  HousekeepingRepository,
  KeptStore,
  StoreSize,
} from '../../../../../application/repositories/ports/housekeeping.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

/** A store is packed when it got as many pushes, or as many bytes. */
const PUSHES = 20;
const BYTES = 4 * 1024 * 1024;
/** Clones of one as large wait for what a repacking makes: it isn't left to wait for its first one. */
const LARGE = 16 * 1024 * 1024;

const changedSinceRepacked = (changed: Knex.QueryBuilder): void => {
  void changed.whereNull('repacked_version').orWhereRaw('repacked_version <> refs_version');
};

type RepositoryRow = RowOf<'repositories'>;
type PoolRow = RowOf<'object_pools'>;

export class KnexHousekeepingRepository implements HousekeepingRepository {
  constructor(private readonly session: Session) {}

  async toGather(now: Date, limit: number): Promise<readonly KeptStore[]> {
    const rows = (await this.#repositories(now)
      .where((much) => {
        void much.where('unpacked_pushes', '>=', PUSHES).orWhere('unpacked_bytes', '>=', BYTES);
      })
      .orderBy('unpacked_pushes', 'desc')
      .limit(limit)) as RepositoryRow[];
    // A pool never gets anything after it was made.
    const pools = (await this.#pools(now).whereNull('packed_at').orderBy('id').limit(limit)) as PoolRow[];
    return [...rows.map(ofRepository), ...pools.map(ofPool)];
  }

  async toRepack(now: Date, before: Date, limit: number): Promise<readonly KeptStore[]> {
    const rows = (await this.#repositories(now)
      .where('refs_version', '>', 0)
      .where((wanted) => {
        void wanted
          .whereRaw(
            'housekeeping_asked_at is not null and (repacked_at is null or repacked_at < housekeeping_asked_at)',
          )
          .orWhere((due) => void due.where(changedSinceRepacked).where(this.#isDue(before)));
      })
      .orderBy('id')
      .limit(limit)) as RepositoryRow[];
    return rows.map(ofRepository);
  }

  #isDue(before: Date) {
    return (due: Knex.QueryBuilder): void => {
      void due
        .whereRaw('coalesce(repacked_at, created_at) < ?', [this.#write(before)])
        // One of a pool shares its large packs, which stay as they are.
        .orWhere((large) => void large.whereNull('repacked_at').whereNull('pool_id').where('size_bytes', '>=', LARGE));
    };
  }

  async toClear(now: Date, before: Date, limit: number): Promise<readonly KeptStore[]> {
    const due = this.#write(before);
    const rows = (await this.#repositories(now).where('replaced_at', '<', due).limit(limit)) as RepositoryRow[];
    const pools = (await this.#pools(now).where('replaced_at', '<', due).limit(limit)) as PoolRow[];
    return [...rows.map(ofRepository), ...pools.map(ofPool)];
  }

  async gathered(store: KeptStore, size: StoreSize, at: Date): Promise<void> {
    await this.#noteSize(store, size);
    if (store.kind === 'pool') {
      await this.session
        .query('object_pools')
        .where({ id: store.id })
        .update({ packed_at: this.#write(at) });
      return;
    }
    // Others may have pushed since.
    await this.session.run(
      `update repositories set unpacked_pushes = unpacked_pushes - ?, unpacked_bytes = unpacked_bytes - ? where id = ?`,
      [store.pushes, store.bytes, store.id],
    );
  }

  async repacked(store: KeptStore, size: StoreSize & { readonly unreachable: boolean }, at: Date): Promise<void> {
    await this.gathered(store, size, at);
    const version = size.unreachable ? null : store.refsVersion;
    await this.session
      .query('repositories')
      .where({ id: store.id })
      .update({ repacked_at: this.#write(at), repacked_version: version });
  }

  cleared(store: KeptStore, size: StoreSize): Promise<void> {
    return this.#noteSize(store, size);
  }

  async ask(projectId: ProjectId, at: Date, unlessAfter: Date): Promise<boolean> {
    const ofProject = () => this.session.query('repositories').where({ project_id: projectId });
    const asked = await ofProject()
      .where((free) => {
        void free.whereNull('housekeeping_asked_at').orWhere('housekeeping_asked_at', '<=', this.#write(unlessAfter));
      })
      // One that failed is tried again.
      .update({ housekeeping_asked_at: this.#write(at), housekeeping_after: null });
    return asked === 1 || (await ofProject().first('id')) === undefined;
  }

  async postpone(store: KeptStore, until: Date): Promise<void> {
    await this.#rowOf(store).update({ housekeeping_after: this.#write(until) });
  }

  async #noteSize(store: KeptStore, { bytes, replacedSince }: StoreSize): Promise<void> {
    await this.#rowOf(store).update({
      replaced_at: replacedSince && this.#write(replacedSince),
      housekeeping_after: null,
    });
    // Of one that reads a pool the most lies there.
    if (store.kind === 'repository') await this.#rowOf(store).whereNull('pool_id').update({ size_bytes: bytes });
  }

  #rowOf({ kind, id }: KeptStore): Knex.QueryBuilder {
    return this.session.query(kind === 'pool' ? 'object_pools' : 'repositories').where({ id });
  }

  /** Not those that wait for the code of their source: what they have of it no ref leads to yet. */
  #repositories(now: Date): Knex.QueryBuilder {
    const { query } = this.session;
    return this.#notPostponed(query('repositories'), now)
      .whereNotNull('project_id')
      .whereNotExists(
        query('code_copies').whereRaw('code_copies.project_id = repositories.project_id').select(query.raw('1')),
      );
  }

  #pools(now: Date): Knex.QueryBuilder {
    return this.#notPostponed(this.session.query('object_pools'), now).whereNull('removal_requested_at');
  }

  #notPostponed(rows: Knex.QueryBuilder, now: Date): Knex.QueryBuilder {
    return rows.where((free) => {
      void free.whereNull('housekeeping_after').orWhere('housekeeping_after', '<=', this.#write(now));
    });
  }

  #write(at: Date) {
    return this.session.dialect.writeInstant(at);
  }
}

const ofRepository = ({ id, store, refs_version, unpacked_pushes, unpacked_bytes }: RepositoryRow): KeptStore => ({
  kind: 'repository',
  id,
  store,
  refsVersion: refs_version,
  pushes: unpacked_pushes,
  bytes: unpacked_bytes,
});

const ofPool = ({ id, store }: PoolRow): KeptStore => ({
  kind: 'pool',
  id,
  store,
  refsVersion: 0,
  pushes: 0,
  bytes: 0,
});
