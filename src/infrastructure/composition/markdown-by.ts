import type { Markup } from '../../adapters/inbound/http/pages/code/markup.js';
import { ProjectMarkdown } from '../../adapters/inbound/http/pages/project-markdown.js';
import type { Get } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

/** HTML of what people write about projects. */
export const markdownBy = (get: Get, markup: Markup): ProjectMarkdown =>
  new ProjectMarkdown({
    ...get(WORKSPACE_TOKENS.workspace),
    ...get(PLANNING_TOKENS.planning),
    ...get(REVIEW_TOKENS.review),
    ...get(IDENTITY_TOKENS.identityReaders),
    ...get(REPOSITORY_TOKENS.codeReading),
    urls: get(TOKENS.webUrls),
    markup,
  });
