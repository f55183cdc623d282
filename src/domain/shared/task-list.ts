const TASK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]/gm;

/** The tasks of a list (`- [x] Test it`) in a text. */
export const taskCompletion = (text: string): { readonly count: number; readonly completed: number } => {
  const tasks = [...text.matchAll(TASK)];
  return { count: tasks.length, completed: tasks.filter(([, mark]) => mark !== ' ').length };
};

const LINE_END = /(\r\n?|\n)/;
/** The first task of a line, behind the marks of lists and quotes around it. */
const TASK_OF_LINE = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\[)([ xX])(?=\][ \t])/;

/**
 * A text with one of its tasks done, or to be done again where it was done.
 * @param line the line of the task, the first being 1.
 * @returns undefined where no task is on that line.
 */
export const withTaskToggled = (text: string, line: number): string | undefined => {
  // Between the lines are their ends.
  const pieces = text.split(LINE_END);
  const at = (line - 1) * 2;
  const found = TASK_OF_LINE.exec(pieces[at] ?? '');
  if (found === null) return undefined;
  const [{ length }, before = '', mark] = found;
  pieces[at] = `${before}${mark === ' ' ? 'x' : ' '}${pieces[at]!.slice(length)}`;
  return pieces.join('');
};
