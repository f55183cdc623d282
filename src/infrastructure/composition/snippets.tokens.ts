import type { SnippetReader } from '../../application/snippets/ports/snippet-ports.js';
import type { SnippetAccess } from '../../application/snippets/snippet-access.js';
import type { Snippets } from '../../application/snippets/snippets.js';
import { token } from './token.js';

/** What people keep and show around. */
export interface SnippetUseCases {
  readonly snippets: Snippets;
  readonly snippetAccess: SnippetAccess;
  readonly snippetReader: SnippetReader;
}

export const SNIPPET_TOKENS = {
  snippets: token<SnippetUseCases>('SnippetUseCases'),
} as const;
