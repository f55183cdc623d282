import type { RecognizeLicense } from '../../application/templates/recognize-license.js';
import type { Templates } from '../../application/templates/templates.js';
import { token } from './token.js';

export const TEMPLATE_TOKENS = {
  templates: token<Templates>('Templates'),
  recognizeLicense: token<RecognizeLicense>('RecognizeLicense'),
} as const;
