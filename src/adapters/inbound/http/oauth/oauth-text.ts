import { text } from '../validation/parameters.js';

/** The longest value of a parameter of OAuth: what fits into a form. */
export const MAX_OAUTH_TEXT = 65_536;

export const oauthText = (description?: string) => text(MAX_OAUTH_TEXT, description);

/** What must never stand in an address: addresses are logged by everything that they pass. */
export const oauthSecret = (description?: string) => text(MAX_OAUTH_TEXT, description, { writeOnly: true });
