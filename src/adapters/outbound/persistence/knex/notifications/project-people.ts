import type { Knex } from 'knex';
import type { Person, TopicProject } from '../../../../../application/notifications/ports/audience-ports.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { levelsIn } from '../visibility/levels.js';
import { lineageOf } from '../visibility/lineage.js';
import { notificationAddresses, settingsInReach } from './settings-in-reach.js';

/** What is known of somebody beside a project, whatever they are to be told about. */
export type ProjectPerson = Pick<Person, 'id' | 'name' | 'active' | 'admin' | 'level' | 'settings' | 'address'>;

/** Part of the people of a project: all of its members, or whoever chose to hear of what happens in it. */
export type Part = 'members' | 'choosers';

export interface Slice {
  readonly after: number;
  readonly limit: number;
}

const WATCHING = ['watch', 'custom'];

/** The people of a project as of a day. Whoever asks for the same again gets what was found before. */
export class ProjectPeople {
  readonly #found = new Map<string, Promise<unknown>>();

  constructor(
    private readonly session: Session,
    private readonly project: Pick<TopicProject, 'id' | 'namespaceId'>,
    private readonly today: string,
  ) {}

  /** The ids of active ones, ascending. */
  idsOf(part: Part, slice: Slice): Promise<readonly UserId[]> {
    return this.#once([part, slice.after, slice.limit], async () => {
      const concerned = part === 'members' ? this.#members() : this.#choosers();
      return findActive(this.session.query, concerned, slice);
    });
  }

  /** In the order of their ids. */
  findAll(ids: readonly UserId[]): Promise<readonly ProjectPerson[]> {
    return this.#once(ids, () => this.#read(ids));
  }

  #once<Found>(asked: readonly unknown[], find: () => Promise<Found>): Promise<Found> {
    const key = asked.join();
    const found = (this.#found.get(key) as Promise<Found> | undefined) ?? find();
    this.#found.set(key, found);
    return found;
  }

  #members(): readonly Knex.QueryBuilder[] {
    const { query } = this.session;
    return levelsIn(query, this.project, { today: this.today }).map((members) =>
      query.from(members.as('m')).select('user_id'),
    );
  }

  /** Of the members those alone who watch everywhere: the others take part, or are not concerned. */
  #choosers(): readonly Knex.QueryBuilder[] {
    const { query } = this.session;
    const watchers = query('notification_settings').whereIn('level', WATCHING).select('user_id');
    return [
      query('project_notification_settings')
        .where({ project_id: this.project.id })
        .whereIn('level', WATCHING)
        .select('user_id'),
      query('group_notification_settings')
        .whereIn('namespace_id', lineageOf(query, this.project.namespaceId).select('id'))
        .whereIn('level', WATCHING)
        .select('user_id'),
      ...this.#members().map((members) => members.whereIn('user_id', watchers.clone())),
    ];
  }

  async #read(ids: readonly UserId[]): Promise<readonly ProjectPerson[]> {
    const rows = await this.session
      .query('users')
      .whereIn('id', [...ids])
      .orderBy('id')
      .select('id', 'name', 'state', 'admin');
    const levels = await this.#levels(ids);
    const { id: projectId, namespaceId } = this.project;
    const settings = await settingsInReach(this.session, { projectId, namespaceId }, ids);
    const addresses = await notificationAddresses(this.session, ids);
    return rows.map(({ id, name, state, admin }) => ({
      id,
      name,
      active: state === 'active',
      admin: Boolean(admin),
      level: levels.get(id) ?? ACCESS_LEVEL.none,
      settings: settings(id),
      address: addresses.get(id) ?? null,
    }));
  }

  async #levels(ids: readonly UserId[]): Promise<ReadonlyMap<UserId, number>> {
    const levels = new Map<UserId, number>();
    const [first, ...others] = levelsIn(this.session.query, this.project, { today: this.today, of: ids });
    const rows = (await first!.unionAll(others)) as { user_id: UserId; level: number }[];
    for (const row of rows) levels.set(row.user_id, Math.max(levels.get(row.user_id) ?? 0, row.level));
    return levels;
  }
}

/** A query of the active ones among those whom queries of `user_id` find, by id. */
export const activeAmong = (
  query: Knex,
  concerned: readonly Knex.QueryBuilder[],
  { after, limit }: { readonly after: Knex.Value; readonly limit: number },
): Knex.QueryBuilder => {
  const ids = concerned.reduce((union, part) => union.unionAll(part));
  return query('users')
    .whereIn('id', query.from(ids.as('concerned')).select('user_id'))
    .where('state', 'active')
    .where('id', '>', after as number)
    .orderBy('id')
    .limit(limit)
    .select('id');
};

const findActive = async (
  query: Knex,
  concerned: readonly Knex.QueryBuilder[],
  slice: Slice,
): Promise<readonly UserId[]> => {
  const rows = (await activeAmong(query, concerned, slice)) as { id: UserId }[];
  return rows.map(({ id }) => id);
};
