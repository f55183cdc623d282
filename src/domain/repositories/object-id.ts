/** The SHA-1 of an object, as 40 lower-case hex digits. */
export type ObjectId = string;

const OBJECT_ID = /^[0-9a-f]{40}$/;

/** What git writes where one side of a ref is missing. */
export const NO_OBJECT: ObjectId = '0'.repeat(40);

export const isObjectId = (text: string): boolean => OBJECT_ID.test(text);

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';
