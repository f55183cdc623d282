import type { Knex } from 'knex';
import type { BotRepository, BotsOf, NewBot } from '../../../../../application/identity/ports/bot-repository.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { BotPlace } from '../../../../../domain/identity/bot.js';
import { usernameKey, type User } from '../../../../../domain/identity/user.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';
import { isLasting } from './narrow-tokens.js';
import { toUser, type UserRow } from './user-row.js';

/** The bots of a place, among `users`. */
export const botsOfPlace = ({ kind, id }: BotPlace): Readonly<Record<string, number>> =>
  kind === 'project' ? { 'users.bot_project_id': id } : { 'users.bot_group_id': id };

export class KnexBotRepository implements BotRepository {
  constructor(
    private readonly session: Session,
    private readonly clock: Clock,
  ) {}

  async add({ username, name, place, accessLevel, createdAt }: NewBot): Promise<User> {
    const { query, dialect } = this.session;
    const [row] = (await query('users')
      .insert({
        username,
        username_key: usernameKey(username),
        name,
        search_key: searchKey(username, name),
        state: 'active',
        admin: false,
        password_hash: null,
        failed_attempts: 0,
        created_at: dialect.writeInstant(createdAt),
        bot_project_id: place.kind === 'project' ? place.id : null,
        bot_group_id: place.kind === 'group' ? place.id : null,
        bot_access_level: accessLevel,
      })
      .returning('*')) as UserRow[];
    return toUser(row!, dialect);
  }

  async holdAtLeast(place: BotPlace, number: number, today: string): Promise<boolean> {
    await this.session.hold(`access tokens of ${place.kind} ${place.id}`);
    const tokens = this.session
      .query('users')
      .join('personal_access_tokens', 'personal_access_tokens.user_id', 'users.id')
      .where(botsOfPlace(place))
      .whereNull('personal_access_tokens.revoked_at')
      .where(isLasting(today))
      .orderBy('personal_access_tokens.id');
    return (await tokens.offset(number - 1).first('personal_access_tokens.id')) !== undefined;
  }

  async findExpired(today: string): Promise<UserId | undefined> {
    const { query } = this.session;
    const works = query('personal_access_tokens')
      .whereRaw('personal_access_tokens.user_id = users.id')
      .whereNull('personal_access_tokens.revoked_at')
      .where(isLasting(today));
    const row = await query('users')
      .where((bots) => void bots.whereNotNull('bot_project_id').orWhereNotNull('bot_group_id'))
      .where({ state: 'active' })
      .whereNotExists(works)
      .orderBy('id')
      .first('id');
    return row?.id;
  }

  async retire(id: UserId): Promise<void> {
    await this.session.query('users').where({ id }).update({ state: 'blocked' });
  }

  async retireAll(of: BotsOf): Promise<void> {
    const { query, dialect } = this.session;
    // Waits for whoever rotates a token of one; the next statement sees what they made.
    await this.#among(of).where({ state: 'active' }).update({ state: 'blocked' });
    await query('personal_access_tokens')
      .whereNull('revoked_at')
      .whereIn('user_id', this.#among(of).select('id'))
      .update({ revoked_at: dialect.writeInstant(this.clock.now()) });
  }

  #among(of: BotsOf): Knex.QueryBuilder {
    const { query } = this.session;
    const bots = query('users');
    if (of.kind === 'project') return bots.where({ bot_project_id: of.id });
    if (of.kind === 'group') return bots.whereIn('bot_group_id', idsInside(query, of.id));
    const own = query('namespaces').where({ owner_id: of.id }).select('id');
    return bots.whereIn('bot_project_id', query('projects').whereIn('namespace_id', own).select('id'));
  }
}
