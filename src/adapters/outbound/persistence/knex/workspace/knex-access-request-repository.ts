import type {
  AccessRequestProfile,
  AccessRequestReader,
  AccessRequestRepository,
} from '../../../../../application/workspace/ports/access-requests.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import {
  rememberedUntil,
  type AccessRequest,
  type RequestedPlace,
} from '../../../../../domain/workspace/access-request.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { idsInside } from '../visibility/lineage.js';

const askedAlready = () => new Conflict('You have asked for access already');

const REFUSALS = {
  access_requests_user_id_project_id_unique: askedAlready,
  access_requests_user_id_namespace_id_unique: askedAlready,
};

const columnOf = ({ kind, id }: RequestedPlace): object =>
  kind === 'project' ? { project_id: id } : { namespace_id: id };

export class KnexAccessRequestRepository implements AccessRequestRepository {
  constructor(private readonly session: Session) {}

  async add({ place, userId, requestedAt }: AccessRequest): Promise<{ readonly again: boolean }> {
    const { query, dialect } = this.session;
    const row = {
      user_id: userId,
      ...columnOf(place),
      requested_at: dialect.writeInstant(requestedAt),
      expires_at: null,
    };
    // One that has ended makes room for it.
    const ended = this.#of(place, userId).whereNotNull('expires_at');
    const before = await ended.clone().first('expires_at');
    if (before !== undefined) await ended.delete();
    await onUniqueViolation(query('access_requests').insert(row), REFUSALS);
    return { again: before?.expires_at != null && dialect.readInstant(before.expires_at) > requestedAt };
  }

  async instantsOf(userId: UserId, since: Date): Promise<readonly Date[]> {
    const { query, dialect } = this.session;
    const rows = await query('access_requests')
      .where({ user_id: userId })
      .andWhere('requested_at', '>', dialect.writeInstant(since))
      .orderBy('requested_at', 'desc')
      .select('requested_at');
    return rows.map((row) => dialect.readInstant(row.requested_at));
  }

  async countOf(userId: UserId): Promise<number> {
    return (await this.session.query('access_requests').where({ user_id: userId, expires_at: null }).select('id'))
      .length;
  }

  async countIn(place: RequestedPlace): Promise<number> {
    // The rows that are there can be held, but not those that others are about to add.
    await this.session.hold(`requests for access to ${place.kind} ${place.id}`);
    const [row] = await this.session
      .query('access_requests')
      .where(columnOf(place))
      .whereNull('expires_at')
      .count({ all: '*' });
    return Number(row?.all);
  }

  deny(place: RequestedPlace, userId: UserId, at: Date): Promise<boolean> {
    return this.#end(place, userId, at);
  }

  withdraw(place: RequestedPlace, userId: UserId, at: Date): Promise<boolean> {
    return this.#end(place, userId, at);
  }

  async grant(place: RequestedPlace, userId: UserId): Promise<boolean> {
    return (await this.#of(place, userId).whereNull('expires_at').delete()) > 0;
  }

  async settle(place: RequestedPlace, userId: UserId): Promise<void> {
    if (place.kind === 'project') {
      await this.#of(place, userId).delete();
      return;
    }
    // Nearly nobody has any, and a group may hold thousands.
    if ((await this.countOf(userId)) === 0) return;
    const { query } = this.session;
    await query('access_requests')
      .where({ user_id: userId })
      .andWhere((below) => {
        void below
          .whereIn('namespace_id', idsInside(query, place.id))
          .orWhereIn('project_id', query('projects').whereIn('namespace_id', idsInside(query, place.id)).select('id'));
      })
      .delete();
  }

  async removeAllOf(userId: UserId): Promise<void> {
    await this.session.query('access_requests').where({ user_id: userId }).delete();
  }

  async #end(place: RequestedPlace, userId: UserId, at: Date): Promise<boolean> {
    const expires_at = this.session.dialect.writeInstant(rememberedUntil(at));
    return (await this.#of(place, userId).whereNull('expires_at').update({ expires_at })) > 0;
  }

  #of(place: RequestedPlace, userId: UserId) {
    return this.session.query('access_requests').where({ user_id: userId }).andWhere(columnOf(place));
  }
}

type ProfileRow = RowOf<'access_requests'> & {
  readonly username: string;
  readonly name: string;
  readonly state: UserState;
};

export class KnexAccessRequestReader implements AccessRequestReader {
  constructor(private readonly session: Session) {}

  list(place: RequestedPlace, page: PageRequest): Promise<Page<AccessRequestProfile>> {
    return pageOfRows(this.session, this.#of(place), page, (row: ProfileRow) => this.#toProfile(place, row));
  }

  async find(place: RequestedPlace, userId: UserId): Promise<AccessRequestProfile | undefined> {
    const row = (await this.#of(place).andWhere('access_requests.user_id', userId).first()) as ProfileRow | undefined;
    return row && this.#toProfile(place, row);
  }

  #of(place: RequestedPlace) {
    return this.session
      .query('access_requests')
      .join('users', 'users.id', 'access_requests.user_id')
      .where(place.kind === 'project' ? 'access_requests.project_id' : 'access_requests.namespace_id', place.id)
      .whereNull('access_requests.expires_at')
      .orderBy('access_requests.id')
      .select('access_requests.*', 'users.username', 'users.name', 'users.state');
  }

  #toProfile(place: RequestedPlace, row: ProfileRow): AccessRequestProfile {
    const { user_id: userId, username, name, state } = row;
    return { place, userId, username, name, state, requestedAt: this.session.dialect.readInstant(row.requested_at) };
  }
}
