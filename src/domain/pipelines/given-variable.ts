/** What whoever asks for a pipeline may give its jobs. */
export const MOST_GIVEN_VARIABLES = 100;
export const MAX_GIVEN_VALUE = 10_000;

const KEY = /^[A-Za-z0-9_]{1,255}$/;

export const isGivenKey = (key: string): boolean => KEY.test(key);
