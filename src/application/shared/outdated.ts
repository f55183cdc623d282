/** What a work was decided by is no longer so, and nothing of it was done: whoever decided looks again, and holds what is found. */
export class Outdated extends Error {}
