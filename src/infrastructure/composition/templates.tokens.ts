import type { Templates } from '../../application/templates/templates.js';
import { token } from './token.js';

export const TEMPLATE_TOKENS = {
  templates: token<Templates>('Templates'),
} as const;
