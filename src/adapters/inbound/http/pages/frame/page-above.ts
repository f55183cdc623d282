/**
 * The address that is shown where only a form was sent to, as when its answer is loaded again: that of the nearest page above it.
 *
 * @param pattern that the form is registered by.
 * @param pages patterns that pages are registered by.
 */
export const pageAbove = (address: string, pattern: string, pages: ReadonlySet<string>): string => {
  const steps = pattern.split('/');
  const left = steps.findLastIndex((_, place) => pages.has(steps.slice(0, place).join('/')));
  // A step of the pattern may stand for several of the address, but none at its end does.
  const dropped = steps.length - left;
  return left <= 0 ? '/' : address.split('/').slice(0, -dropped).join('/');
};
