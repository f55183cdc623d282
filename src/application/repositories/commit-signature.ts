import type { Signature } from '../../domain/repositories/object-format.js';
import type { CommitPerson } from './ports/object-stores.js';

const OFFSET = /([+-])(\d\d):(\d\d)$/;

/** Who made a commit, as it is written into another. */
export const signatureOf = ({ name, email, at }: CommitPerson): Signature => {
  const [, sign = '+', hours = '0', minutes = '0'] = OFFSET.exec(at) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return { name, email, at: new Date(at), offset };
};
