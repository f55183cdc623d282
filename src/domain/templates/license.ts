/** What a license lets others do. */
export type LicensePermission = 'commercial-use' | 'modifications' | 'distribution' | 'patent-use' | 'private-use';
/** What others must do in return. */
export type LicenseCondition =
  | 'include-copyright'
  | 'include-copyright--source'
  | 'document-changes'
  | 'disclose-source'
  | 'network-use-disclose'
  | 'same-license'
  | 'same-license--file'
  | 'same-license--library';
/** What a license does not give. */
export type LicenseLimitation = 'liability' | 'warranty' | 'trademark-use' | 'patent-use';

/** A license, without its text. */
export interface LicenseSummary {
  readonly key: string;
  readonly name: string;
  readonly nickname: string | null;
  /** Where it is explained. */
  readonly url: string;
  readonly popular: boolean;
  readonly description: string;
  readonly permissions: readonly LicensePermission[];
  readonly conditions: readonly LicenseCondition[];
  readonly limitations: readonly LicenseLimitation[];
}

export interface License extends LicenseSummary {
  readonly content: string;
}

/** What stands in the blanks of a license. A blank without a value stays as it is. */
export interface LicenseBlanks {
  readonly year: number;
  readonly holder?: string;
  readonly project?: string;
}

const YEAR = /[<[](?:year|yyyy)[>\]]|\b(?:yyyy|year)(?= {1,2}name of author)/gi;
const HOLDER =
  /[<[](?:copyright holders?|owner|owner organization name|fullname|name of author|name of copyright (?:owner|holder))[>\]]|(?<=\(C\) (?:yyyy|year) {1,2})name of author/gi;
const PROJECT =
  /[<[](?:program|project|software name)[>\]]|<?one line to give the program's name and (?:a brief|an) idea of what it does\.>?/gi;

/**
 * Fills in the blanks that licenses leave for the year, the holder of the copyright and the name of what is licensed. They are looked for
 * in the text as it was written: a value that looks like a blank stays what it is.
 */
export const fillLicense = (text: string, { year, holder, project }: LicenseBlanks): string => {
  const blanks = [blanksOf(text, YEAR, String(year)), blanksOf(text, HOLDER, holder), blanksOf(text, PROJECT, project)];
  let at = 0;
  let filled = '';
  for (const { index, length, value } of blanks.flat().sort((one, other) => one.index - other.index)) {
    filled += text.slice(at, index) + value;
    at = index + length;
  }
  return filled + text.slice(at);
};

const blanksOf = (text: string, blank: RegExp, value: string | undefined) =>
  value === undefined ? [] : [...text.matchAll(blank)].map(({ 0: { length }, index }) => ({ index, length, value }));
