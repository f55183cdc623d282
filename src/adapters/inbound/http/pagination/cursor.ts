import { Type } from '@sinclair/typebox';
import { oneOf, text } from '../validation/parameters.js';
import type { Position } from '../../../../application/activity/ports/activity-reader.js';
import type { SecretBox } from '../../../../application/shared/ports/secrets.js';
import { ParametersInvalid } from '../http-error.js';

/** What a cursor goes on from, and for whom and what it was made. */
interface Bookmark {
  readonly at: number;
  readonly id: number;
  readonly list: string;
  /** Their id, or 0 for nobody. */
  readonly caller: number;
}

const MAX_CURSOR = 2_000;

export const keysetParameters = {
  pagination: Type.Optional(oneOf(['keyset'], { description: 'Pages by cursors instead of numbers' })),
  cursor: Type.Optional(text(MAX_CURSOR, 'As `Link` gave it, for the same list')),
};

/** Cursors that say nothing to their bearers, can't be forged, and are good for one list and one caller. */
export class Cursors {
  constructor(private readonly box: SecretBox) {}

  seal({ createdAt, id }: Position, list: string, caller: number): string {
    const bookmark: Bookmark = { at: createdAt.getTime(), id, list, caller };
    return this.box.seal(JSON.stringify(bookmark));
  }

  /** @throws ParametersInvalid for one that is not ours, or is of another list or caller. */
  open(cursor: string, list: string, caller: number): Position {
    const bookmark = this.#read(cursor);
    if (bookmark?.list !== list || bookmark.caller !== caller)
      throw new ParametersInvalid([{ parameter: 'cursor', problem: 'is invalid' }]);
    return { createdAt: new Date(bookmark.at), id: bookmark.id };
  }

  #read(cursor: string): Bookmark | undefined {
    try {
      return JSON.parse(this.box.open(cursor)) as Bookmark;
    } catch {
      return undefined;
    }
  }
}
