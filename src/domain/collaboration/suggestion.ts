/** What the lines of a file are to be replaced by. */
export interface SuggestedChange {
  /** How many lines above the one that is talked about are replaced with it, and how many below. */
  readonly above: number;
  readonly below: number;
  /** Each line with its line feed; empty where the lines are to go. */
  readonly content: string;
}

/** A part of a comment: a suggestion, or the text between two. */
export type CommentPart =
  { readonly kind: 'text'; readonly text: string } | ({ readonly kind: 'suggestion' } & SuggestedChange);

/** Lines on either side that a suggestion can replace. */
const MOST_LINES_BESIDE = 100;
/** Of one comment; what is beyond is shown as code. */
const MOST_SUGGESTIONS = 20;

const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/s;
const SUGGESTION = /^suggestion(?::-(\d+)\+(\d+))?$/;

interface Fence {
  readonly indent: number;
  readonly mark: string;
  /** Where its first line is. */
  readonly at: number;
  /** Undefined for other code. */
  readonly lines: readonly [above: number, below: number] | undefined;
}

const opened = (line: string, at: number): Fence | undefined => {
  const [, indent = '', mark = '', info = ''] = FENCE.exec(line) ?? [];
  if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return undefined;
  const [whole, above = '0', below = '0'] = SUGGESTION.exec(info.trim()) ?? [];
  const within = (count: string) => Math.min(Number(count), MOST_LINES_BESIDE);
  return { indent: indent.length, mark, at, lines: whole === undefined ? undefined : [within(above), within(below)] };
};

const closes = (line: string, { mark }: Fence): boolean => {
  const [, , closing = '', behind = ''] = FENCE.exec(line) ?? [];
  return closing.startsWith(mark) && behind.trim() === '';
};

/** Takes as many blanks from a line as its fence is indented. */
const outdented = (line: string, { indent }: Fence): string => {
  const blanks = /^ */.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(blanks, indent));
};

/**
 * The parts of a comment. A suggestion is a block of code by the word `suggestion`, with the lines around that it replaces
 * (`suggestion:-1+2`). Its fences begin their lines: what is within other code or a quotation is none.
 */
export const partsOf = (body: string): readonly CommentPart[] => {
  const lines = body.replaceAll('\r\n', '\n').split('\n');
  const parts: CommentPart[] = [];
  let suggestions = 0;
  let text = 0;
  let fence: Fence | undefined;
  const takeText = (end: number): void => {
    if (end > text) parts.push({ kind: 'text', text: lines.slice(text, end).join('\n') });
  };
  for (const [at, line] of lines.entries()) {
    if (fence === undefined) {
      fence = opened(line, at);
      continue;
    }
    if (!closes(line, fence)) continue;
    const open = fence;
    fence = undefined;
    if (open.lines === undefined || suggestions >= MOST_SUGGESTIONS) continue;
    suggestions += 1;
    takeText(open.at);
    const [above, below] = open.lines;
    const content = lines.slice(open.at + 1, at).map((each) => `${outdented(each, open)}\n`);
    parts.push({ kind: 'suggestion', above, below, content: content.join('') });
    text = at + 1;
  }
  takeText(lines.length);
  return parts;
};

export const suggestionsIn = (body: string): readonly SuggestedChange[] =>
  body.includes('suggestion') ? partsOf(body).filter((part) => part.kind === 'suggestion') : [];

/** A suggestion as it is kept beside the comment that makes it. */
export interface Suggestion extends SuggestedChange {
  /** What was there when it was made. */
  readonly replaced: string;
  /** One of the lines has changed since. */
  readonly outdated: boolean;
}

/** Why a suggestion can't be applied, whatever becomes of what it is about; undefined where it can. */
export const whyNotAppliable = (
  { replaced, content, outdated, commitSha }: Suggestion & { readonly commitSha: string | null },
  place: { readonly outdated: boolean } | null,
): 'applied' | 'outdated' | 'same' | undefined => {
  if (commitSha !== null) return 'applied';
  if (outdated || place?.outdated !== false) return 'outdated';
  return replaced === content ? 'same' : undefined;
};
