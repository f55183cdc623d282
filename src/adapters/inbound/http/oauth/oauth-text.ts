import { text } from '../validation/parameters.js';

/** The longest value of a parameter of OAuth: what fits into a form. */
export const MAX_OAUTH_TEXT = 65_536;

export const oauthText = (description?: string) => text(MAX_OAUTH_TEXT, description);
