import { refuseTooMuch } from '../../../domain/collaboration/copied-notes.js';
import type { NewTexts, NoteTextReader } from '../ports/copy-ports.js';

/** So much text is searched before others have a turn. */
const BREATH = 20_000;

/**
 * Finds out, before the transaction that copies them, what becomes of the texts of notes: that may take long, and nobody waits for it.
 *
 * @throws NotPossible where they are, or would become, more than one transaction copies.
 */
export const rewriteNotes = async (
  texts: NoteTextReader,
  subjectId: number,
  rewrite: NewTexts['rewrite'],
): Promise<NewTexts> => {
  const known = new Map<number, { readonly changedAt: number; readonly body: string | null }>();
  let [bytes, searched] = [0, 0];
  for await (const notes of texts.read(subjectId))
    for (const { id, body, changedAt } of notes) {
      const written = rewrite(body);
      bytes += written.length;
      refuseTooMuch({ notes: known.size, bytes });
      known.set(id, { changedAt, body: written === body ? null : written });
      searched += body.length;
      if (searched < BREATH) continue;
      searched = 0;
      await new Promise((resume) => setImmediate(resume));
    }
  return { known, rewrite };
};
