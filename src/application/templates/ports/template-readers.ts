import type { License, LicenseSummary } from '../../../domain/templates/license.js';
import type { Template, TemplateKind } from '../../../domain/templates/template.js';

export interface TemplateReader {
  /** Their keys, in order. */
  keys(kind: TemplateKind): Promise<readonly string[]>;
  find(kind: TemplateKind, key: string): Promise<Template | undefined>;
}

export interface LicenseReader {
  /** The best known come first. */
  list(): readonly LicenseSummary[];
  /** With their texts, in which blanks are left to be filled in. */
  read(licenses: readonly LicenseSummary[]): Promise<readonly License[]>;
}
