const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const INDENTED = /^(?: {4}|\t)/;

export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

/** The lines of a text, those of code blank: fenced blocks, and indented ones after an empty line. */
export const linesWithoutCode = (text: string): readonly string[] => {
  let fence: string | undefined;
  let afterBlank = true;
  let indented = false;
  return linesOf(text).map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      return '';
    }
    if (mark !== undefined) {
      fence = mark;
      return '';
    }
    indented = INDENTED.test(line) && (afterBlank || indented);
    afterBlank = line.trim() === '';
    return indented ? '' : line;
  });
};

const END_OF_LINE = /(\r\n|\r|\n)/;
const RUN_OF_TICKS = /`+/g;

/** A text of the same length in which blanks stand in place of code. */
export const blankedCode = (text: string): string => {
  const kept = linesWithoutCode(text);
  // Every other part is the end of a line.
  const parts = text.split(END_OF_LINE);
  return blankedSpans(
    parts.map((part, at) => (at % 2 === 0 && kept[at / 2] === '' ? ' '.repeat(part.length) : part)).join(''),
  );
};

/** A run of backticks opens a span that the next run of the same length closes; one without an end is plain text. */
const blankedSpans = (text: string): string => {
  const runs = [...text.matchAll(RUN_OF_TICKS)].map(({ index, 0: ticks }) => ({ index, length: ticks.length }));
  // For each run the next one of its length, found from the back so that the whole takes one pass.
  const latest = new Map<number, number>();
  const closing: (number | undefined)[] = [];
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at]!;
    closing[at] = latest.get(length);
    latest.set(length, at);
  }
  let prose = '';
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const end = closing[at];
    if (end === undefined) continue;
    const begin = runs[at]!.index;
    const after = runs[end]!.index + runs[end]!.length;
    prose += text.slice(from, begin) + ' '.repeat(after - begin);
    from = after;
    at = end;
  }
  return prose + text.slice(from);
};
