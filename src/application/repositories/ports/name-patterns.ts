/** Makes a test of names by a regular expression, as RE2 reads it; undefined where it is none. */
export type CompileNamePattern = (text: string) => NamePattern | undefined;

/** Whether some part of a name fits; undefined once it has taken too long for all that were asked. */
export type NamePattern = (name: string) => boolean | undefined;
