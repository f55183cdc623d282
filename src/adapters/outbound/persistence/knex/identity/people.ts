import type { User } from '../../../../../domain/identity/user.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';

type Person = Pick<User, 'id' | 'username' | 'name' | 'state'>;

/** The columns of a person, where other tables are joined. */
export const PERSON_COLUMNS = ['users.id', 'users.username', 'users.name', 'users.state'];

export const toPerson = ({ id, username, name, state }: Person): Person => ({ id, username, name, state });

const peopleBy = keptByIds<Person>((query, among) =>
  query('users').where(among('id')).select('id', 'username', 'name', 'state'),
);

/** People by their ids; those that are null, or gone, are left out. */
export const readPeople = async (
  session: Session,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number | null, Person>> => {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const rows = await peopleBy(session, wanted);
  return new Map(rows.map((row) => [row.id, toPerson(row)]));
};

/** Those of some accounts that are bots: nobody asks them to do something. */
export const botsAmong = async ({ query }: Session, ids: ReadonlySet<UserId>): Promise<ReadonlySet<UserId>> => {
  const bots = query('users').whereIn('id', [...ids]);
  void bots.where((bot) => void bot.whereNotNull('bot_project_id').orWhereNotNull('bot_group_id'));
  return new Set((await bots.select('id')).map(({ id }) => id));
};
