import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { LicenseReader } from '../../../application/templates/ports/template-readers.js';
import type { License, LicenseSummary } from '../../../domain/templates/license.js';
import { LICENSES } from './license-list.js';

/** The package has a file for each of hundreds of licenses: none is read before it is asked for. */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('spdx-license-list/package.json')), 'licenses');

interface LicenseFile {
  readonly licenseText: string;
}

/** The texts of licenses, from the list of the Software Package Data Exchange. */
export class PackageLicenses implements LicenseReader {
  readonly #spdxIds = new Map(LICENSES.map(({ spdxId, license }) => [license.key, spdxId]));

  list(): readonly LicenseSummary[] {
    return LICENSES.map(({ license }) => license);
  }

  read(licenses: readonly LicenseSummary[]): Promise<readonly License[]> {
    return Promise.all(licenses.map((license) => this.#read(license)));
  }

  async #read(license: LicenseSummary): Promise<License> {
    const file = await readFile(join(FOLDER, `${this.#spdxIds.get(license.key)}.json`), 'utf8');
    const { licenseText } = JSON.parse(file) as LicenseFile;
    return { ...license, content: `${licenseText.trim()}\n` };
  }
}
