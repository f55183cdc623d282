import { fillLicense, type License, type LicenseBlanks, type LicenseSummary } from '../../domain/templates/license.js';
import type { Template, TemplateKind } from '../../domain/templates/template.js';
import { readFewAtATime } from '../shared/page-in-batches.js';
import type { Clock } from '../shared/ports/clock.js';
import type { LicenseReader, TemplateReader } from './ports/template-readers.js';

/** Files to begin with: licenses, and what git, CI and Docker read. */
export class Templates {
  constructor(
    private readonly templates: TemplateReader,
    private readonly licenseReader: LicenseReader,
    private readonly clock: Clock,
  ) {}

  /** The keys of all that there are of a kind, in order. */
  keys(kind: TemplateKind): Promise<readonly string[]> {
    return this.templates.keys(kind);
  }

  find(kind: TemplateKind, key: string): Promise<Template | undefined> {
    return this.templates.find(kind, key);
  }

  /** The best known come first. */
  licenses(): readonly LicenseSummary[] {
    return this.licenseReader.list();
  }

  /** Adds the texts as they were written, a few at a time. */
  withTexts(licenses: readonly LicenseSummary[]): AsyncIterable<readonly License[]> {
    return readFewAtATime(licenses, (few) => this.licenseReader.read(few));
  }

  /** A license whose blanks are filled in. Case doesn't count in its key. */
  async license(key: string, blanks: Omit<LicenseBlanks, 'year'>): Promise<License | undefined> {
    const named = this.licenseReader.list().filter((license) => license.key === key.toLowerCase());
    const [license] = await this.licenseReader.read(named);
    const year = this.clock.now().getUTCFullYear();
    return license && { ...license, content: fillLicense(license.content, { year, ...blanks }) };
  }
}
