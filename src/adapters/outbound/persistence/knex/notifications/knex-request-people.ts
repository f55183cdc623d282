import type { Knex } from 'knex';
import type {
  DecidersQuery,
  RequestPeople,
  RequestPerson,
} from '../../../../../application/notifications/ports/request-people.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { RequestedPlace } from '../../../../../domain/workspace/access-request.js';
import type { Session } from '../session.js';
import { levelsIn, levelsInNamespace } from '../visibility/levels.js';
import { notificationAddresses, settingsInReach, type SettingsPlace } from './settings-in-reach.js';

interface PlaceRow extends SettingsPlace {
  readonly fullPath: string;
}

type PersonRow = Pick<RequestPerson, 'id' | 'name' | 'username'>;

export class KnexRequestPeople implements RequestPeople {
  constructor(private readonly session: Session) {}

  async pathOf(place: RequestedPlace): Promise<string | undefined> {
    return (await this.#find(place))?.fullPath;
  }

  async deciders(place: RequestedPlace, { level, today, limit }: DecidersQuery): Promise<readonly RequestPerson[]> {
    const found = await this.#find(place);
    if (found === undefined) return [];
    const { query } = this.session;
    const [first, ...others] =
      place.kind === 'project'
        ? levelsIn(query, { id: place.id, namespaceId: found.namespaceId }, { today })
        : levelsInNamespace(query, place.id, { today });
    const levels = first!.unionAll(others).as('levels');
    const people = this.#active()
      .whereIn('id', query.from(levels).where('level', '>=', level).select('user_id'))
      .whereNull('bot_project_id')
      .whereNull('bot_group_id')
      // Who never did is last, on either database.
      .orderByRaw('case when last_sign_in_at is null then 1 else 0 end')
      .orderBy('last_sign_in_at', 'desc')
      .orderBy('id')
      .limit(limit);
    return this.#withSettings(found, (await people) as PersonRow[]);
  }

  async find(place: RequestedPlace, userId: UserId): Promise<RequestPerson | undefined> {
    const found = await this.#find(place);
    if (found === undefined) return undefined;
    const people = (await this.#active().where({ id: userId })) as PersonRow[];
    return (await this.#withSettings(found, people))[0];
  }

  #active(): Knex.QueryBuilder {
    return this.session.query('users').where('state', 'active').select('id', 'name', 'username');
  }

  async #find(place: RequestedPlace): Promise<PlaceRow | undefined> {
    const { query } = this.session;
    if (place.kind === 'group') {
      const { id } = place;
      const group = await query('namespaces').where({ id }).whereNull('removal_requested_at').first('full_path');
      return group && { namespaceId: id, fullPath: group.full_path };
    }
    const { id } = place;
    const project = await query('projects')
      .where({ id })
      .whereNull('removal_requested_at')
      .first('full_path', 'namespace_id');
    return project && { projectId: id, namespaceId: project.namespace_id, fullPath: project.full_path };
  }

  async #withSettings(place: SettingsPlace, people: readonly PersonRow[]): Promise<readonly RequestPerson[]> {
    if (people.length === 0) return [];
    const ids = people.map(({ id }) => id);
    const settings = await settingsInReach(this.session, place, ids);
    const addresses = await notificationAddresses(this.session, ids);
    return people.map((person) => ({
      ...person,
      settings: settings(person.id),
      address: addresses.get(person.id) ?? null,
    }));
  }
}
