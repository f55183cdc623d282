import type { SubjectCopyRepository } from '../../../../../application/collaboration/ports/copy-ports.js';
import { NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { Session } from '../session.js';

/** Others wait for it meanwhile. */
const MOST_NOTES = 5_000;
const MOST_BYTES = 50_000_000;

/** Bindings of one statement at most. */
const AT_ONCE = 500;

const TOO_MUCH = `An issue with more than ${MOST_NOTES} comments, or ${MOST_BYTES / 1_000_000} MB of them, can’t be copied.`;

export class KnexSubjectCopies implements SubjectCopyRepository {
  constructor(private readonly session: Session) {}

  async copyNotes(fromId: number, toId: number, rewrite: (text: string) => string): Promise<void> {
    const before = await this.#notesOf(fromId);
    if (before.length === 0) return;
    await this.session.run(
      `insert into notes (subject_id, author_id, body, system, created_at, updated_at)
       select cast(? as bigint), author_id, body, system, created_at, updated_at from notes where subject_id = ? order by id`,
      [toId, fromId],
    );
    const after = await this.session.query('notes').where({ subject_id: toId }).orderBy('id').pluck('id');
    // Both are in the order of their ids: each note has its copy at the same place.
    const copies = new Map(before.map(({ id }, index) => [id, after[index]!]));
    await this.#rewrite(after, rewrite);
    await this.#copyDiscussions(fromId, toId, before, copies);
    await this.#copyAwards(fromId, toId, copies);
  }

  async copyAttachments(fromId: number, toId: number): Promise<void> {
    const { session } = this;
    await session.run(
      `insert into awards (subject_id, user_id, name, created_at)
       select cast(? as bigint), user_id, name, created_at from awards where subject_id = ? and note_id is null order by id`,
      [toId, fromId],
    );
    await session.run(
      `insert into time_tracking (subject_id, estimated_seconds, spent_seconds)
       select cast(? as bigint), estimated_seconds, spent_seconds from time_tracking where subject_id = ?`,
      [toId, fromId],
    );
    await session.run(
      `insert into subscriptions (subject_id, user_id, subscribed, updated_at)
       select cast(? as bigint), user_id, subscribed, updated_at from subscriptions where subject_id = ?`,
      [toId, fromId],
    );
  }

  /** @throws NotPossible where they would become more than one transaction takes. */
  async #rewrite(ids: readonly number[], rewrite: (text: string) => string): Promise<void> {
    const { query } = this.session;
    let length = 0;
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const notes = await query('notes')
        .whereIn('id', ids.slice(start, start + AT_ONCE))
        .where('system', false)
        .select('id', 'body');
      for (const { id, body } of notes) {
        const written = rewrite(body);
        length += written.length;
        if (length > MOST_BYTES) throw new NotPossible(TOO_MUCH);
        if (written !== body) await query('notes').where({ id }).update({ body: written });
      }
    }
  }

  async #notesOf(subjectId: number): Promise<readonly { id: number; discussion_id: number | null }[]> {
    const { query } = this.session;
    const notes = query('notes').where({ subject_id: subjectId });
    const [size] = (await notes
      .clone()
      .select(query.raw('count(*) as notes'), query.raw('coalesce(sum(octet_length(body)), 0) as bytes'))) as {
      notes: number | string;
      bytes: number | string;
    }[];
    if (Number(size?.notes) > MOST_NOTES || Number(size?.bytes) > MOST_BYTES) throw new NotPossible(TOO_MUCH);
    return notes.orderBy('id').select('id', 'discussion_id');
  }

  async #copyDiscussions(
    fromId: number,
    toId: number,
    notes: readonly { id: number; discussion_id: number | null }[],
    copies: ReadonlyMap<number, number>,
  ): Promise<void> {
    const { query } = this.session;
    const discussions = await query('discussions').where({ subject_id: fromId }).orderBy('id');
    for (const { id, first_note_id, resolved_at, resolved_by_id } of discussions) {
      const within = notes.filter(({ discussion_id }) => discussion_id === id).map((note) => copies.get(note.id)!);
      const first = copies.get(first_note_id) ?? within[0];
      if (first === undefined) continue;
      const [copy] = await query('discussions')
        .insert({ subject_id: toId, first_note_id: first, resolved_at, resolved_by_id })
        .returning('id');
      for (let start = 0; start < within.length; start += AT_ONCE)
        await query('notes')
          .whereIn('id', within.slice(start, start + AT_ONCE))
          .update({ discussion_id: copy!.id });
    }
  }

  async #copyAwards(fromId: number, toId: number, copies: ReadonlyMap<number, number>): Promise<void> {
    const { query } = this.session;
    const awards = await query('awards').where({ subject_id: fromId }).whereNotNull('note_id').orderBy('id');
    const rows = awards.flatMap(({ note_id, user_id, name, created_at }) => {
      const copy = copies.get(note_id ?? 0);
      return copy === undefined ? [] : [{ subject_id: toId, note_id: copy, user_id, name, created_at }];
    });
    for (let start = 0; start < rows.length; start += AT_ONCE / 5)
      await query('awards').insert(rows.slice(start, start + AT_ONCE / 5));
  }
}
