import type {
  OpenSuggestion,
  SuggestionRepository,
} from '../../../../../application/collaboration/ports/note-ports.js';
import type { SuggestedChange, Suggestion } from '../../../../../domain/collaboration/suggestion.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type SuggestionRow = RowOf<'suggestions'>;

export const toSuggestion = (row: SuggestionRow) => ({
  id: row.id,
  above: row.lines_above,
  below: row.lines_below,
  replaced: row.replaced,
  content: row.content,
  outdated: Boolean(row.outdated),
  commitSha: row.commit_sha,
});

const isSame = (one: SuggestedChange, other: SuggestedChange): boolean =>
  one.above === other.above && one.below === other.below && one.content === other.content;

export class KnexSuggestionRepository implements SuggestionRepository {
  constructor(private readonly session: Session) {}

  async openIn(discussionIds: readonly number[]): Promise<readonly OpenSuggestion[]> {
    return (await this.session
      .query('suggestions')
      .join('notes', 'notes.id', 'suggestions.note_id')
      .whereIn('notes.discussion_id', [...discussionIds])
      .where({ commit_sha: null, outdated: false })
      .select(
        'suggestions.id',
        { discussionId: 'notes.discussion_id' },
        { above: 'suggestions.lines_above' },
        { below: 'suggestions.lines_below' },
      )) as OpenSuggestion[];
  }

  async replace(noteId: number, suggestions: readonly Suggestion[]): Promise<void> {
    const { query } = this.session;
    await query('suggestions').where({ note_id: noteId, commit_sha: null }).delete();
    const applied = (await query('suggestions').where({ note_id: noteId })).map(toSuggestion);
    const fresh = suggestions.filter((suggestion) => !applied.some((each) => isSame(each, suggestion)));
    if (fresh.length === 0) return;
    await query('suggestions').insert(
      fresh.map(({ above, below, replaced, content, outdated }) => ({
        ...{ note_id: noteId, lines_above: above, lines_below: below, replaced, content, outdated },
        commit_sha: null,
      })),
    );
  }

  async outdate(ids: readonly number[]): Promise<void> {
    await this.session
      .query('suggestions')
      .whereIn('id', [...ids])
      .update({ outdated: true });
  }

  async apply(ids: readonly number[], commitSha: string): Promise<boolean> {
    const open = this.session.query('suggestions').whereIn('id', [...ids]);
    const applied = await open.where({ commit_sha: null, outdated: false }).update({ commit_sha: commitSha });
    return applied === ids.length;
  }
}
