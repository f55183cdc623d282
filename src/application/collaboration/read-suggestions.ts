import type { DiscussionPlace } from '../../domain/shared/diff-position.js';
import { suggestionsIn, type Suggestion } from '../../domain/collaboration/suggestion.js';
import type { DiscussionReader } from './ports/discussion-ports.js';
import type { DiffsOfSubject, SubjectDetails } from './ports/subject-ports.js';

/** Characters that the suggestions of one comment replace, in all; one that would replace more stays a block of code. */
const MOST_REPLACED = 262_144;

/** The diffs of a subject; undefined where its kind has none. */
export type DiffsOf = (subject: SubjectDetails) => DiffsOfSubject | undefined;

/** Reads the lines that the suggestions of a comment would replace. */
export class ReadSuggestions {
  constructor(
    private readonly diffsOf: DiffsOf,
    private readonly reader: Pick<DiscussionReader, 'find'>,
  ) {}

  /** @throws Unavailable. */
  async execute(
    subject: SubjectDetails,
    place: DiscussionPlace | null | undefined,
    body: string,
  ): Promise<readonly Suggestion[]> {
    const line = place?.position.newLine ?? null;
    const changes = line === null ? [] : suggestionsIn(body);
    if (place == null || line === null || changes.length === 0) return [];
    const lines = (await this.diffsOf(subject)?.lines(subject, place.position)) ?? [];
    if (lines.length < line) return [];
    let left = MOST_REPLACED;
    return changes.flatMap((change) => {
      const replaced = replacedBy(lines, line, change);
      left -= replaced.length;
      return left < 0 ? [] : [{ ...change, replaced, outdated: place.outdated }];
    });
  }

  /** The same of an answer in the discussion that begins with a note. */
  async ofReply(subject: SubjectDetails, firstNoteId: number, body: string): Promise<readonly Suggestion[]> {
    // Where it is need not be known of a text that suggests nothing.
    if (suggestionsIn(body).length === 0) return [];
    return this.execute(subject, (await this.reader.find(subject.id, firstNoteId))?.notes[0]?.place, body);
  }
}

/** What stands in the lines of a file that a suggestion beside one of them replaces. */
const replacedBy = (
  lines: readonly string[],
  line: number,
  { above, below }: Pick<Suggestion, 'above' | 'below'>,
): string => lines.slice(Math.max(line - above, 1) - 1, line + below).join('');
