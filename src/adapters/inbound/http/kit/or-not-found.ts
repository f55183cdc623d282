import { NotFound } from '../../../../domain/shared/domain-error.js';

/** The thing that was looked for. @throws NotFound where it isn't there, by its name if it has one in refusals. */
export const orNotFound = <Thing>(thing: Thing | undefined, name?: string): Thing => {
  if (thing === undefined) throw new NotFound(name);
  return thing;
};

/** A finder that says by name what is not there, for routes whose clients tell by it which of two things is missing. */
export const naming =
  <Context, Thing>(name: string, find: (context: Context) => Promise<Thing>) =>
  async (context: Context): Promise<Thing> => {
    try {
      return await find(context);
    } catch (error) {
      throw error instanceof NotFound && error.subject === undefined ? new NotFound(name) : error;
    }
  };
