/** An award by its name, as `thumbsup`. */
export interface Award {
  readonly id: number;
  readonly name: string;
}

/** What is given to a subject, or to a note of it. */
export interface Awarded {
  readonly subjectId: number;
  readonly noteId: number | null;
}

export const THUMBS_UP = 'thumbsup';
export const THUMBS_DOWN = 'thumbsdown';

const FIXED: Readonly<Record<string, string>> = { '+1': THUMBS_UP, '-1': THUMBS_DOWN };

/** The name of an award as it is kept: without colons, and one name for what has two. */
export const awardName = (given: string): string => {
  const name = given.trim().replace(/^:([^:]*):$/, '$1');
  return FIXED[name] ?? name;
};
