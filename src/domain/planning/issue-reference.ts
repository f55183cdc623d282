/** An issue that a text names. */
export interface IssueReference {
  /** Full path of its project; null is that of the text. */
  readonly project: string | null;
  readonly iid: number;
  /** Whether the text says that it closes it. */
  readonly closes: boolean;
}

/** Read of one text at most. */
const MOST_TEXT = 20_000;
const MOST_REFERENCES = 50;

const REFERENCE = /((?:[A-Za-z0-9_.-]+\/){1,20}[A-Za-z0-9_.-]+)?#(\d{1,9})(?![\w-])/y;
/** Where a reference may begin: not inside a word. */
const BEGINNING = /(?<![\w/#&.-])(?=[A-Za-z0-9_#])/g;
const CLOSING =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)\b:?[ \t]+(?:issues?[ \t]+)?/gi;
/** No two of its runs of blanks touch, or a long run would be divided in every way. */
const BETWEEN = /(?:(?:[ \t]*,)?[ \t]+and[ \t]+|[ \t]*,[ \t]*|[ \t]+)(?:issues?[ \t]+)?/y;

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index;
  return pattern.exec(text);
};

const toReference = (match: RegExpExecArray, closes: boolean): IssueReference => ({
  project: match[1] ?? null,
  iid: Number(match[2]),
  closes,
});

/** `Closes #1, #2 and group/project#3`: all that follow the word. */
const closedBy = (text: string): readonly IssueReference[] => {
  const found: IssueReference[] = [];
  for (const word of text.matchAll(CLOSING)) {
    let index = word.index + word[0].length;
    for (let next = at(REFERENCE, text, index); next !== null; next = at(REFERENCE, text, index)) {
      found.push(toReference(next, true));
      const end = next.index + next[0].length;
      const between = at(BETWEEN, text, end);
      if (between === null) break;
      index = end + between[0].length;
    }
  }
  return found;
};

const keyOf = ({ project, iid }: IssueReference): string => `${project ?? ''}#${iid}`;

/** The issues that a message names, each once. */
export const issueReferences = (message: string): readonly IssueReference[] => {
  const text = message.slice(0, MOST_TEXT);
  const found = new Map<string, IssueReference>();
  for (const reference of closedBy(text)) found.set(keyOf(reference), reference);
  for (const { index } of text.matchAll(BEGINNING)) {
    const match = at(REFERENCE, text, index);
    if (match === null) continue;
    const reference = toReference(match, false);
    if (!found.has(keyOf(reference))) found.set(keyOf(reference), reference);
  }
  return [...found.values()].slice(0, MOST_REFERENCES);
};
