import { setImmediate as others } from 'node:timers/promises';
import type { NewTexts, SubjectCopyRepository } from '../../../../../application/collaboration/ports/copy-ports.js';
import { refuseTooMuch } from '../../../../../domain/collaboration/copied-notes.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import { bytesOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

/** Bindings of one statement at most. */
const AT_ONCE = 500;
/** So much text is written before others have a turn. */
const BREATH = 100_000;
/** What a statement costs beside its text. */
const STATEMENT = 2_000;

type CopiedNote = Pick<RowOf<'notes'>, 'id' | 'discussion_id' | 'system' | 'updated_at'> & SizedRow;

export class KnexSubjectCopies implements SubjectCopyRepository {
  constructor(private readonly session: Session) {}

  async copyNotes(fromId: number, toId: number, texts: NewTexts | undefined): Promise<void> {
    const notes = await this.#notesOf(fromId);
    if (notes.length === 0) return;
    const copies = new Map<number, number>();
    const copySome = (some: readonly CopiedNote[]) => this.#copySome(some, toId);
    for await (const pairs of readInBatches(notes, bytesOf, copySome))
      for (const [id, copyId] of pairs) copies.set(id, copyId);
    if (texts !== undefined) await this.#rewrite(notes, copies, texts);
    await this.#copyDiscussions(fromId, toId, notes, copies);
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

  /** @returns the id of each note with that of its copy. @throws Conflict. */
  async #copySome(notes: readonly CopiedNote[], toId: number): Promise<readonly (readonly [number, number])[]> {
    const pairs: [number, number][] = [];
    for (let start = 0; start < notes.length; start += AT_ONCE) {
      const ids = notes.slice(start, start + AT_ONCE).map(({ id }) => id);
      const rows = await this.session.run<{ id: number }>(
        `insert into notes (subject_id, author_id, body, system, created_at, updated_at)
         select cast(? as bigint), author_id, body, system, created_at, updated_at from notes
         where id in (${ids.map(() => '?').join(', ')}) order by id returning id`,
        [toId, ...ids],
      );
      // Both are in the order of their ids: each note has its copy at the same place.
      if (rows.length < ids.length) throw new Conflict('A comment was removed meanwhile. Try again.');
      const made = rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
      pairs.push(...ids.map((id, at): [number, number] => [id, made[at]!]));
    }
    return pairs;
  }

  /** @throws NotPossible where they would become more than one transaction takes. */
  async #rewrite(
    notes: readonly CopiedNote[],
    copies: ReadonlyMap<number, number>,
    { known, rewrite }: NewTexts,
  ): Promise<void> {
    const { query, dialect } = this.session;
    let [bytes, sinceTurn] = [0, 0];
    for (const { id, system, updated_at } of notes) {
      if (Boolean(system)) continue;
      const found = known.get(id);
      const current = found?.changedAt === dialect.readInstant(updated_at).getTime();
      const written = current ? found.body : rewrite((await query('notes').where({ id }).first('body'))?.body ?? '');
      if (written === null) continue;
      bytes += written.length;
      refuseTooMuch({ notes: notes.length, bytes });
      await query('notes')
        .where({ id: copies.get(id)! })
        .update({ body: written });
      sinceTurn += written.length + STATEMENT;
      if (sinceTurn < BREATH) continue;
      sinceTurn = 0;
      await others();
    }
  }

  async #notesOf(subjectId: number): Promise<readonly CopiedNote[]> {
    const { query } = this.session;
    const notes = query('notes').where({ subject_id: subjectId });
    const bytes = query.raw('octet_length(body)');
    const [size] = (await notes
      .clone()
      .select({ notes: query.raw('count(*)') }, { bytes: query.raw('coalesce(sum(octet_length(body)), 0)') })) as {
      notes: number | string;
      bytes: number | string;
    }[];
    refuseTooMuch({ notes: Number(size?.notes), bytes: Number(size?.bytes) });
    return notes.orderBy('id').select('id', 'discussion_id', 'system', 'updated_at', { bytes }) as unknown as Promise<
      readonly CopiedNote[]
    >;
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
