/** A tag as our pages write them: attributes are in double quotes, and hold nothing that could end or open a tag. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9:-]*(?:="[^"<>]*")?)*)\s*(\/?)>|<!doctype html>/gi;
const ATTRIBUTE = /\s([a-z][a-z0-9:-]*)(?:="([^"]*)")?/gi;
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction']);

/** The beginning of an address, as far as it decides what a browser does with it. */
const kindOfAddress = (address: string): string => /^(?:[a-z][a-z0-9+.-]*:|\/\/|\/|#|\?|$)/i.exec(address)?.[0] ?? '…';

/**
 * All markup that a page is made of: its tags, their attributes, and how addresses begin.
 * @throws Error where anything else could be taken for markup.
 */
export const markupOf = (html: string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const [, closing, tag = 'doctype', attributes = ''] of html.matchAll(TAG)) {
    if (closing === '/') continue;
    found.add(`<${tag}>`);
    for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE))
      found.add(`<${tag} ${name}${ADDRESSES.has(name) ? `="${kindOfAddress(value)}` : ''}>`);
  }
  const left = /[\s\S]{0,40}[<>][\s\S]{0,40}/.exec(html.replaceAll(TAG, ''));
  if (left !== null) throw new Error(`This may be taken for markup: ${left[0]}`);
  return found;
};
