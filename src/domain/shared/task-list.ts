const TASK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]/gm;

/** The tasks of a list (`- [x] Test it`) in a text. */
export const taskCompletion = (text: string): { readonly count: number; readonly completed: number } => {
  const tasks = [...text.matchAll(TASK)];
  return { count: tasks.length, completed: tasks.filter(([, mark]) => mark !== ' ').length };
};
