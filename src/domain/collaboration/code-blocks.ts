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

export const withoutCodeBlocks = (text: string): string => linesWithoutCode(text).join('\n');
