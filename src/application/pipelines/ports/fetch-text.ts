/** Bounds of one answer. */
export interface FetchBounds {
  readonly mostBytes: number;
  readonly timeoutMs: number;
}

/**
 * The text at an address elsewhere, or why it can't be had: as the end of a sentence that begins with its name, in words that everybody may
 * read.
 */
export type FetchText = (
  address: string,
  bounds: FetchBounds,
) => Promise<{ readonly text: string } | { readonly problem: string }>;
