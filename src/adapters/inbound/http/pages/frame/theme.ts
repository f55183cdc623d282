import { parseCookie } from 'cookie';
import type { Request } from 'express';

export const THEME_COOKIE = 'gatehouse_theme';

const THEMES = ['light', 'dark', 'system'] as const;
type Theme = (typeof THEMES)[number];

export const themeIn = (text: string | undefined): Theme => THEMES.find((each) => each === text) ?? 'system';

/** The colors that a browser asked for; those of its system, unless it did. */
export const themeOf = ({ headers }: Pick<Request, 'headers'>): Theme =>
  themeIn(parseCookie(headers.cookie ?? '')[THEME_COOKIE]);
