import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';

/** Each of some people once, in the order in which they come first. */
export const distinctPeople = (people: readonly (Person | null)[]): readonly Person[] => [
  ...new Map(people.filter((person) => person !== null).map((person) => [person.id, person])).values(),
];
