/** As many characters of what people and machines wrote as a page shows in all; the rest is behind a link. */
const ALL_TEXTS = 65_536;
/** As many of one of several texts. */
export const ONE_OF_SEVERAL = 8_192;

export interface ShownText {
  readonly text: string;
  /** Whether more of it is stored. */
  readonly cut: boolean;
  /** Where its tasks can be ticked: the form of their buttons, and what tells the text from others. */
  readonly tasks?: { readonly form: string; readonly seen: string };
}

/** What is left of the room that a page has for texts: the page must stay small however much is stored. */
export class PageTexts {
  #left = ALL_TEXTS;

  /** The characters that there is room for. */
  get left(): number {
    return this.#left;
  }

  get full(): boolean {
    return this.#left <= 0;
  }

  show(text: string, most = ALL_TEXTS): ShownText {
    const shown = cutAt(text, Math.min(most, this.#left));
    this.#left -= shown.length;
    return { text: shown, cut: shown.length < text.length };
  }
}

/** Never through a character. */
export const cutAt = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const end = text.slice(0, Math.max(length, 0));
  return end.isWellFormed() || !text.isWellFormed() ? end : end.slice(0, -1);
};
