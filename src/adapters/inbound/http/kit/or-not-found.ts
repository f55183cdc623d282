import { NotFound } from '../../../../domain/shared/domain-error.js';

/** The thing that was looked for. @throws NotFound where it isn't there, by its name if it has one in refusals. */
export const orNotFound = <Thing>(thing: Thing | undefined, name?: string): Thing => {
  if (thing === undefined) throw new NotFound(name);
  return thing;
};
