/** How long what git told is kept, however often it is asked for: what was tidied away, because nothing led there, isn't told for ever. */
export const KEPT_MS = 600_000;
