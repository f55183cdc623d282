import type { Knex } from 'knex';
import type {
  DecidersQuery,
  RequestPeople,
  RequestPerson,
} from '../../../../../application/notifications/ports/request-people.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { isVisibleWithoutMembership, type Visibility } from '../../../../../domain/shared/visibility.js';
import type { RequestedPlace } from '../../../../../domain/workspace/access-request.js';
import type { Session } from '../session.js';
import { levelsIn, levelsInNamespace, type LevelsQuery } from '../visibility/levels.js';
import { notificationAddresses, settingsInReach, type SettingsPlace } from './settings-in-reach.js';

interface PlaceRow extends SettingsPlace {
  readonly fullPath: string;
  readonly visibility: Visibility;
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
    const levels = this.#levels(place, found, { today });
    const people = this.#active()
      .whereIn('id', levels.where('level', '>=', level).select('user_id'))
      .whereNull('bot_project_id')
      .whereNull('bot_group_id')
      // Who never did is last, on either database.
      .orderByRaw('case when last_sign_in_at is null then 1 else 0 end')
      .orderBy('last_sign_in_at', 'desc')
      .orderBy('id')
      .limit(limit);
    return this.#withSettings(found, (await people) as PersonRow[]);
  }

  async find(place: RequestedPlace, userId: UserId, today: string): Promise<RequestPerson | undefined> {
    const found = await this.#find(place);
    if (found === undefined) return undefined;
    const seen =
      isVisibleWithoutMembership(found.visibility, true) ||
      (await this.#levels(place, found, { today, of: [userId] }).first('level')) !== undefined;
    if (!seen) return undefined;
    const people = (await this.#active().where({ id: userId })) as PersonRow[];
    return (await this.#withSettings(found, people))[0];
  }

  /** `user_id` and `level` of who has one there; some have several. */
  #levels(place: RequestedPlace, { namespaceId }: PlaceRow, who: LevelsQuery): Knex.QueryBuilder {
    const { query } = this.session;
    const [first, ...others] =
      place.kind === 'project'
        ? levelsIn(query, { id: place.id, namespaceId }, who)
        : levelsInNamespace(query, place.id, who);
    return query.from(first!.unionAll(others).as('levels'));
  }

  #active(): Knex.QueryBuilder {
    return this.session.query('users').where('state', 'active').select('id', 'name', 'username');
  }

  async #find(place: RequestedPlace): Promise<PlaceRow | undefined> {
    const { query } = this.session;
    if (place.kind === 'group') {
      const { id } = place;
      const group = await query('namespaces')
        .where({ id })
        .whereNull('removal_requested_at')
        .first('full_path', 'visibility');
      return group && { namespaceId: id, fullPath: group.full_path, visibility: group.visibility };
    }
    const { id } = place;
    const project = await query('projects')
      .where({ id })
      .whereNull('removal_requested_at')
      .first('full_path', 'namespace_id', 'visibility');
    return (
      project && {
        ...{ projectId: id, namespaceId: project.namespace_id },
        ...{ fullPath: project.full_path, visibility: project.visibility },
      }
    );
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
