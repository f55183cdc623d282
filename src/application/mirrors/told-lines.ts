/** Of what was refused, or has diverged, as much is told. */
const MOST_TOLD = 20;

/** Some lines of many. */
export const told = (lines: readonly string[]): string => {
  const more = lines.length - MOST_TOLD;
  return [...lines.slice(0, MOST_TOLD), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
};
