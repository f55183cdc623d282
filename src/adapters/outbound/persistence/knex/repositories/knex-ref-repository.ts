import type {
  RefMove,
  RefRepository,
  RefTip,
} from '../../../../../application/repositories/ports/repository-repositories.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import { foldersAbove } from '../../../../../domain/repositories/ref-name.js';
import type { Session } from '../session.js';
import { markStale } from './mark-stale.js';

/** Bindings of one statement at most. */
const AT_ONCE = 500;

/** The first text after every one that begins with a prefix that ends in a slash. */
const afterFolder = (folder: string): string => `${folder.slice(0, -1)}0`;

export class KnexRefRepository implements RefRepository {
  constructor(private readonly session: Session) {}

  async targetsOf(repositoryId: number, refs: readonly string[]): Promise<ReadonlyMap<string, ObjectId>> {
    const found = new Map<string, ObjectId>();
    for (let start = 0; start < refs.length; start += AT_ONCE) {
      const rows = (await this.session
        .query('refs')
        .where({ repository_id: repositoryId })
        .whereIn('name', refs.slice(start, start + AT_ONCE))
        .select('name', 'target')) as { name: string; target: ObjectId }[];
      for (const { name, target } of rows) found.set(name, target);
    }
    return found;
  }

  async hasBranches(repositoryId: number): Promise<boolean> {
    const rows = await this.session.run(
      `select name from refs where repository_id = ? and name >= 'refs/heads/' and name < 'refs/heads0' limit 1`,
      [repositoryId],
    );
    return rows.length > 0;
  }

  async conflicting(repositoryId: number, ref: string): Promise<string | undefined> {
    const above = foldersAbove(ref);
    const parent = (await this.session
      .query('refs')
      .where({ repository_id: repositoryId })
      .whereIn('name', above)
      .first('name')) as { name: string } | undefined;
    if (parent !== undefined) return parent.name;
    const below = (await this.#between(repositoryId, `${ref}/`).first('name')) as { name: string } | undefined;
    return below?.name;
  }

  async move(repositoryId: number, move: RefMove): Promise<boolean> {
    const { from } = move;
    const moved = await (from === null ? this.#add(repositoryId, move) : this.#change(repositoryId, from, move));
    if (moved) await markStale(this.session, repositoryId, [move.ref]);
    return moved;
  }

  async keepTip(
    repositoryId: number,
    lost: { readonly ref: string; readonly target: ObjectId },
    at: Date,
  ): Promise<void> {
    const [row] = (await this.session
      .query('kept_tips')
      .insert({ repository_id: repositoryId, ...lost, lost_at: this.session.dialect.writeInstant(at) })
      .returning('id')) as { id: number }[];
    await markStale(this.session, repositoryId, [`refs/keep/${row!.id}`]);
  }

  async dropTips(before: Date, limit: number): Promise<number> {
    const { query, dialect } = this.session;
    const rows = (await query('kept_tips')
      .where('lost_at', '<', dialect.writeInstant(before))
      .orderBy('lost_at')
      .limit(limit)
      .select('id', 'repository_id')) as { id: number; repository_id: number }[];
    for (const { id, repository_id: repositoryId } of rows) {
      await query('kept_tips').where({ id }).delete();
      await markStale(this.session, repositoryId, [`refs/keep/${id}`]);
    }
    return rows.length;
  }

  #between(repositoryId: number, folder: string) {
    return this.session
      .query('refs')
      .where({ repository_id: repositoryId })
      .where('name', '>=', folder)
      .where('name', '<', afterFolder(folder));
  }

  async #add(repositoryId: number, { ref, to }: RefMove): Promise<boolean> {
    if (to === null) return false;
    const { query } = this.session;
    // A violation would end the transaction of one of the databases: the insert says itself whether it was first.
    const insert = query('refs')
      .insert({ repository_id: repositoryId, name: ref, ...this.#columns(repositoryId, to) })
      .onConflict(['repository_id', 'name'])
      .ignore()
      .returning('name');
    const rows = (await insert) as unknown[];
    return rows.length === 1;
  }

  async #change(repositoryId: number, from: ObjectId, { ref, to, unmovedSince }: RefMove): Promise<boolean> {
    const unmoved = unmovedSince === undefined ? '' : 'and version <= ?';
    const place = [repositoryId, ref, from, ...(unmovedSince === undefined ? [] : [unmovedSince])];
    const where = `where repository_id = ? and name = ? and target = ? ${unmoved} returning name`;
    const moved =
      to === null
        ? await this.session.run(`delete from refs ${where}`, place)
        : await this.session.run(
            `update refs set target = ?, peeled = ?, committed_at = ?,
               version = (select refs_version + 1 from repositories where id = ?) ${where}`,
            [to.target, to.peeled, this.#writtenInstant(to), repositoryId, ...place],
          );
    return moved.length === 1;
  }

  #writtenInstant({ committedAt }: RefTip) {
    return committedAt && this.session.dialect.writeInstant(committedAt);
  }

  #columns(repositoryId: number, tip: RefTip) {
    const { target, peeled } = tip;
    // The one that `markStale` counts up to: the row is locked.
    const version = this.session.query.raw('(select refs_version + 1 from repositories where id = ?)', [repositoryId]);
    return { target, peeled, committed_at: this.#writtenInstant(tip), version };
  }
}
