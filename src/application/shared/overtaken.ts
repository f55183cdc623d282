import { Conflict } from '../../domain/shared/domain-error.js';

/** A text is not the one any more that whoever changes it had before them. */
export class Overtaken extends Conflict {
  constructor() {
    super('Somebody else has changed the text in the same moment. Save again to be shown theirs.');
  }
}

/** What a change of a description may come with. */
export interface DescriptionSeen {
  /** It is made only where the description still is this one. */
  readonly seenDescription?: string;
}

/**
 * Asked of the text that is held, so that nobody changes it between the question and the change.
 *
 * @param seen undefined where it may be put in the place of any other.
 * @param held undefined where it is there no more.
 * @throws Overtaken.
 */
export const requireSeen = (seen: string | undefined, held: string | undefined): void => {
  if (seen !== undefined && seen !== held) throw new Overtaken();
};
