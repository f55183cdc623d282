import { BadRequest } from '../shared/domain-error.js';
import { isGivenKey } from './given-variable.js';
import type { CiValue } from './predefined-variables.js';

/** Of a report, unpacked, in bytes. */
export const MOST_DOTENV_BYTES = 5_120;
const MOST_VARIABLES = 150;
/** Of all reports of a pipeline together: each of its jobs may be told all of it. */
const MOST_VARIABLES_OF_PIPELINE = 1_000;
const MOST_BYTES_OF_PIPELINE = 131_072;

export const dotenvTooLarge = (): BadRequest =>
  new BadRequest(`Dotenv Artifact Too Big. Maximum Allowable Size: ${MOST_DOTENV_BYTES}`);

/**
 * What a dotenv report says: `KEY=value` in each line, the last of a key counts. Quotes are part of a value. Empty lines, and those that
 * begin with `#`, say nothing.
 * @throws BadRequest.
 */
export const readDotenv = (text: string): readonly CiValue[] => {
  const values = new Map<string, string>();
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const end = line.indexOf('=');
    if (end < 0 || line.includes('\0')) throw new BadRequest('Invalid Format');
    const key = line.slice(0, end).trim();
    if (!isGivenKey(key)) throw new BadRequest("Key can contain only letters, digits and '_'.");
    values.set(key, line.slice(end + 1).trim());
  }
  if (values.size > MOST_VARIABLES)
    throw new BadRequest(`Dotenv files cannot have more than ${MOST_VARIABLES} variables`);
  return [...values].map(([key, value]) => ({ key, value }));
};

const bytesOf = ({ key, value }: CiValue): number => Buffer.byteLength(key) + Buffer.byteLength(value);

/** @throws BadRequest where the reports of a pipeline say more together than its jobs can be told. */
export const requireRoomToTell = (reports: readonly (readonly CiValue[])[]): void => {
  const all = reports.flat();
  const bytes = all.reduce((sum, each) => sum + bytesOf(each), 0);
  if (all.length > MOST_VARIABLES_OF_PIPELINE || bytes > MOST_BYTES_OF_PIPELINE)
    throw new BadRequest(
      `Dotenv files of a pipeline cannot have more than ${MOST_VARIABLES_OF_PIPELINE} variables, or ${MOST_BYTES_OF_PIPELINE} bytes, together`,
    );
};
