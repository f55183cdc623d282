import { ALIKE, licenseWords, likeness, type WordCounts } from '../../domain/templates/license-likeness.js';
import type { LicenseSummary } from '../../domain/templates/license.js';
import { readFewAtATime } from '../shared/page-in-batches.js';
import type { LicenseReader } from './ports/template-readers.js';

interface KnownLicense {
  readonly license: LicenseSummary;
  readonly words: WordCounts;
}

/** Texts of which it is remembered what they are. */
const MOST_REMEMBERED = 1_000;

/** Which license a text is, of those that there are. */
export class RecognizeLicense {
  readonly #remembered = new Map<string, LicenseSummary | undefined>();
  #known: Promise<readonly KnownLicense[]> | undefined;

  constructor(private readonly reader: LicenseReader) {}

  /**
   * Undefined where it is none of them.
   * @param id tells a text apart from all others: one that was read before is not read again.
   */
  async execute(id: string, read: () => Promise<string | undefined>): Promise<LicenseSummary | undefined> {
    if (this.#remembered.has(id)) return this.#remembered.get(id);
    const text = await read();
    const found = text === undefined ? undefined : await this.#mostAlike(licenseWords(text));
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value ?? '');
    this.#remembered.set(id, found);
    return found;
  }

  async #mostAlike(words: WordCounts): Promise<LicenseSummary | undefined> {
    const compared = (await this.#licenses()).map(({ license, words: known }) => ({
      license,
      likeness: likeness(words, known),
    }));
    const [best] = compared.sort((one, other) => other.likeness - one.likeness);
    return best !== undefined && best.likeness >= ALIKE ? best.license : undefined;
  }

  #licenses(): Promise<readonly KnownLicense[]> {
    this.#known ??= this.#read().catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    return this.#known;
  }

  async #read(): Promise<readonly KnownLicense[]> {
    const known: KnownLicense[] = [];
    for await (const few of readFewAtATime(this.reader.list(), (some) => this.reader.read(some)))
      known.push(...few.map(({ content, ...license }) => ({ license, words: licenseWords(content) })));
    return known;
  }
}
