import type { CiIdToken } from './ci-config.js';
import { isList } from './ci-value.js';
import type { Entry } from './entry.js';

const MOST = 20;
const LONGEST = 1_024;
const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** Variables that hold a signed token, each for those who are named. */
export const idTokensOf = (entry: Entry): readonly CiIdToken[] | undefined => {
  const said = entry.map();
  if (said === undefined) return undefined;
  if (said.size > MOST) return entry.error(`config has too many entries (maximum is ${MOST})`);
  return [...said.keys()].flatMap((key) => idTokenOf(entry, key) ?? []);
};

const idTokenOf = (entry: Entry, key: string): CiIdToken | undefined => {
  if (!KEY.test(key)) return entry.error(`config: \`${key.slice(0, 255)}\` can't be the name of a variable`);
  const audience = audienceOf(entry.at(key));
  return audience === undefined ? entry.error(`${key} should have an \`aud\``) : { key, audience };
};

const audienceOf = (entry: Entry | undefined): CiIdToken['audience'] | undefined => {
  if (entry?.map() === undefined) return undefined;
  entry.knows(new Set(['aud']));
  const said = entry.at('aud');
  if (said === undefined || !isList(said.value)) return said?.text(LONGEST) || undefined;
  const texts = said.texts({ most: MOST });
  return texts === undefined || texts.length === 0 || texts.some((text) => text === '' || text.length > LONGEST)
    ? undefined
    : texts;
};
