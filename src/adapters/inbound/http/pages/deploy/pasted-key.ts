import { isPrivateKey } from '../../../../../domain/keys/ssh-public-key.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { FieldProblems } from '../render.js';

const pasted = ({ request }: PageContext): string => field(request, 'key');

/** What the field of a key holds when its form is shown again: nothing that was private is sent back. */
export const keyAgain = (context: PageContext): string => (isPrivateKey(pasted(context)) ? '' : pasted(context));

/** What is wrong with a key that was pasted, all of it beside its field and in words for people. */
export const besideKey = (context: PageContext, { key = [], fingerprint = [], ...others }: FieldProblems) => {
  const taken = fingerprint.includes('has already been taken');
  if (key.length === 0 && !taken) return others;
  return { ...others, key: [wordsFor(context, key, taken)] };
};

const wordsFor = (context: PageContext, key: readonly string[], taken: boolean): string => {
  if (taken) return 'is in use already: a key is that of one person, or a deploy key';
  if (isPrivateKey(pasted(context)))
    return 'is a private key, which nobody else may see: make another pair, and paste its file that ends in .pub';
  return key.includes('is invalid')
    ? 'is not a public key: paste the one line of a file that ends in .pub'
    : key.join(', ');
};

/** @throws Invalid with the problems of a key beside its field. */
export const sayingBesideKey = async <Result>(context: PageContext, work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Invalid ? new Invalid(besideKey(context, error.problems)) : error;
  }
};
