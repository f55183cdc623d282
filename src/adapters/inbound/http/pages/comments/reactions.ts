import type { Awards } from '../../../../../application/collaboration/awards.js';
import type { AwardReader, EmojiOf, Reaction } from '../../../../../application/collaboration/ports/award-ports.js';
import type { NoteReader } from '../../../../../application/collaboration/ports/note-ports.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { SubjectKind } from '../../../../../domain/shared/subject.js';
import { isOffered, SUBJECT_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, pathNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { addressOfNote } from './comment-page.js';
import type { FoundToDiscuss } from './find-to-discuss.js';

export interface ReactionParts {
  readonly awards: Awards;
  readonly awardReader: AwardReader;
  readonly emojiOf: EmojiOf;
  readonly noteReader: NoteReader;
}

/** What people mostly say without words, by the names of the emoji; any other is given by a line such as `/award fish`, or by the API. */
const USUAL = ['thumbsup', 'thumbsdown', 'smile', 'tada', 'heart', 'rocket', 'eyes', 'confused'];
const WORDS: Readonly<Record<string, string>> = { thumbsup: 'thumbs up', thumbsdown: 'thumbs down' };

interface ShownEmoji {
  readonly name: string;
  /** As it is written where there is none any more. */
  readonly emoji: string;
  readonly words: string;
}

/** An emoji that was given, and by whom. */
interface ShownReaction extends ShownEmoji, Pick<Reaction, 'count' | 'own'> {
  readonly who: string;
}

/** What was given to what a page shows. */
export interface ShownReactions {
  readonly mayReact: boolean;
  /** @param noteId null for what is commented on. */
  readonly to: (noteId: number | null) => {
    readonly given: readonly ShownReaction[];
    /** The usual ones that the reader has not given. */
    readonly offered: readonly ShownEmoji[];
  };
}

const shown = (emojiOf: EmojiOf, name: string): ShownEmoji => ({
  name,
  emoji: emojiOf(name) ?? `:${name}:`,
  words: WORDS[name] ?? name.replaceAll('_', ' '),
});

const whoGave = ({ people, count }: Reaction): string => {
  const others = count - people.length;
  const named = others > 0 ? [...people, `${others} more`] : people;
  return named.length === 1 ? named[0]! : `${named.slice(0, -1).join(', ')} and ${named.at(-1)!}`;
};

/** What is commented on, as a page shows it. */
interface Discussed {
  readonly id: number;
  readonly kind: SubjectKind;
  readonly place: Pick<Permitted<'read_project'>, 'project' | 'level'>;
}

/** What was given to a subject and to those of its comments that a page shows, in one look-up. */
export const readReactions = async (
  { awardReader, emojiOf }: Pick<ReactionParts, 'awardReader' | 'emojiOf'>,
  { browser: { user } }: PageContext,
  { id: subjectId, kind, place: { project, level } }: Discussed,
  notes: readonly { readonly id: number }[],
): Promise<ShownReactions> => {
  const noteIds = notes.map(({ id }) => id);
  const reactions = await awardReader.reactions({ subjectId, noteIds, userId: user?.id });
  const byThing = Map.groupBy(reactions, ({ noteId }) => noteId);
  const usual = USUAL.map((name) => shown(emojiOf, name));
  return {
    mayReact: user !== undefined && isOffered(project, level, SUBJECT_PERMISSIONS[kind].discuss),
    to: (noteId) => {
      const given = byThing.get(noteId) ?? [];
      const own = new Set(given.filter((reaction) => reaction.own).map(({ name }) => name));
      return {
        given: given.map((reaction) => ({
          ...shown(emojiOf, reaction.name),
          count: reaction.count,
          own: reaction.own,
          who: whoGave(reaction),
        })),
        offered: usual.filter(({ name }) => !own.has(name)),
      };
    },
  };
};

/** What people react to. */
interface ReactedPage {
  /** Of its page. */
  readonly path: string;
  readonly find: (context: PageContext) => Promise<FoundToDiscuss>;
  /** Whether its comments alone are given emoji. */
  readonly commentsOnly?: true;
}

/** One button gives an emoji, or takes one's own back: pressed twice, or after a reload, it does no more. */
export const addReactions = (
  pages: Pages,
  { awards, noteReader }: ReactionParts,
  { path, find, commentsOnly }: ReactedPage,
): void => {
  const react = (context: PageContext, thing: Parameters<Awards['react']>[1]): Promise<void> => {
    const taken = field(context.request, 'take');
    const reaction = { name: taken || field(context.request, 'give'), given: taken === '' };
    return awards.react(actorOf(context.browser), thing, reaction);
  };

  if (commentsOnly !== true)
    pages.post(`${path}/reactions`, 'signed_in', async (context) => {
      const found = await find(context);
      await react(context, { found, note: null });
      context.response.redirect(303, `${found.address}#reactions`);
    });

  pages.post(`${path}/notes/:id/reactions`, 'signed_in', async (context) => {
    const found = await find(context);
    const note = orNotFound(await noteReader.find(found.subject.id, pathNumber(context.request)), 'Note');
    await react(context, { found, note });
    const onChanges = field(context.request, 'on') === 'changes';
    const to = onChanges ? `${found.address}/diffs#note_${note.id}` : addressOfNote(found.address, note.id);
    context.response.redirect(303, to);
  });
};
