import type { Knex } from 'knex';
import type {
  AwardReader,
  GivenAward,
  Reaction,
  ReactionQuery,
} from '../../../../../application/collaboration/ports/award-ports.js';
import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';
import { THUMBS_DOWN, THUMBS_UP, type Awarded } from '../../../../../domain/collaboration/award.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { toPerson } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { reactionsOn } from './knex-reactions.js';

type AwardRow = Omit<RowOf<'awards'>, 'user_id'> &
  Omit<Person, 'id'> & { readonly user_id: Person['id']; readonly award_name: string };

export class KnexAwardReader implements AwardReader {
  constructor(private readonly session: Session) {}

  list(awarded: Awarded, page: PageRequest): Promise<Page<GivenAward>> {
    const list = this.#of(awarded).orderBy('awards.id');
    return pageOfRows(this.session, list, page, (row: AwardRow) => this.#toAward(row));
  }

  async find(awarded: Awarded, id: number): Promise<GivenAward | undefined> {
    const row = (await this.#of(awarded).where('awards.id', id).first()) as AwardRow | undefined;
    return row && this.#toAward(row);
  }

  reactions(query: ReactionQuery): Promise<readonly Reaction[]> {
    return reactionsOn(this.session, query);
  }

  #of({ subjectId, noteId }: Awarded): Knex.QueryBuilder {
    const awards = this.session.query('awards') as Knex.QueryBuilder;
    return awards
      .join('users', 'users.id', 'awards.user_id')
      .where({ 'awards.subject_id': subjectId, 'awards.note_id': noteId })
      .select('awards.id', 'awards.subject_id', 'awards.note_id', 'awards.user_id', 'awards.created_at', {
        award_name: 'awards.name',
        username: 'users.username',
        name: 'users.name',
        state: 'users.state',
      });
  }

  #toAward(row: AwardRow): GivenAward {
    return {
      id: row.id,
      name: row.award_name,
      subjectId: row.subject_id,
      noteId: row.note_id,
      user: toPerson({ ...row, id: row.user_id }),
      createdAt: this.session.dialect.readInstant(row.created_at),
    };
  }
}

export interface Votes {
  readonly up: number;
  readonly down: number;
}

interface VotesRow {
  readonly subject_id: number;
  readonly name: string;
  readonly count: number | string;
}

const votesBySubject = keptByIds<VotesRow>((query, among) =>
  query('awards')
    .where(among('subject_id'))
    .whereNull('note_id')
    .whereIn('name', [THUMBS_UP, THUMBS_DOWN])
    .groupBy('subject_id', 'name')
    .select('subject_id', 'name')
    .count({ count: '*' }),
);

/** How many are for subjects and against them. */
export const votesOfSubjects = async (
  session: Session,
  ids: readonly number[],
): Promise<(subjectId: number) => Votes> => {
  const rows = await votesBySubject(session, ids);
  const of = (id: number, name: string): number =>
    Number(rows.find((row) => row.subject_id === id && row.name === name)?.count ?? 0);
  return (id) => ({ up: of(id, THUMBS_UP), down: of(id, THUMBS_DOWN) });
};
