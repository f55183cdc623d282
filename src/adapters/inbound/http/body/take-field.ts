import { HttpError } from '../http-error.js';

/** What is sent as a multipart form and is none. */
export const unreadable = (): HttpError => new HttpError(400, 'message body does not match declared format');

/** Keeps the fields of a multipart form in their order, and refuses one without a name, which no sender may leave out. */
export const takeField =
  (into: [name: string, value: string][], refuse: (error: HttpError) => void) =>
  // The types of the parser say there is a name always; where it is left out or empty, there is none.
  (name: string | undefined, value: string): void => {
    if (name === undefined) refuse(unreadable());
    else into.push([name, value]);
  };
