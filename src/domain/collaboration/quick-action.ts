import { linesOf, linesWithoutCode } from './code-blocks.js';

/** What a line of a comment or description can ask for, by the names and the other names that people write. */
const NAMES = {
  close: [],
  reopen: ['open'],
  assign: [],
  unassign: ['remove_assignee'],
  reassign: [],
  label: ['labels'],
  unlabel: ['remove_label', 'remove_labels'],
  relabel: [],
  milestone: [],
  remove_milestone: [],
  due: ['due_date'],
  remove_due_date: [],
  estimate: ['estimate_time'],
  spend: ['spent', 'spend_time'],
  remove_estimate: ['remove_time_estimate'],
  remove_time_spent: [],
  todo: [],
  done: [],
  subscribe: [],
  unsubscribe: [],
  title: [],
  confidential: [],
  lock: [],
  unlock: [],
  draft: ['wip'],
  ready: [],
  duplicate: [],
  relate: [],
  award: ['react'],
  approve: [],
  unapprove: [],
  merge: [],
  rebase: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type ActionName = keyof typeof NAMES;

export interface QuickAction {
  readonly name: ActionName;
  /** What follows the name on its line. */
  readonly argument: string;
}

export interface ReadText {
  /** Without the lines that ask for something. */
  readonly text: string;
  readonly actions: readonly QuickAction[];
}

/** One text asks for so much at most. */
export const MAX_ACTIONS = 30;
const MAX_ARGUMENT = 1_000;
/** A longer text asks for nothing: half a million lines would take a tenth of a second. */
export const MAX_READ = 100_000;

const BY_WORD: ReadonlyMap<string, ActionName> = new Map(
  (Object.keys(NAMES) as ActionName[]).flatMap((name) => [name, ...NAMES[name]].map((word) => [word, name] as const)),
);

/** What stands in place of a line that only says how somebody feels. */
const GESTURES: ReadonlyMap<string, string> = new Map([
  ['shrug', '¯\\＿(ツ)＿/¯'],
  ['tableflip', '(╯°□°)╯︵ ┻━┻'],
]);

const LINE = /^\/([A-Za-z_]{1,30})(?:[ \t]+(.*))?$/;

/** Lines between two of `>>>`, and those of a comment that is not shown, ask for nothing. */
const withoutQuotes = (lines: readonly string[]): readonly string[] => {
  let quoted = false;
  let hidden = false;
  return lines.map((line) => {
    const isMark = !hidden && line.trim() === '>>>';
    if (isMark) quoted = !quoted;
    const wasHidden = hidden;
    if (!quoted && !isMark)
      hidden = hidden ? !line.includes('-->') : line.lastIndexOf('<!--') > line.lastIndexOf('-->');
    return quoted || isMark || wasHidden ? '' : line;
  });
};

/** Undefined for a line that asks for nothing that there is. */
const readLine = (line: string): QuickAction | { readonly gesture: string } | undefined => {
  const [, word = '', rest = ''] = LINE.exec(line) ?? [];
  const argument = rest.trim();
  const gesture = GESTURES.get(word.toLowerCase());
  // What people write beside it must not ask for anything itself.
  if (gesture !== undefined) return { gesture: `${argument.replace(/^\//, '\\/')} ${gesture}`.trim() };
  const name = BY_WORD.get(word.toLowerCase());
  return name === undefined || argument.length > MAX_ARGUMENT ? undefined : { name, argument };
};

/**
 * What the lines of a text ask for, each of which begins with `/` and a word; what stands in code or a quoted block is text. A text that
 * asks for nothing, or is longer than is read, is left as it is.
 */
export const readQuickActions = (text: string): ReadText => {
  if (text.length > MAX_READ || !/(?:^|[\r\n])\//.test(text)) return { text, actions: [] };
  const actions: QuickAction[] = [];
  const left: string[] = [];
  let changed = false;
  const visible = withoutQuotes(linesWithoutCode(text));
  for (const [index, line] of linesOf(text).entries()) {
    const read = visible[index]!.startsWith('/') ? readLine(line) : undefined;
    changed ||= read !== undefined;
    if (read === undefined) left.push(line);
    else if ('gesture' in read) left.push(read.gesture);
    else actions.push(read);
  }
  return changed
    ? {
        text: left
          .join('\n')
          .replace(/^(?:[ \t]*\n)+/, '')
          .trimEnd(),
        actions,
      }
    : { text, actions };
};
