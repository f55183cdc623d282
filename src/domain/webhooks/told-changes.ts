import type { ChangeOf, SubjectChanges } from '../shared/subject-changes.js';

/** A description is kept with each delivery that tells of its change, before and after. */
export const LONGEST_TOLD_TEXT = 20_000;

const cut = (text: string): string => (text.length > LONGEST_TOLD_TEXT ? `${text.slice(0, LONGEST_TOLD_TEXT)}…` : text);

const cutBoth = ({ previous, current }: ChangeOf<string>): ChangeOf<string> => ({
  previous: cut(previous),
  current: cut(current),
});

/** As much as receivers are told. What an issue was while it was confidential is not told to those that hear of public ones alone. */
export const toldChanges = (changes: SubjectChanges): SubjectChanges => {
  const { confidential, description } = changes;
  if (confidential?.current === false) return { confidential };
  return description === undefined ? changes : { ...changes, description: cutBoth(description) };
};
