import { BADGE_COLOURS, type StateBadge } from '../../../../../domain/badges/state-badge.js';
import { cutAt } from '../page-texts.js';

export const BADGE_STYLES = ['flat', 'flat-square'] as const;

/** How a badge is drawn; what is not told follows from its words. */
export interface BadgeLook {
  readonly style: (typeof BADGE_STYLES)[number];
  /** In place of the word of what it is about. */
  readonly keyText?: string;
  readonly keyWidth?: number;
  readonly valueWidth?: number;
}

const HEIGHT = 20;
const PADDING = 5;
const MOST_CHARACTERS = 64;
const KEY_COLOUR = '#4a4a4a';

/** What no XML may have, and what turns the direction of a text, says nothing here. */
const SAYS_NOTHING = /[\p{C}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;
const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const shortened = (text: string): string => {
  const whole = text.toWellFormed().replace(SAYS_NOTHING, '').trim();
  return whole.length > MOST_CHARACTERS ? `${cutAt(whole, MOST_CHARACTERS - 1)}…` : whole;
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? '');

const NARROW = /[ijltfrI.,:;!|'()[\]/ ]/;
const WIDE = /[mwMW@%…]/;
/** Behind it are the signs of East Asia, and emoji. */
const FIRST_FULL_WIDTH = '\u2e7f';

/** About as wide as browsers draw it: a text that is given less room is fitted to that. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const each of text) {
    if (NARROW.test(each)) width += 4.2;
    else if (WIDE.test(each)) width += 10;
    else width += each > FIRST_FULL_WIDTH ? 12 : 7;
  }
  return Math.ceil(width);
};

/** A text in the middle of its part of the badge, fitted to it where it would be wider. */
const textIn = (text: string, from: number, width: number): string => {
  const room = Math.max(width - 2 * PADDING, 1);
  const fitted = widthOf(text) > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text x="${from + width / 2}" y="14"${fitted}>${escaped(text)}</text>`;
};

/** An SVG with nothing but shapes and two texts. */
export const drawBadge = (badge: StateBadge, look: BadgeLook): string => {
  const [key, value] = [shortened(look.keyText ?? badge.key), shortened(badge.value)];
  const keyWidth = look.keyWidth ?? widthOf(key) + 2 * PADDING;
  const valueWidth = look.valueWidth ?? widthOf(value) + 2 * PADDING;
  const width = keyWidth + valueWidth;
  const title = escaped(`${key}: ${value}`);
  const shine =
    look.style === 'flat' ? `<rect width="${width}" height="${HEIGHT / 2}" fill="#fff" fill-opacity=".08"/>` : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="shape"><rect width="${width}" height="${HEIGHT}" rx="${look.style === 'flat' ? 3 : 0}"/></clipPath>`,
    '<g clip-path="url(#shape)">',
    `<rect width="${keyWidth}" height="${HEIGHT}" fill="${KEY_COLOUR}"/>`,
    `<rect x="${keyWidth}" width="${valueWidth}" height="${HEIGHT}" fill="${BADGE_COLOURS[badge.colour]}"/>`,
    shine,
    '</g>',
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">',
    textIn(key, 0, keyWidth),
    textIn(value, keyWidth, valueWidth),
    '</g></svg>',
  ].join('');
};
